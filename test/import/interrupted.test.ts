import { expect, it } from 'vitest'
import { migratedDatabase, startOn } from '../harness/given-database.ts'
import { engines, type TestApp, type TestEngine } from '../harness/harness.ts'
import { addressText, start, verso } from '../harness/program.ts'
import { blogOf } from './blog-fixture.ts'
import { fileOf, importFile } from './exports/export-fixture.ts'
import { ghostExport, ghostPost, idOf } from './ghost/ghost-fixture.ts'
import { item, wxr } from './wordpress/wxr-fixture.ts'

const [sqlite, ...others] = engines as readonly [TestEngine, ...TestEngine[]]
/** Written in three transactions. */
const posts = 250
const numbered = <T>(make: (number: number) => T): readonly T[] => Array.from({ length: posts }, (_, i) => make(i + 1))
const text = (number: number) => `<p>What <b>ship ${number}</b> brought, and <a href="https://a.example/${number}">where</a>.</p>`

const sources: readonly (readonly [string, TestEngine, () => Promise<string>])[] = [
  ['WordPress on SQLite', sqlite, wordpressExport],
  ...others.map((engine) => [`WordPress on ${engine.name}`, engine, wordpressExport] as const),
  ['Ghost on SQLite', sqlite, () => fileOf('g.json', ghostExport({ posts: numbered(ghostRow), tags, users, ...links }))],
  ['Markdown on SQLite', sqlite, () => blogOf(Object.fromEntries(numbered((number) => [`${number}.md`, markdownPost(number)])))],
]

it.each(sources)('an import of %s that was killed twice goes on, and ends as one that was not', async (_, engine, make) => {
  const path = await make()
  const database = await migratedDatabase(engine)
  const service = await startOn(database)
  await service.otherProject('killed')
  const args = ['import', path, '--database', addressText(database), '--project', 'killed']
  for (const enough of [1, 101]) {
    const running = start(args)
    await expect.poll(() => countSources(service), { interval: 5, timeout: 60_000 }).toBeGreaterThanOrEqual(enough)
    running.signal('SIGKILL')
    expect((await running.ended).code, 'it was killed before it had ended').toBeNull()
    expect(await importedIn(service, 'killed')).not.toHaveLength(posts)
  }
  expect(await verso(args)).toMatchObject({ code: 0, stderr: '' })
  await importFile(service, path)
  const ended = await importedIn(service, 'killed')
  expect(ended).toHaveLength(posts)
  expect(ended).toEqual(await importedIn(service, 'default'))
  expect(await verso(['check', '--database', addressText(database)])).toMatchObject({ code: 0 })
})

async function countSources({ app }: TestApp): Promise<number> {
  const { db } = app.installation
  const { count } = await db
    .selectFrom('sources')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('kind', '=', 'post')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The posts that came from a source, with all that they name, in the order of their paths. */
async function importedIn({ app }: TestApp, slug: string): Promise<readonly unknown[]> {
  const { db } = app.installation
  const { id } = await db.selectFrom('projects').select('id').where('slug', '=', slug).executeTakeFirstOrThrow()
  return db
    .selectFrom('sources')
    .innerJoin('posts', (on) => on.on('posts.project_id', '=', id).onRef('posts.id', '=', 'sources.resource_id'))
    .innerJoin('contents', (on) => on.on('contents.project_id', '=', id).onRef('contents.post_id', '=', 'posts.id'))
    .leftJoin('authors', (on) => on.on('authors.project_id', '=', id).onRef('authors.id', '=', 'posts.author_id'))
    .leftJoin('categories', (on) => on.on('categories.project_id', '=', id).onRef('categories.id', '=', 'posts.category_id'))
    .select(['sources.path', 'sources.hash', 'sources.version', 'posts.slug', 'posts.title', 'posts.status', 'posts.published_at'])
    .select(['posts.tags', 'contents.body', 'authors.name as author', 'categories.name as category'])
    .where('sources.project_id', '=', id)
    .orderBy('sources.path')
    .execute()
}

function wordpressExport(): Promise<string> {
  const terms = (number: number) =>
    `<category domain="category" nicename="ships"><![CDATA[Ships ${number % 3}]]></category><category domain="post_tag" nicename="t"><![CDATA[Tag ${number % 7}]]></category>`
  // Posts of one slug get numbers.
  const written = (number: number) => item({ id: number, slug: `ship-${number % 200}`, content: text(number), more: terms(number) })
  return fileOf('e.xml', wxr(numbered(written)))
}

const tags = [{ id: 't1', name: 'Ships', slug: 'ships' }]
const users = [{ id: 'u1', name: 'Ada', slug: 'ada' }]
const links = {
  posts_tags: numbered((number) => ({ post_id: idOf(number), tag_id: 't1', sort_order: 0 })),
  posts_authors: numbered((number) => ({ post_id: idOf(number), author_id: 'u1', sort_order: 0 })),
}

function ghostRow(number: number) {
  return ghostPost({ id: idOf(number), slug: `ship-${number}`, html: text(number), author_id: 'u1' })
}

function markdownPost(number: number): string {
  return `---\ntitle: Ship ${number}\ndate: 2020-01-02T03:04:05Z\ntags: [Tag ${number % 7}]\ncategory: Ships ${number % 3}\nauthor: Ada\n---\n${text(number)}\n`
}
