import { describe, expect, it } from 'vitest'
import { operator } from '../../src/actions/caller.ts'
import { createPost } from '../../src/resources/posts/post-actions.ts'
import { toInstant } from '../../src/values/instant.ts'
import { engines, type Requests, startVerso, type TestApp, type TestEngine } from '../harness/harness.ts'
import { jobOf } from '../resources/webhooks/receiver.ts'

for (const engine of engines)
  describe(`posts that fall due on ${engine.name}`, () => {
    it('50 requests at once: each sees what is due, and each post is published by one statement', async () => {
      const verso = await startVerso(engine)
      for (const [slug, time] of [
        ['a', '12:01'],
        ['b', '12:02'],
        ['c', '12:03'],
      ])
        await verso.post('/v1/posts', { title: slug, status: 'scheduled', scheduledFor: `2026-06-01T${time}:00Z` })
      verso.context.travelTo('2026-06-01T12:02:00Z')
      verso.statements.length = 0
      const lists = await Promise.all(Array.from({ length: 50 }, () => verso.get('/v1/posts?fields=slug,status&sort=slug')))
      expect(new Set(lists.map(({ body }) => body.data.map((post: { status: string }) => post.status).join()))).toEqual(
        new Set(['published,published,scheduled']),
      )
      expect(verso.statements.filter((statement) => statement.startsWith('update "posts"'))).toHaveLength(2)
      expect(verso.statements.filter((statement) => statement.startsWith('update "project_state"'))).toHaveLength(1)
    })

    it('an installation that has moved away, asked again and again, says once that it cannot publish, and once that it can again', async () => {
      const lines: string[] = []
      const verso = await startVerso(engine, { onLog: (line) => void lines.push(line) })
      await verso.post('/v1/posts', { title: 'Due', status: 'scheduled', scheduledFor: '2026-06-01T12:01:00Z' })
      verso.context.travelTo('2026-06-01T12:01:00Z')
      const become = (state: 'open' | 'moved') =>
        verso.app.installation.engine.alone((tx) => tx.updateTable('installation').set({ state }).execute())
      const logged = () => lines.map((line) => JSON.parse(line).msg).filter((text) => text.startsWith('due posts'))
      await become('moved')
      for (let turn = 0; turn < 3; turn++) await jobOf(verso, 'settle')
      expect(logged()).toEqual(['due posts could not be published; reads continue without them'])
      await become('open')
      for (let turn = 0; turn < 3; turn++) await jobOf(verso, 'settle')
      expect(logged().slice(1)).toEqual(['due posts are published again'])
    })

    it('GET /readyz: says that scheduling fails until every project can publish, whatever the others publish', async () => {
      const verso = await startVerso(engine)
      const other = await verso.otherProject('other')
      const { db, engine: opened } = verso.app.installation
      const schedule = (requests: Requests, day: string) =>
        requests.post('/v1/posts', { title: day, status: 'scheduled', scheduledFor: `${day}T00:00:00Z` })
      const { body: stuck } = await schedule(verso, '2026-06-02')
      // The revision that publishing is going to keep is there already.
      const first = db.selectFrom('post_revisions').selectAll().where('post_id', '=', stuck.id)
      const inTheWay = { ...(await first.executeTakeFirstOrThrow()), version: 2 }
      await opened.alone((tx) => tx.insertInto('post_revisions').values(inTheWay).execute())
      for (const day of ['2026-06-02', '2026-06-03']) {
        await schedule(other, day)
        verso.context.travelTo(`${day}T00:00:00Z`)
        expect((await verso.get(`/v1/posts/${stuck.id}`)).body.status).toBe('scheduled')
        expect((await other.get(`/v1/posts/${day}`)).body.status).toBe('published')
        expect((await verso.get('/readyz')).body.checks.scheduling).toBe('failing')
      }
      await opened.alone((tx) => tx.deleteFrom('post_revisions').where('post_id', '=', stuck.id).where('version', '=', 2).execute())
      expect((await verso.get(`/v1/posts/${stuck.id}`)).body.status).toBe('published')
      expect((await verso.get('/readyz')).body.checks.scheduling).toBe('ok')
    })
  })

for (const engine of engines)
  describe(`many posts that fall due at once on ${engine.name}`, () => {
    it('at one instant: nobody sees only some of them, and others are answered meanwhile', async () => {
      const { verso, other, isOver, first } = await withDuePosts(engine, 400, () => due)
      const seen = new Set<number>()
      let answered = 0
      while (!isOver()) {
        seen.add((await publishedPosts(verso)).length)
        expect((await other.get('/v1/posts')).status).toBe(200)
        answered += 1
      }
      expect(await first).toBe(400)
      expect([...seen].filter((posts) => posts !== 0 && posts !== 400)).toEqual([])
      expect(answered).toBeGreaterThan(4)
    })

    it('at many instants: in several transactions, which others can write between, and each instant whole', async () => {
      const { verso, other, isOver, first } = await withDuePosts(engine, 700, (n) => instantOf(Math.floor(n / 7)))
      const seen = new Set<number>()
      let written = 0
      while (!isOver()) {
        const posts = await publishedPosts(verso)
        seen.add(posts.length)
        for (const at of new Set(posts)) expect(posts.filter((each) => each === at)).toHaveLength(7)
        expect((await other.post('/v1/posts', { title: 'Meanwhile' })).status).toBe(201)
        written += 1
      }
      expect(await first).toBe(700)
      expect(Math.max(...[...seen].filter((posts) => posts < 700))).toBeGreaterThan(0)
      expect(written).toBeGreaterThan(1)
      const log = await verso.app.installation.db
        .selectFrom('changes')
        .select('resource_id')
        .where('news', '=', 'post.published')
        .orderBy('seq')
        .execute()
      const ids = (
        await verso.app.installation.db
          .selectFrom('posts')
          .select('id')
          .where('project_id', '=', verso.projectId)
          .orderBy('published_at')
          .orderBy('id')
          .execute()
      ).map(({ id }) => id)
      expect(log.map(({ resource_id }) => resource_id)).toEqual(ids)
    })
  })

const due = '2026-06-02T00:00:00.000Z'
const instantOf = (second: number) => new Date(Date.parse(due) + 1_000 * second).toISOString()

/** A project with posts that have just fallen due, the first request that needs them published, and another project. */
async function withDuePosts(engine: TestEngine, count: number, scheduledFor: (n: number) => string) {
  const verso = await startVerso(engine)
  const other = await verso.otherProject('other')
  const { installation } = verso.app
  const caller = operator(verso.projectId, 'cli', toInstant(verso.context.now()))
  await installation.engine.write(async (tx) => {
    for (let n = 0; n < count; n++) {
      const body = {
        ok: true as const,
        value: { title: `Post ${n}`, status: 'scheduled' as const, scheduledFor: scheduledFor(n), tags: ['news'] },
      }
      await createPost.run(tx, caller, { body }, verso.context.random)
    }
  }, verso.projectId)
  verso.context.travelTo('2026-06-03T00:00:00.000Z')
  let over = false
  const first = verso.get('/v1/posts', { key: verso.public }).then(({ body }) => body.pagination.total)
  first.finally(() => {
    over = true
  })
  return { verso, other, first, isOver: () => over }
}

/** When the published posts of the project were published, as another connection finds them. */
async function publishedPosts({ app, projectId }: TestApp): Promise<readonly string[]> {
  const found = app.installation.db.selectFrom('posts').select('published_at').where('project_id', '=', projectId)
  return (await found.where('status', '=', 'published').execute()).map((row) => row.published_at)
}
