import { sql } from 'kysely'
import type { TestApp } from '../../test/harness/harness.ts'
import { copyRows, numbersIn } from './many-posts.ts'

const tags = Array.from({ length: 10 }, (_, i) => `t${i + 1}`)
/** Versions of one post. */
const versions = 11
/** Of their lines, as many are in another form in each version as the shortest diff is searched for. */
const [lines, changedLines] = [500, 240]

const paragraph = 'Some *words* with a [link](/to/{n}), `code` & <b>more</b>, **again** and again.\n\n'

/** Markdown of about so many bytes. */
const markdown = (bytes: number) => `# Large\n\n${paragraph.repeat(bytes / paragraph.length)}`

export interface LargeProject {
  readonly secret: string
}

/**
 * A project with a site and large contents: a hundred posts of so many bytes with the tags `t1` to `t10`, ten of 1 MiB with the slugs `huge-1` to `huge-10`,
 * and one of 1 MiB, `versions`, with eleven versions. The service makes one of each kind, and the database copies it. Each copy has a
 * hash of its own, so that none is rendered for another.
 */
export async function largePosts(verso: TestApp, bytes: number): Promise<LargeProject> {
  const project = await verso.otherProject('large')
  const key = await project.keyWith('admin')
  await project.patch('/v1/admin/project', { siteUrl: 'https://large.example.org', permalink: '/{slug}' }, { key })
  const published = { status: 'published', publishedAt: '2026-01-01T00:00:00.000Z' }
  const { body: large } = await project.post('/v1/posts', { title: 'Large', content: markdown(bytes), tags, ...published })
  const { body: huge } = await project.post('/v1/posts', { title: 'Huge', content: markdown(2 ** 20 - 1_000), tags: ['huge'] })
  await copy(verso, large.id, { from: 1_001, to: 1_099, slug: 'large-' })
  await copy(verso, huge.id, { from: 1, to: 10, slug: 'huge-' })
  await project.post('/v1/posts', { title: 'Versions', content: version(1) })
  for (let n = 2; n <= versions; n++) await project.patch('/v1/posts/versions', { content: version(n) })
  return project
}

const version = (n: number) =>
  Array.from({ length: lines }, (_, i) => `${'x'.repeat(2_000)}${(i + n) % 2 && i < 2 * changedLines ? n : i}\n`).join('')

interface Copies {
  readonly from: number
  readonly to: number
  readonly slug: string
}

/** Copies a post once for every number. */
async function copy({ app }: TestApp, id: string, { from, to, slug }: Copies): Promise<void> {
  await app.installation.engine.alone(async (tx) => {
    const numbers = numbersIn(tx, { from, to })
    const [postId, name] = [
      sql`cast(${id.slice(0, -4)} as text) || cast(n.i + 1000 as text)`,
      sql`cast(${slug} as text) || cast(n.i as text)`,
    ]
    const changes = { id: postId, slug: name, content_hash: name }
    await copyRows(tx, { table: 'posts', column: 'id', id, numbers, changed: changes })
    await copyRows(tx, { table: 'contents', column: 'post_id', id, numbers, changed: { post_id: postId, hash: name } })
    await copyRows(tx, { table: 'post_tags', column: 'post_id', id, numbers, changed: { post_id: postId } })
  })
}
