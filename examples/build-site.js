// Builds a small website from a running Verso: an index, a page per tag and a page per post. Plain Node, nothing to install.
//   VERSO_KEY=verso_pub_… node examples/build-site.js [folder, default: site]
// VERSO_URL says where Verso answers; without it, port PORT of this machine, or 4400.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const { PORT = '4400', VERSO_URL = `http://127.0.0.1:${PORT}`, VERSO_KEY } = process.env
const folder = process.argv[2] ?? 'site'
if (!VERSO_KEY) stop('Set VERSO_KEY to a public API key; the first start of Verso prints one.')

const posts = await readAll('/v1/posts?exclude=content')
const tags = await readAll('/v1/tags')
await page('index.html', 'Posts', listOf(posts, ''))
for (const tag of tags)
  await page(`tags/${tag.slug}.html`, `Tagged “${tag.name}”`, listOf(await readAll(`/v1/posts?exclude=content&tag=${tag.slug}`), '../'))
for (const { slug } of posts) {
  const post = await read(`/v1/posts/${slug}`)
  const by = post.author ? ` · ${escapeHtml(post.author.name)}` : ''
  const named = post.tags.map((name) => name.toLowerCase())
  const tagged = tags
    .filter((tag) => named.includes(tag.name.toLowerCase()))
    .map((tag) => `<a href="../tags/${tag.slug}.html">${escapeHtml(tag.name)}</a>`)
  await page(`posts/${slug}.html`, post.title, `<p>${day(post)}${by} ${tagged.join(', ')}</p>\n${toHtml(post.content)}`)
}
console.log(`${posts.length} posts and ${tags.length} tags written to ${folder}/`)

async function read(path) {
  const response = await fetch(VERSO_URL + path, { headers: { authorization: `Bearer ${VERSO_KEY}` } }).catch(() =>
    stop(`Verso does not answer at ${VERSO_URL}. Start it (npm start), or set VERSO_URL.`),
  )
  if (!response.ok) stop(`${path}: ${response.status} ${(await response.json()).detail}`)
  return response.json()
}

function stop(reason) {
  console.error(reason)
  process.exit(1)
}

/** A whole list, page by page; a cursor neither skips nor repeats, even while posts are being published. */
async function readAll(path) {
  const items = []
  for (let cursor = ''; cursor !== null; ) {
    const { data, pagination } = await read(`${path}${path.includes('?') ? '&' : '?'}limit=100&total=false${cursor && `&cursor=${cursor}`}`)
    items.push(...data)
    cursor = pagination.nextCursor
  }
  return items
}

function listOf(posts, root) {
  return `<ul>${posts.map((post) => `<li>${day(post)} <a href="${root}posts/${post.slug}.html">${escapeHtml(post.title)}</a> ${escapeHtml(post.excerpt ?? '')}</li>`).join('\n')}</ul>`
}

async function page(path, title, body) {
  const home = path === 'index.html' ? '' : '<p><a href="../index.html">All posts</a></p>'
  const html = `<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>${escapeHtml(title)}</title>\n<h1>${escapeHtml(title)}</h1>\n${home}${body}</html>\n`
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), html)
}

/** Headings and paragraphs; a real site has a Markdown library do this. */
function toHtml(markdown) {
  const blocks = markdown
    .split(/\r?\n\s*\r?\n/)
    .map((block) => block.trim())
    .filter(Boolean)
  return blocks
    .map((block) => (/^#{1,6} /.test(block) ? `<h2>${escapeHtml(block.replace(/^#+ /, ''))}</h2>` : `<p>${escapeHtml(block)}</p>`))
    .join('\n')
}

function day({ publishedAt }) {
  return `<time>${publishedAt.slice(0, 10)}</time>`
}

function escapeHtml(text) {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`)
}
