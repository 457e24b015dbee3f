// Builds a small website from a running Verso: an index, a page per tag and a page per post.
//   VERSO_KEY=verso_pub_… node examples/build-site.js [folder, default: site]
// VERSO_URL says where Verso answers; without it, port PORT of this machine, or 4400. In a clone the client is there; elsewhere: npm install /path/to/the/clone/packages/client
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Problem, Verso } from '@verso/client'

const { PORT = '4400', VERSO_URL = `http://127.0.0.1:${PORT}`, VERSO_KEY } = process.env
const folder = process.argv[2] ?? 'site'
if (!VERSO_KEY) stop('Set VERSO_KEY to a public API key; the first start of Verso prints one.')

const verso = new Verso({ url: VERSO_URL, key: VERSO_KEY })
try {
  await build()
} catch (error) {
  if (!(error instanceof Problem)) throw error
  stop(error.code === 'unreachable' ? `${error.message} Start it (npm start), or set VERSO_URL.` : `${error.status} ${error.message}`)
}

async function build() {
  const posts = []
  for await (const post of verso.posts.all({ status: 'published', include: 'html', exclude: 'content' })) posts.push(post)
  const tags = []
  for await (const tag of verso.tags.all()) if (posts.some(({ tagSlugs }) => tagSlugs.includes(tag.slug))) tags.push(tag)
  await page('index.html', 'Posts', listOf(posts, ''))
  for (const { slug, name } of tags) {
    const tagged = posts.filter((post) => post.tagSlugs.includes(slug))
    await page(`tags/${slug}.html`, `Tagged “${name}”`, listOf(tagged, '../'))
  }
  for (const post of posts) await page(`posts/${post.slug}.html`, post.title, `<p>${aboutOf(post)}</p>\n${post.contentHtml}`)
  console.log(`${countOf(posts, 'post')} and ${countOf(tags, 'tag')} written to ${folder}/`)
}

function listOf(posts, root) {
  const items = posts.map(
    (post) =>
      `<li>${day(post)} <a href="${root}posts/${post.slug}.html">${escapeHtml(post.title)}</a> ${escapeHtml(post.excerpt ?? '')}</li>`,
  )
  return `<ul>${items.join('\n')}</ul>`
}

function aboutOf(post) {
  const by = post.author ? ` · ${escapeHtml(post.author.name)}` : ''
  const tagged = post.tags.map((name, i) => `<a href="../tags/${post.tagSlugs[i]}.html">${escapeHtml(name)}</a>`)
  return `${day(post)}${by} ${tagged.join(', ')}`
}

/** Everything but `contentHtml` is text, and becomes HTML here. */
async function page(path, title, body) {
  const home = path === 'index.html' ? '' : '<p><a href="../index.html">All posts</a></p>'
  const html = `<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>${escapeHtml(title)}</title>\n<h1>${escapeHtml(title)}</h1>\n${home}${body}</html>\n`
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), html)
}

function countOf({ length }, noun) {
  return `${length} ${noun}${length === 1 ? '' : 's'}`
}

function day({ publishedAt }) {
  return `<time>${publishedAt.slice(0, 10)}</time>`
}

function escapeHtml(text) {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`)
}

function stop(reason) {
  console.error(reason)
  process.exit(1)
}
