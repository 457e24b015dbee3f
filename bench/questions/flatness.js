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
        const { ms } = await world[kind](`/v1/posts?sort=-published_at&${pathOf(i, world)}`)
        taken[w].push(ms)
      }
    }
    const [few, many] = taken.map(median)
    figures[name] = {
      [`ms at ${sizes[0]}`]: Number(few.toFixed(2)),
      [`ms at ${sizes[1]}`]: Number(many.toFixed(2)),
      ratio: Number((many / few).toFixed(2)),
    }
  }
  for (const { stop } of worlds) await stop()
  return figures
}

async function open(posts) {
  const { database, keys } = await installation(posts)
  const { url, stop } = await startVerso(database)
  const asked = { public: asker(url, keys.public), secret: asker(url, keys.secret) }
  const { answer } = await asked.secret('/v1/authors?limit=100')
  return { ...asked, stop, authors: answer.data.map(({ id }) => id), forget: await forgetter(asked.secret) }
}
