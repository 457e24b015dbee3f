import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { engines, startVerso, type TestApp, type TestEngine, testContext } from '../harness/harness.ts'
import { realBlogs, withoutBlogs } from '../harness/real-blogs.ts'
import { bodyOf } from './census.ts'
import { importInto, revisionsOf } from './import-fixture.ts'

const guide = readFileSync(fileURLToPath(new URL('../../docs/reference/import.md', import.meta.url)), 'utf8')
/** Two spellings of one name, with a link around it and without, that the independent count takes for two authors. */
const authorsSpelledTwice: Readonly<Record<string, number>> = { 'opentelemetry-blog': 1 }

const [sqlite] = engines as readonly [TestEngine]

if (realBlogs.length === 0) it.skip(`real blogs are imported: ${withoutBlogs}`)
it.each(realBlogs)('%s imports with the counts of an independent count, once, and byte for byte', async (blog, expected, root) => {
  const verso = await startVerso(sqlite, { context: testContext('2026-11-21T00:00:00.000Z') })
  const report = await importInto(verso, root)
  expect(report).toMatchObject({ posts: { created: expected.counts.posts, failed: 0, conflicting: 0 }, drafts: 0, scheduled: 0 })
  const totals = await totalsOf(verso)
  expect(totals).toEqual({
    posts: expected.counts.posts,
    authors: expected.authors.distinct - (authorsSpelledTwice[blog] ?? 0),
    categories: expected.categories.distinct,
    tags: expected.tags.distinct_ignoring_case,
  })
  await expectNothingMore(verso, root, expected.counts.posts ?? 0)
  await expectBytes(verso, root)
  const numbered = report.notes.filter(({ note }) => note.includes('is taken')).length
  const losses = Object.entries(report.losses).map(([name, count]) => `${count} ${name}`)
  const row = [blog, ...Object.values(totals), report.drafts, numbered, report.notes.length, losses.join(', ') || 'none']
  expect(guide.split('\n')).toContain(`| ${row.join(' | ')} |`)
})

async function totalsOf(verso: TestApp) {
  const total = async (list: string): Promise<number> => (await verso.get(`/v1/${list}?limit=1`)).body.pagination.total
  return { posts: await total('posts'), authors: await total('authors'), categories: await total('categories'), tags: await total('tags') }
}

async function expectNothingMore(verso: TestApp, root: string, posts: number): Promise<void> {
  const before = await revisionsOf(verso)
  expect(await importInto(verso, root)).toMatchObject({
    posts: { created: 0, updated: 0, unchanged: posts, conflicting: 0, failed: 0 },
    made: { authors: 0, categories: 0, tags: 0, media: 0 },
    vanished: 0,
    notes: [],
  })
  expect(await revisionsOf(verso)).toEqual(before)
}

/** Every post by its slug, against what stands in its file. */
async function expectBytes(verso: TestApp, root: string): Promise<void> {
  const rows = await verso.app.installation.db
    .selectFrom('sources')
    .innerJoin('posts', 'posts.id', 'sources.resource_id')
    .select(['sources.path', 'posts.slug'])
    .execute()
  for (const { path, slug } of rows) {
    const { status, body } = await verso.get(`/v1/posts/${slug}`)
    expect([path, status]).toEqual([path, 200])
    expect(Buffer.from(body.content).equals(bodyOf(readFileSync(join(root, path)))), path).toBe(true)
  }
}
