import { installation } from '../installation.js'
import { timesOf } from '../searches.js'

export const question = 'How long does a search for a part of the title take, for rare words and common ones?'
export const target = 'p50 ≤ 5 ms with total=false, ≤ 60 ms with the total, at 1,000,000 posts'
export const aims = ['common, public', 'common, secret', 'rare, public', 'rare, secret'].flatMap((row) => [
  { row, figure: 'ms without total', atMost: 5 },
  { row, figure: 'ms with total', atMost: 60 },
])

/** One in ten titles has the first, one in a thousand the second, one the third, none the last. */
const texts = { common: 'subject 1', rare: 'subject 555', single: 'number 4242:', none: 'xylophone' }

export async function run({ large }) {
  const { database, keys } = await installation(large ? 1_000_000 : 10_000)
  return timesOf(database, keys, { parameter: 'search', texts })
}
