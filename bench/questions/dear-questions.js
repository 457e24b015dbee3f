import { installation } from '../installation.js'
import { asker, beside } from '../latency.js'
import { mixedLoad } from '../mixed-load.js'
import { startVerso } from '../server.js'

export const question =
  'How long does a hot list take while 8 clients of one key ask the dearest questions there are, and how many answers does mixed load get?'
export const target = 'among 1,000,000 posts: 99th percentile of the hot list 25 ms, slowest 50 ms; mixed load 500 answers a second'
export const aims = [
  { row: 'hot list meanwhile', figure: '99th percentile ms', atMost: 25 },
  { row: 'hot list meanwhile', figure: 'slowest ms', atMost: 50 },
  { row: 'mixed load', figure: 'answers/s', atLeast: 500 },
]

const clients = 8
/** No two of them the same: `n` counts requests. */
const dearest = [
  (n) => `/v1/posts?search=subject&page=${1 + (n % 1_000)}`,
  (n) => `/v1/posts?search=became&sort=slug&page=${1 + (n % 1_000)}`,
  (n) => `/v1/posts?q=bababa&sort=slug&page=${1 + (n % 1_000)}`,
  (n) => `/v1/posts?sort=slug&page=${1 + (n % 1_000)}`,
  (n) => `/v1/posts?sort=title&page=${400 + (n % 50)}`,
  (n) => `/v1/posts?tag=tag-${n % 50}&category=category-1&page=${1 + (n % 100)}`,
  (n) => `/v1/posts?updated_after=2020-01-01T00:00:00.${String(n % 1_000).padStart(3, '0')}Z&sort=slug`,
  (n) => `/v1/changes?limit=${1 + (n % 100)}`,
]

export async function run({ large }) {
  const [posts, seconds] = large ? [1_000_000, 20] : [10_000, 5]
  const { database, keys } = await installation(posts)
  const verso = await startVerso(database)
  const hot = await hotMeanwhile(verso, keys, seconds)
  const started = performance.now()
  const { reads, writes, refused } = await mixedLoad(verso.url, { keys, posts, seconds })
  const perSecond = Math.round((reads + writes) / ((performance.now() - started) / 1_000))
  await verso.stop()
  return { 'hot list meanwhile': hot, 'mixed load': { 'answers/s': perSecond, reads, writes, refused } }
}

async function hotMeanwhile(verso, keys, seconds) {
  const hot = asker(verso, keys.public)
  await hot('/v1/posts')
  const until = performance.now() + seconds * 1_000
  let answered = 0
  let refused = 0
  let n = 0
  const client = async () => {
    const ask = asker(verso, keys.secret)
    while (performance.now() < until) {
      const path = dearest[n++ % dearest.length](n)
      await ask(path).then(
        () => answered++,
        (error) => {
          if (!/503/.test(error.message)) throw error
          refused++
        },
      )
    }
  }
  const times = await beside(() => hot('/v1/posts'), Promise.all(Array.from({ length: clients }, client)))
  return { ...times, 'dear answers': answered, refused }
}
