// What a busy installation is asked, all at once: hot and cold lists, single posts, searches and writes, by public and by secret keys.
import { once } from 'node:events'
import { Agent, request } from 'node:http'

const connections = 32
/** Of the requests of a reader: the same list again, lists that differ, posts, searches. */
const shares = { hot: 50, cold: 25, post: 20, search: 5 }
const writesPerSecond = 25
const words = ['common', 'subject', 'number', 'xylophone', 'bec', 'tag']

/** Asks for so many seconds, and returns how often what was answered, and how many reads were refused. */
export async function mixedLoad(url, { keys, posts, seconds }) {
  const client = clientOf(url)
  const until = performance.now() + seconds * 1_000
  const counts = { reads: 0, writes: 0, refused: 0 }
  const slugs = await slugsOf(client, keys, posts)
  const reader = async (first) => {
    for (let i = first; performance.now() < until; i += connections) {
      const answer = await client.ask('GET', pathOf(i, { posts, slugs }), i % 3 === 0 ? keys.secret : keys.public)
      counts[answer === undefined ? 'refused' : 'reads']++
    }
  }
  const writer = async () => {
    for (let i = 0; performance.now() < until; i++) {
      await write(client, keys.secret, i)
      counts.writes++
      await new Promise((resolve) => setTimeout(resolve, 1_000 / writesPerSecond))
    }
  }
  await Promise.all([writer(), ...Array.from({ length: connections }, (_, first) => reader(first))])
  client.close()
  return counts
}

/** The so-manieth request, of the kinds in turn by their shares, and no two cold ones the same. */
function pathOf(i, { posts, slugs }) {
  const place = (i * 37) % 100
  if (place < shares.hot) return '/v1/posts'
  if (place < shares.hot + shares.cold) return coldPath(i, posts)
  if (place < shares.hot + shares.cold + shares.post) return `/v1/posts/${slugs[(i * 7_919) % slugs.length]}`
  return `/v1/posts?search=${words[i % words.length]}&page=${1 + (i % 10)}&exclude=content`
}

function coldPath(i, posts) {
  const page = `limit=20&page=${1 + ((i * 104_729) % Math.min(1_000, Math.floor(posts / 50 / 20)))}`
  const sort = ['-published_at', 'title', '-updated_at', 'created_at'][i % 4]
  return [
    `/v1/posts?sort=${sort}&${page}`,
    `/v1/posts?tag=tag-${i % 50}&sort=${sort}&${page}`,
    `/v1/posts?tag=tag-${i % 50}&published_before=${new Date(Date.UTC(2026, 0, 1) - i * 60_000).toISOString()}&limit=20`,
  ][i % 3]
}

/** Four of five are drafts; the fifth is a publication, after which no list is what it was. */
async function write({ ask }, key, i) {
  const body = { title: `Written under load ${i}`, content: 'Content that is written. '.repeat(80), tags: [`tag ${i % 50}`] }
  await ask('POST', '/v1/posts', key, i % 5 === 4 ? { ...body, status: 'published' } : body)
}

async function slugsOf({ ask }, keys, posts) {
  const pages = Array.from({ length: 10 }, (_, i) => 1 + i * Math.floor(Math.min(posts, 20_000) / 1_000))
  const lists = []
  for (const page of pages) lists.push(JSON.parse(await ask('GET', `/v1/posts?limit=100&page=${page}&exclude=content`, keys.public)))
  return lists.flatMap(({ data }) => data.map(({ slug }) => slug))
}

function clientOf(url) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections + 1 })
  const ask = async (method, path, key, body) => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
    const sent = request(url + path, { agent, method, headers })
    sent.end(body && JSON.stringify(body))
    const [response] = await once(sent, 'response')
    response.setEncoding('utf8')
    let text = ''
    for await (const chunk of response) text += chunk
    // Too many long reads are waiting.
    if (response.statusCode === 503) return undefined
    if (response.statusCode >= 300) throw new Error(`${method} ${path} was answered with ${response.statusCode}: ${text}`)
    return text
  }
  return { ask, close: () => agent.destroy() }
}
