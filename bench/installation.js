// Makes installations of any size, fast, by the program's own rules and stores.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operator } from '../dist/actions/caller.js'
import { openInstallation } from '../dist/app/installation.js'
import { makeFirstProject } from '../dist/cli/commands/serve-command.js'
import { realContext } from '../dist/context.js'
import { insertPosts } from '../dist/import/post-bulk-store.js'
import { createAuthor } from '../dist/resources/authors/author-actions.js'
import { createCategory } from '../dist/resources/categories/category-actions.js'
import { createPost } from '../dist/resources/posts/post.js'
import { tagsNamed } from '../dist/resources/posts/post-tag-store.js'
import { logPostChanges } from '../dist/resources/posts/post-write.js'
import { listProjects } from '../dist/resources/projects/project-store.js'
import { newId } from '../dist/values/ids.js'
import { unobserved } from '../dist/values/observations.js'
import { slugBase } from '../dist/values/slug.js'

const migrations = new URL('../dist/database/migrations/', import.meta.url)
/** What was made with another schema is made anew, lest a benchmark change what another branch measures. */
const schema = createHash('sha256')
for (const name of readdirSync(migrations).sort()) if (name.endsWith('.js')) schema.update(readFileSync(new URL(name, migrations)))
const folder = join(tmpdir(), 'verso-bench', schema.digest('hex').slice(0, 12))
/** Of each content: 2 KB of Markdown. */
const contentLength = 2_072
/** As many words there are, few of them often and many seldom, as in a language. */
const vocabulary = 5_000
const syllables = ['ba', 'ko', 'ri', 'ne', 'tu', 'la', 'mi', 'so', 've', 'da', 'fo', 'gu', 'hi', 'je', 'ku', 'lo', 'ma', 'pe', 'ro', 'si']
const day = 86_400_000

/** An installation with so many posts, a tenth of them drafts, of 20 authors and in 10 categories; made once and kept for later runs. */
export async function installation(posts) {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `posts-${posts}.db`)
  const keysPath = `${path}.keys`
  if (!existsSync(keysPath)) {
    // What was broken off is begun anew.
    for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true })
    const installation = await openInstallation({ database: { kind: 'sqlite', path }, context: realContext, observations: unobserved })
    const keys = await makeFirstProject(installation)
    const [project] = await listProjects(installation.db)
    const names = await nameAll(installation, project.id)
    for (let from = 0; from < posts; from += 500)
      await fill(installation, { projectId: project.id, names, from, to: Math.min(posts, from + 500) })
    await installation.close()
    writeFileSync(keysPath, JSON.stringify(keys))
  }
  return { database: `sqlite:${path}`, path, keys: JSON.parse(readFileSync(keysPath, 'utf8')) }
}

/** The authors, categories and tags that posts will name. */
async function nameAll({ engine, context }, projectId) {
  const caller = operator(projectId, 'cli', await engine.now())
  const make = (action, value) => engine.write((tx) => action.run(tx, caller, { body: { ok: true, value } }, context.random))
  const tagNames = [...Array.from({ length: 50 }, (_, i) => `tag ${i}`), ...Array.from({ length: 7 }, (_, i) => `kind ${i}`)]
  const tags = await engine.write((tx) => tagsNamed(tx, projectId, tagNames, caller.now))
  const names = { authors: [], categories: [], tags: new Map(tags.map((tag) => [tag.name, tag])) }
  for (let i = 0; i < 20; i++) names.authors.push(await make(createAuthor, { name: `Author ${i}` }))
  for (let i = 0; i < 10; i++) names.categories.push(await make(createCategory, { name: `Category ${i}` }))
  return names
}

/** Many posts by a handful of statements, as an import writes them: what is stored is what as many requests would have stored. */
async function fill({ engine, context }, { projectId, names, from, to }) {
  const now = await engine.now()
  const caller = operator(projectId, 'cli', now)
  const written = Array.from({ length: to - from }, (_, n) => {
    const edits = editsOf(from + n, names, now)
    return { before: undefined, change: createPost(newId('post', now, context.random), edits, now) }
  })
  const posts = written.map(({ change }) => change.post)
  await engine.write(async (tx) => {
    await insertPosts(tx, projectId, posts)
    await logPostChanges(tx, caller, written)
  })
}

function editsOf(i, names, now) {
  const title = `Post number ${i}: what became of subject ${i % 997}`
  const publishedAt = new Date(Date.parse(now) - (i + 1) * 60_000 - day).toISOString()
  return {
    title,
    slug: slugBase(title),
    content: contentOf(i),
    tags: [`tag ${scattered(i, 1, 50)}`, `kind ${scattered(i, 2, 7)}`].map((name) => names.tags.get(name)),
    authorId: names.authors[scattered(i, 3, 20)].id,
    categoryId: names.categories[scattered(i, 4, 10)].id,
    ...(scattered(i, 5, 10) === 0 ? {} : { status: 'published', publishedAt }),
  }
}

/** Made-up words in paragraphs; a tenth of all has the word `tenth`, and a thousandth `thousandth`. */
function contentOf(i) {
  let content = `${i % 10 === 0 ? 'Tenth. ' : ''}${i % 1_000 === 0 ? 'Thousandth. ' : ''}`
  for (let n = 0; content.length < contentLength; n++)
    content += `${wordOf(scattered(i, 100 + n, 2 ** 20) / 2 ** 20)}${n % 12 === 11 ? '.\n\n' : ' '}`
  return content.slice(0, contentLength)
}

/** The word at a place between 0 and 1 in the text of all words, which begins with the frequent ones. */
function wordOf(place) {
  const number = Math.floor(vocabulary * place ** 2.2)
  return [number, Math.floor(number / 20), Math.floor(number / 400)].map((rest) => syllables[rest % 20]).join('')
}

/** A number below `below` that is the same for a post each time, and tells nothing of the same with another `salt`. */
function scattered(i, salt, below) {
  let mixed = Math.imul(i + 1, 0x9e3779b1) ^ Math.imul(salt, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  return ((mixed ^ (mixed >>> 13)) >>> 0) % below
}
