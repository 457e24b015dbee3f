// Keeps a page per post equal to a running Verso: the first run writes all of them, every later one those that changed. Plain Node.
//   VERSO_URL=http://127.0.0.1:4400 VERSO_KEY=verso_pub_… node examples/follow-changes.js [folder, default: site/posts]
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const { VERSO_URL = 'http://127.0.0.1:4400', VERSO_KEY } = process.env
const folder = process.argv[2] ?? 'site/posts'
if (!VERSO_KEY) throw new Error('Set VERSO_KEY to a public API key; the first start of Verso prints one.')

await mkdir(folder, { recursive: true })
/** Where the last run stopped, and which page each post has. */
const kept = join(folder, '.followed.json')
let { cursor, pages } = JSON.parse(await readFile(kept, 'utf8').catch(() => '{"pages": {}}'))

for (let hasMore = true; hasMore; ) {
  const answer = await read(cursor)
  if (answer === 'expired') {
    for (const id of Object.keys(pages)) await forget(id)
    cursor = undefined
    continue
  }
  for (const { action, type, id, data } of answer.data) {
    if (type !== 'post') continue
    if (action === 'delete' || pages[id] !== `${data.slug}.html`) await forget(id)
    if (action === 'upsert') await remember(data)
  }
  cursor = answer.nextCursor
  hasMore = answer.hasMore
  // Last of all: a run that is broken off does its page again.
  await writeFile(kept, JSON.stringify({ cursor, pages }))
}

async function read(since) {
  const query = new URLSearchParams({ limit: 100, ...(since && { since }) })
  const response = await fetch(`${VERSO_URL}/v1/changes?${query}`, { headers: { authorization: `Bearer ${VERSO_KEY}` } })
  if (response.status === 410) return 'expired'
  if (!response.ok) throw new Error(`${response.status} ${(await response.json()).detail}`)
  return response.json()
}

async function remember({ id, slug, title, content }) {
  pages[id] = `${slug}.html`
  await writeFile(join(folder, pages[id]), `<!doctype html>\n<h1>${escapeHtml(title)}</h1>\n<pre>${escapeHtml(content)}</pre>\n`)
  console.log(`written  ${pages[id]}`)
}

/** Takes the page of a post away, unless another post has its address by now. */
async function forget(id) {
  const page = pages[id]
  delete pages[id]
  if (page === undefined || Object.values(pages).includes(page)) return
  await rm(join(folder, page), { force: true })
  console.log(`deleted  ${page}`)
}

function escapeHtml(text) {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`)
}
