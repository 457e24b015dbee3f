import { installation } from '../installation.js'
import { timesOf } from '../searches.js'

export const question = 'How long does a search for words in titles, excerpts and contents take?'
export const target = 'p50 ≤ 20 ms with the total at 100,000 posts of 2 KB, words in at most a tenth of them'
export const aims = ['tenth, public', 'tenth, secret', 'thousandth, public', 'two words, secret'].map((row) => ({
  row,
  figure: 'ms with total',
  atMost: 20,
}))

/** Words in the contents of so many of all posts; two that a thousandth has at most; and one that no post has. */
const texts = { tenth: 'tenth', thousandth: 'thousandth', 'two words': 'thousandth number', none: 'xylophone' }

export async function run({ large }) {
  const { database, keys } = await installation(large ? 100_000 : 10_000)
  return timesOf(database, keys, { parameter: 'q', texts })
}
