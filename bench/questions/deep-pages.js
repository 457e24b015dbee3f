import { installation } from '../installation.js'
import { asker, forgetter, median } from '../latency.js'
import { startVerso } from '../server.js'

export const question = 'How long does a page far down a list take, by its number and by a cursor, newest first, with the total?'
export const target = 'page 10,000 of 20 at 1,000,000 posts: p50 ≤ 10 ms; by cursor ≤ 1.2 times the first page'

export const aims = ['public', 'secret'].flatMap((kind) => [
  { row: `${kind}: page 10000`, figure: 'p50 ms', atMost: 10 },
  { row: `${kind}: by cursor from there`, figure: 'times the first page', atMost: 1.2 },
])

const times = { short: 20, large: 60 }

/** A post is changed before each page: none is known from before. */
export async function run({ large }) {
  const { database, keys } = await installation(large ? 1_000_000 : 10_000)
  const verso = await startVerso(database)
  const deep = large ? 10_000 : 400
  const figures = {}
  for (const kind of ['public', 'secret']) {
    const ask = asker(verso, keys[kind])
    const forget = await forgetter(asker(verso, keys.secret))
    const { answer } = await ask(`/v1/posts?page=${deep}&fields=id`)
    const paths = {
      'first page': () => '/v1/posts?limit=20',
      [`page ${deep}`]: (i) => `/v1/posts?page=${deep + (i % 10)}`,
      'by cursor from there': () => `/v1/posts?cursor=${answer.pagination.nextCursor}`,
    }
    const taken = Object.fromEntries(Object.keys(paths).map((name) => [name, []]))
    for (let i = 0; i < times[large ? 'large' : 'short']; i++) {
      for (const [name, pathOf] of Object.entries(paths)) {
        await forget()
        taken[name].push(await ask(pathOf(i)))
      }
    }
    const first = median(taken['first page'].map(({ ms }) => ms))
    for (const [name, asked] of Object.entries(taken)) {
      const ms = median(asked.map((each) => each.ms))
      const times = Number((ms / first).toFixed(2))
      figures[`${kind}: ${name}`] = { 'p50 ms': ms, 'times the first page': times, 'CPU ms': median(asked.map(({ cpuMs }) => cpuMs)) }
    }
  }
  await verso.stop()
  return figures
}
