import { type Dialect, type Driver, Kysely, type RawBuilder, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Db, Engine } from '../../../src/database/engine.ts'
import type { Tables } from '../../../src/database/tables.ts'
import { checkInstallation } from '../../../src/maintenance/check/check-installation.ts'
import { repairLists } from '../../../src/maintenance/check/repair-lists.ts'
import { engines, startVerso, type TestApp } from '../../harness/harness.ts'
import { describeSite } from '../../harness/site.ts'

/** What `verso check` finds. */
function findings({ app }: TestApp): Promise<readonly string[]> {
  return findingsOf(app.installation.engine)
}

async function findingsOf(engine: Engine): Promise<readonly string[]> {
  const found: string[] = []
  for await (const finding of checkInstallation(engine)) found.push(finding)
  return found
}

/** The same engine, with work done after each statement that reads posts through it. */
function withWorkBetween(engine: Engine, work: () => Promise<unknown>): Engine {
  const between = (db: Db): Db => {
    const executor = db.getExecutor()
    const executeQuery: typeof executor.executeQuery = async (query) => {
      const result = await executor.executeQuery(query)
      if (/\b(?:posts|post_\w+|public_revision)\b/.test(query.sql)) await work()
      return result as never
    }
    const working = new Proxy(executor, {
      get(target, name) {
        if (name === 'executeQuery') return executeQuery
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const dialect = {} as Dialect
    const reading = new Kysely<Tables>({ config: { dialect }, dialect, driver: {} as Driver, executor: working })
    return Object.assign(reading, { engine: db.engine }) as unknown as Db
  }
  return { ...engine, db: between(engine.db), longRead: (asker, read) => engine.longRead(asker, (db) => read(between(db))) }
}

/** A log with what the public can see and what it cannot, and a second project beside it. */
async function startWithLog(engine: (typeof engines)[number]): Promise<TestApp> {
  const verso = await startVerso(engine)
  await verso.post('/v1/posts', { title: 'Draft' })
  await verso.post('/v1/posts', { title: 'One', status: 'published' })
  await verso.patch('/v1/posts/draft', { excerpt: 'unseen' })
  for (const title of ['Two', 'Three']) await verso.patch('/v1/posts/one', { title })
  await verso.patch('/v1/posts/one', { status: 'draft' })
  await verso.patch('/v1/posts/one', { title: 'Unseen' })
  const other = await verso.otherProject('other')
  await other.post('/v1/posts', { title: 'One', status: 'published' })
  return verso
}

function renumbered(from: number, to: number) {
  return sql`update changes set public_seq = ${sql.lit(to)} where public_seq = ${sql.lit(from)}`
}

for (const engine of engines) {
  describe(`verso check on ${engine.name}`, () => {
    it('finds nothing where all is well, the older part of the log forgotten or not', async () => {
      const verso = await startWithLog(engine)
      expect(await findings(verso)).toEqual([])
      await verso.app.installation.engine.write((tx) =>
        tx.deleteFrom('changes').where('project_id', '=', verso.projectId).where('seq', '<=', 4).execute(),
      )
      expect(await findings(verso)).toEqual([])
    })

    it('finds nothing where posts are created, edited and deleted between any two of the statements that read them', async () => {
      const verso = await startWithLog(engine)
      const fields = (n: number) => ({
        title: `T ${n}`,
        content: `C ${n}`,
        tags: [`t ${n}`, 'all'],
        aliases: [`/a/${n}`],
        status: 'published',
      })
      const { body: post } = await verso.post('/v1/posts', fields(0))
      const erased: string[] = []
      for (let n = 1; n <= 40; n++) erased.push((await verso.post('/v1/posts', { title: `E ${n}`, tags: ['all'] })).body.id)
      let turns = 0
      const write = async () => {
        const n = ++turns
        const { id } = (await verso.post('/v1/posts', { ...fields(n), aliases: [] })).body
        const answers = [
          await verso.patch(`/v1/posts/${post.id}`, fields(n)),
          await verso.delete(`/v1/posts/${id}`),
          await verso.delete(`/v1/posts/${erased.pop()}?permanent=true`),
        ]
        expect(answers.map(({ status }) => status)).toEqual([200, 204, 204])
      }
      expect(await findingsOf(withWorkBetween(verso.app.installation.engine, write))).toEqual([])
      expect(turns).toBeGreaterThan(10)
    })

    it.each([
      ['a number that is missing', [sql`update changes set public_seq = null where public_seq = 2`]],
      ['a number too many', [sql`update changes set public_seq = 99 where seq = 1`]],
      ['two in the wrong order', [renumbered(2, 9), renumbered(3, 2), renumbered(9, 3)]],
      ['a counter behind its log', [sql`update project_state set public_revision = public_revision - 1`]],
      ['a counter before its log', [sql`update project_state set public_revision = public_revision + 1`]],
    ])('finds %s among the public revisions of the project that has it', async (_, faults) => {
      const verso = await startWithLog(engine)
      await verso.app.installation.engine.write(async (tx) => {
        for (const fault of faults) await fault.execute(tx)
      })
      expect(await findings(verso)).toContain('the log of project default does not number right what the public can see')
    })

    it.each<readonly [string, (id: string) => RawBuilder<unknown>]>([
      ['the content of a post', (id) => sql`update contents set body = 'Hexlo' where post_id = ${id} and body = 'Hello'`],
      ['the content of a past version', (id) => sql`update contents set body = '' where post_id = ${id} and body = 'Old'`],
      ['a hash of a content', (id) => sql`update contents set hash = 'f' where post_id = ${id} and body = 'Hello'`],
      [
        'a past version',
        (id) => sql`update post_revisions set snapshot = replace(snapshot, 'One', 'Onf') where post_id = ${id} and version = 1`,
      ],
      ['who wrote a version', (id) => sql`update post_revisions set actor = 'cli' where post_id = ${id} and version = 2`],
      ['a title', (id) => sql`update posts set title = 'x' where id = ${id}`],
      ['an excerpt', (id) => sql`update posts set excerpt = 'x' where id = ${id}`],
      ['a description for search engines', (id) => sql`update posts set seo_description = 'x' where id = ${id}`],
      ['the time of creation', (id) => sql`update posts set created_at = '2020-01-01T00:00:00.000Z' where id = ${id}`],
      ['the tags', (id) => sql`update posts set tags = '["a"' where id = ${id}`],
      ['the spelling of a tag', (id) => sql`update post_tags set name = 'NEWS' where post_id = ${id}`],
      ['the slugs of its tags', (id) => sql`update posts set tag_slugs = '["x"]' where id = ${id}`],
      ['an alias', (id) => sql`update posts set aliases = '["/x"]' where id = ${id}`],
      ['a former slug', (id) => sql`update old_slugs set slug = 'onf' where post_id = ${id}`],
      ['the path of an alias', (id) => sql`update post_aliases set path = '/x' where post_id = ${id}`],
      ['the log', (id) => sql`update changes set actor = 'cli' where resource_id = ${id} and version = 2`],
    ])('finds a change of %s, and names the post', async (_, fault) => {
      const verso = await startVerso(engine)
      const { body: post } = await verso.post('/v1/posts', {
        title: 'One',
        content: 'Old',
        excerpt: 'E',
        tags: ['News'],
        aliases: ['/old'],
        status: 'published',
      })
      await verso.patch(`/v1/posts/${post.id}`, { content: 'Hello', slug: 'renamed' })
      expect(await findings(verso)).toEqual([])
      await verso.app.installation.engine.write((tx) => fault(post.id).execute(tx))
      expect((await findings(verso)).filter((finding) => finding.includes(post.id))).not.toEqual([])
    })

    it.each<readonly [string, readonly RawBuilder<unknown>[]]>([
      ['the rows of its tags', [sql`delete from post_tags`]],
      ['the tags themselves', [sql`delete from post_tags`, sql`delete from tags`]],
      ['the rows of its aliases', [sql`delete from post_aliases`]],
      [
        'an alias that is written to another post',
        [sql`update post_aliases set post_id = (select id from posts where title = 'One') where path = '/two'`],
      ],
      ['its folded title', [sql`update posts set title_folded = 'x'`]],
    ])('--repair brings back %s, and lists show what they showed', async (_, faults) => {
      const verso = await startVerso(engine)
      await describeSite(verso, { siteUrl: 'https://example.com', permalink: '/{slug}' })
      for (const title of ['One', 'Two'])
        await verso.post('/v1/posts', { title, tags: ['News', title], aliases: [`/${title.toLowerCase()}`], status: 'published' })
      const { body: trashed } = await verso.post('/v1/posts', { title: 'Gone', tags: ['News'], aliases: ['/gone'] })
      await verso.delete(`/v1/posts/${trashed.id}`)
      const paths = ['/v1/posts?tag=news', '/v1/posts?sort=title', '/v1/tags', '/v1/redirects']
      const shown = async (app: Pick<TestApp, 'get'>) => {
        const bodies: unknown[] = []
        for (const path of paths) bodies.push((await app.get(path)).body)
        return bodies
      }
      const before = await shown(verso)
      const { engine: open } = verso.app.installation
      await open.alone(async (tx) => {
        for (const fault of faults) await fault.execute(tx)
      })
      expect(await findings(verso)).not.toEqual([])
      expect(await repairLists(open, [{ id: verso.projectId }])).toBeGreaterThan(0)
      expect(await findings(verso)).toEqual([])
      await verso.post('/v1/posts', { title: 'Draft' })
      await verso.delete('/v1/posts/draft')
      expect(await shown(verso)).toEqual(before)
    })

    it('--repair leaves a post whose tags cannot be read, and mends the others', async () => {
      const verso = await startVerso(engine)
      const { body: broken } = await verso.post('/v1/posts', { title: 'One', tags: ['a'] })
      const { body: post } = await verso.post('/v1/posts', { title: 'Two', tags: ['a'] })
      const { engine: open } = verso.app.installation
      await open.alone(async (tx) => {
        await sql`update posts set tags = '["a"' where id = ${broken.id}`.execute(tx)
        await sql`delete from post_tags where post_id = ${post.id}`.execute(tx)
      })
      await repairLists(open, [{ id: verso.projectId }])
      expect((await findings(verso)).filter((finding) => finding.includes(post.id))).toEqual([])
      expect(await findings(verso)).toContain(`the tags of ${broken.id} cannot be read`)
    })

    it('finds a change of an author, a category, a tag, a picture, a key, a project, a preview token and a pending edit', async () => {
      const verso = await startVerso(engine)
      const admin = { key: await verso.keyWith('admin') }
      const { body: author } = await verso.post('/v1/admin/authors', { name: 'Ada', bio: 'First' }, admin)
      const { body: category } = await verso.post('/v1/admin/categories', { name: 'Log', description: 'First' }, admin)
      const picture = { url: 'https://a.example/b.png', filename: 'b.png', mimeType: 'image/png', size: 1, width: 1, height: 1, alt: 'A' }
      const { body: media } = await verso.post('/v1/media', picture)
      const { body: post } = await verso.post('/v1/posts', { title: 'One', tags: ['News'] })
      const { body: preview } = await verso.post(`/v1/posts/${post.id}/preview-tokens`, {})
      await verso.patch(`/v1/posts/${post.id}/pending`, { content: 'kept' })
      await verso.patch(`/v1/admin/authors/${author.id}`, { bio: 'Second' }, admin)
      await verso.patch(`/v1/admin/categories/${category.id}`, { description: 'Second' }, admin)
      await verso.patch(`/v1/media/${media.id}`, { alt: 'B' })
      expect(await findings(verso)).toEqual([])
      const faults: readonly (readonly [string, RawBuilder<unknown>])[] = [
        [author.id, sql`update authors set bio = 'x' where id = ${author.id}`],
        [category.id, sql`update categories set description = 'x' where id = ${category.id}`],
        [media.id, sql`update media set width = 2 where id = ${media.id}`],
        [`the pending edit of ${post.id}`, sql`update pending_edits set content = 'kepu' where post_id = ${post.id}`],
        [preview.id, sql`update preview_tokens set expires_at = created_at where id = ${preview.id}`],
        ['tag_', sql`update tags set slug = 'x'`],
        ['API key', sql`update api_keys set scopes = 'admin' where kind = 'public'`],
        [verso.projectId, sql`update projects set name = 'x'`],
      ]
      for (const [named, fault] of faults) {
        await verso.app.installation.engine.write((tx) => fault.execute(tx))
        expect((await findings(verso)).filter((finding) => finding.includes(named))).not.toEqual([])
      }
    })
  })
}
