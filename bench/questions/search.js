import { installation } from '../installation.js'
import { startVerso } from '../server.js'

export const question = 'How long does a search for a part of the title take, for rare words and common ones?'
export const target = 'p50 ≤ 5 ms with total=false, ≤ 60 ms with the total, at 1,000,000 posts'
export const aims = ['common, public', 'common, secret', 'rare, public', 'rare, secret'].flatMap((row) => [
  { row, figure: 'ms without total', atMost: 5 },
  { row, figure: 'ms with total', atMost: 60 },
])

/** One in ten titles has the first, one in a thousand the second, one the third, none the last. */
const texts = { common: 'subject 1', rare: 'subject 555', single: 'number 4242:', none: 'xylophone' }
const times = 15

export async function run({ large }) {
  const { database, keys } = await installation(large ? 1_000_000 : 10_000)
  const verso = await startVerso(database)
  const figures = {}
  let asked = 0
  // Another limit each time, lest it be answered from memory.
  const ask = async (text, key, total) => {
    const path = `/v1/posts?search=${encodeURIComponent(text)}&total=${total}&limit=${20 + (asked++ % 80)}`
    const started = performance.now()
    const answer = await fetch(verso.url + path, { headers: { authorization: `Bearer ${key}`, 'cache-control': 'no-cache' } })
    const { pagination } = await answer.json()
    return { ms: performance.now() - started, found: pagination.total }
  }
  for (const [name, text] of Object.entries(texts)) {
    for (const kind of ['public', 'secret']) {
      const page = []
      for (let i = 0; i < times; i++) page.push((await ask(text, keys[kind], false)).ms)
      // A total is remembered while nothing changes, so that each text is counted once.
      const counted = []
      for (let i = 0; i < times; i++) counted.push(await ask(spelt(text, i), keys[kind], true))
      figures[`${name}, ${kind}`] = {
        found: counted[0].found,
        'ms without total': median(page),
        'ms with total': median(counted.map(({ ms }) => ms)),
      }
    }
  }
  await verso.stop()
  return figures
}

/** The same text in other letters: capitals where the number has a one. */
function spelt(text, number) {
  return [...text].map((letter, i) => ((number >> i) & 1 ? letter.toUpperCase() : letter)).join('')
}

function median(values) {
  return Number(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)].toFixed(1))
}
