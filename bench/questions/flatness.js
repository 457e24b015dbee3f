import { installation } from '../installation.js'
import { asker, forgetter, median } from '../latency.js'
import { startVerso } from '../server.js'

export const question = 'How much longer does a list take among very many posts than among 1,000, newest first, with its total?'
export const target = 'p50 at 1,000,000 posts ≤ 1.5 times that at 1,000'

const times = { short: 20, large: 60 }

/** The kind of key, and the list: another page, tag or … each time. */
const lists = {
  newest: ['public', (i) => `page=${1 + (i % 40)}`],
  'newest, all statuses': ['secret', (i) => `page=${1 + (i % 40)}`],
  'by tag': ['public', (i) => `tag=tag-${i % 50}`],
  'by tag, all statuses': ['secret', (i) => `tag=tag-${i % 50}`],
  'by category': ['public', (i) => `category=category-${i % 10}&page=${1 + (i % 3)}`],
  'by author': ['public', (i, { authors }) => `author=${authors[i % authors.length]}`],
  'by status': ['secret', (i) => `status=${['draft', 'published', 'draft,published'][i % 3]}&page=${1 + (i % 4)}`],
  'by tag and status': ['secret', (i) => `tag=tag-${i % 50}&status=${['published', 'draft,published'][i % 2]}`],
}

export const aims = Object.keys(lists).map((row) => ({ row, figure: 'ratio', atMost: 1.5 }))

/** Both sizes are asked in turns. A post is changed before each list: neither a list nor a total is known from before. */
export async function run({ large }) {
  const sizes = large ? [1_000, 1_000_000] : [1_000, 10_000]
  const worlds = []
  for (const posts of sizes) worlds.push(await open(posts))
  const figures = {}
  for (const [name, [kind, pathOf]] of Object.entries(lists)) {
    const taken = worlds.map(() => [])
    for (let i = 0; i < times[large ? 'large' : 'short']; i++) {
      for (const [w, world] of worlds.entries()) {
        await world.forget()
        taken[w].push(await world[kind](`/v1/posts?sort=-published_at&${pathOf(i, world)}`))
      }
    }
    const [few, many] = taken.map((all) => ({ ms: median(all.map(({ ms }) => ms)), cpuMs: median(all.map(({ cpuMs }) => cpuMs)) }))
    figures[name] = {
      [`ms at ${sizes[0]}`]: few.ms,
      [`ms at ${sizes[1]}`]: many.ms,
      ratio: Number((many.ms / few.ms).toFixed(2)),
      [`CPU ms at ${sizes[0]}`]: few.cpuMs,
      [`CPU ms at ${sizes[1]}`]: many.cpuMs,
      'CPU ratio': Number((many.cpuMs / few.cpuMs).toFixed(2)),
    }
  }
  for (const { stop } of worlds) await stop()
  return figures
}

async function open(posts) {
  const { database, keys } = await installation(posts)
  const verso = await startVerso(database)
  const asked = { public: asker(verso, keys.public), secret: asker(verso, keys.secret) }
  const { answer } = await asked.secret('/v1/authors?limit=100')
  return { ...asked, stop: verso.stop, authors: answer.data.map(({ id }) => id), forget: await forgetter(asked.secret) }
}
