// Keeps a page per post equal to a running Verso: the first run writes all of them, every later one those that changed.
//   VERSO_KEY=verso_pub_… node examples/follow-changes.js [folder, default: site/posts]
// VERSO_URL says where Verso answers; without it, port PORT of this machine, or 4400. In a clone the client is there; elsewhere: npm install /path/to/the/clone/packages/client
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem, Verso } from '@verso/client'

const { PORT = '4400', VERSO_URL = `http://127.0.0.1:${PORT}`, VERSO_KEY } = process.env
const folder = process.argv[2] ?? 'site/posts'
if (!VERSO_KEY) stop('Set VERSO_KEY to a public API key; the first start of Verso prints one.')

await mkdir(folder, { recursive: true })
/** Where the last run stopped, and which page each post has. */
const state = join(folder, '.followed.json')
const { cursor, pages } = JSON.parse(await readFile(state, 'utf8').catch(() => '{"pages": {}}'))
const verso = new Verso({ url: VERSO_URL, key: VERSO_KEY })
try {
  await follow()
} catch (error) {
  if (!(error instanceof Problem)) throw error
  stop(error.code === 'unreachable' ? `${error.message} Start it (npm start), or set VERSO_URL.` : `${error.status} ${error.message}`)
}

async function follow() {
  for await (const { data, nextCursor, restarted } of verso.changes({ types: ['post'], since: cursor })) {
    // The cursor was too old: everything comes again.
    if (restarted) for (const id of Object.keys(pages)) await removePage(id)
    for (const change of data) {
      if (change.action === 'delete' || pages[change.id] !== `${change.data.slug}.html`) await removePage(change.id)
      if (change.action === 'upsert') await writePage(change.data)
    }
    // Written last: an interrupted run does its page again.
    await writeFile(state, JSON.stringify({ cursor: nextCursor, pages }))
  }
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

function stop(reason) {
  console.error(reason)
  process.exit(1)
}
