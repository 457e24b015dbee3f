// Keeps a page per post equal to a running Verso: the first run writes all of them, every later one those that changed. Plain Node.
//   VERSO_KEY=verso_pub_… node examples/follow-changes.js [folder, default: site/posts]
// VERSO_URL says where Verso answers; without it, port PORT of this machine, or 4400.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const { PORT = '4400', VERSO_URL = `http://127.0.0.1:${PORT}`, VERSO_KEY } = process.env
const folder = process.argv[2] ?? 'site/posts'
if (!VERSO_KEY) stop('Set VERSO_KEY to a public API key; the first start of Verso prints one.')

await mkdir(folder, { recursive: true })
/** Where the last run stopped, and which page each post has. */
const state = join(folder, '.followed.json')
let { cursor, pages } = JSON.parse(await readFile(state, 'utf8').catch(() => '{"pages": {}}'))

for (let hasMore = true; hasMore; ) {
  const answer = await read(cursor)
  if (answer === 'expired') {
    for (const id of Object.keys(pages)) await removePage(id)
    cursor = undefined
    continue
  }
  for (const { action, type, id, data } of answer.data) {
    if (type !== 'post') continue
    if (action === 'delete' || pages[id] !== `${data.slug}.html`) await removePage(id)
    if (action === 'upsert') await writePage(data)
  }
  cursor = answer.nextCursor
  hasMore = answer.hasMore
  // Written last: an interrupted run does its page again.
  await writeFile(state, JSON.stringify({ cursor, pages }))
}

async function read(since) {
  const query = new URLSearchParams({ limit: 100, ...(since && { since }) })
  const response = await fetch(`${VERSO_URL}/v1/changes?${query}`, { headers: { authorization: `Bearer ${VERSO_KEY}` } }).catch(() =>
    stop(`Verso does not answer at ${VERSO_URL}. Start it (npm start), or set VERSO_URL.`),
  )
  if (response.status === 410) return 'expired'
  if (!response.ok) stop(`${response.status} ${(await response.json()).detail}`)
  return response.json()
}

function stop(reason) {
  console.error(reason)
  process.exit(1)
}

async function writePage({ id, slug, title, content }) {
  pages[id] = `${slug}.html`
  await writeFile(join(folder, pages[id]), `<!doctype html>\n<h1>${escapeHtml(title)}</h1>\n<pre>${escapeHtml(content)}</pre>\n`)
  console.log(`written  ${pages[id]}`)
}

/** Removes the page of a post, unless another post has its address by now. */
async function removePage(id) {
  const page = pages[id]
  delete pages[id]
  if (page === undefined || Object.values(pages).includes(page)) return
  await rm(join(folder, page), { force: true })
  console.log(`deleted  ${page}`)
}

function escapeHtml(text) {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`)
}
