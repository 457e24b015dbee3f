import { describe, expect, it } from 'vitest'
import { engines, startVerso, type TestApp } from '../../harness/harness.ts'

const due = '2026-06-02T00:00:00.000Z'
const soon = '2026-06-01T12:00:01.000Z'

async function schedule(verso: Pick<TestApp, 'post'>, title: string, scheduledFor = due): Promise<{ id: string; slug: string }> {
  return (await verso.post('/v1/posts', { title, status: 'scheduled', scheduledFor, tags: ['news'] })).body
}

const publishDue = (verso: TestApp) => verso.app.jobs.find((job) => job.name === 'settle')?.runOnce()

for (const engine of engines) {
  describe(`due posts on ${engine.name}`, () => {
    it('are published from their very instant on, and not a millisecond before', async () => {
      const verso = await startVerso(engine)
      const { id } = await schedule(verso, 'One')
      verso.context.travelTo('2026-06-01T23:59:59.999Z')
      expect((await verso.get(`/v1/posts/${id}`)).body).toMatchObject({ status: 'scheduled', version: 1 })
      verso.context.travelTo(due)
      const published = { status: 'published', publishedAt: due, scheduledFor: null, updatedAt: due, version: 2 }
      expect((await verso.get(`/v1/posts/${id}`)).body).toMatchObject(published)
      verso.context.travelTo('2026-07-01T00:00:00Z')
      expect((await verso.get(`/v1/posts/${id}`)).body).toMatchObject(published)
    })

    it('are settled before every answer, whichever comes first', async () => {
      const asks: Record<string, (verso: TestApp, id: string) => Promise<unknown>> = {
        list: async (verso) => (await verso.get('/v1/posts', { key: verso.public })).body.pagination.total,
        count: async (verso) => (await verso.get('/v1/posts?status=scheduled')).body.pagination.total === 0 && 1,
        single: async (verso, id) => (await verso.get(`/v1/posts/${id}`, { key: verso.public })).body.version - 1,
        slug: async (verso) => (await verso.get('/v1/posts/one', { key: verso.public })).body.version - 1,
        head: async (verso, id) => Number((await verso.request('HEAD', `/v1/posts/${id}`, { key: verso.public })).status === 200),
        tags: async (verso) => (await verso.get('/v1/tags', { key: verso.public })).body.pagination.total,
        patch: async (verso, id) => (await verso.patch(`/v1/posts/${id}`, { excerpt: 'x' })).body.version - 2,
        'no patch': async (verso, id) => Number((await verso.patch(`/v1/posts/${id}`, { status: 'published' })).body.publishedAt === due),
        stale: async (verso, id) => Number((await verso.patch(`/v1/posts/${id}`, {}, { headers: { 'if-match': '"1"' } })).status === 412),
        delete: async (verso, id) => {
          await verso.delete(`/v1/posts/${id}`)
          return Number((await verso.get('/v1/posts?trashed=true')).body.data[0].status === 'published')
        },
        reschedule: async (verso, id) => {
          const { status, body } = await verso.patch(`/v1/posts/${id}`, { scheduledFor: '2027-01-01T00:00:00Z' })
          return Number(status === 422 && body.errors[0].code === 'not_allowed')
        },
        timer: async (verso) => {
          await publishDue(verso)
          const row = await verso.app.installation.db.selectFrom('posts').select('status').executeTakeFirst()
          return Number(row?.status === 'published')
        },
      }
      const verso = await startVerso(engine)
      for (const [name, ask] of Object.entries(asks)) {
        verso.context.travelTo('2026-06-01T12:00:00Z')
        const { id } = await schedule(verso, 'One')
        verso.context.travelTo('2026-06-02T00:00:05Z')
        expect(await ask(verso, id), name).toBe(1)
        await verso.delete(`/v1/posts/${id}?permanent=true`)
      }
    })

    it('a tag from before is not known any more: 200, not 304, for lists and singles', async () => {
      const verso = await startVerso(engine)
      const { id } = await schedule(verso, 'One')
      const paths = [
        ['/v1/posts', verso.public],
        ['/v1/posts', verso.secret],
        [`/v1/posts/${id}`, verso.secret],
        ['/v1/tags', verso.public],
      ] as const
      const before = await Promise.all(paths.map(([path, key]) => verso.get(path, { key })))
      verso.context.travelTo(due)
      for (const [i, [path, key]] of paths.entries()) {
        const headers = { 'if-none-match': before[i]?.headers.get('etag') ?? '' }
        const answer = await verso.get(path, { key, headers })
        expect(answer.status, path).toBe(200)
        expect((await verso.get(path, { key, headers: { 'if-none-match': answer.headers.get('etag') ?? '' } })).status).toBe(304)
      }
    })

    it('are logged once each, in the order of their times and ids, as done by the schedule', async () => {
      const verso = await startVerso(engine)
      const late = await schedule(verso, 'Late', '2026-06-03T00:00:00Z')
      const [b, a] = [await schedule(verso, 'B'), await schedule(verso, 'A')]
      const early = await schedule(verso, 'Early', soon)
      verso.context.travelTo('2026-06-04T00:00:00Z')
      await Promise.all(
        Array.from({ length: 20 }, (_, i) => (i % 4 === 0 ? publishDue(verso) : verso.get('/v1/posts', { key: verso.public }))),
      )
      const rows = await verso.app.installation.db.selectFrom('changes').selectAll().where('seq', '>', 4).orderBy('seq').execute()
      const order = [early.id, ...[a.id, b.id].sort(), late.id]
      expect(rows.map(({ resource_id, seq }) => [Number(seq), resource_id])).toEqual(order.map((id, i) => [i + 5, id]))
      for (const row of rows) {
        expect(row).toMatchObject({ news: 'post.published', actor: 'schedule', public_before: 0, public_after: 1, version: 2 })
      }
      const revisions = await verso.app.installation.db.selectFrom('post_revisions').selectAll().where('version', '=', 2).execute()
      expect(revisions.map(({ post_id }) => post_id).sort()).toEqual([...order].sort())
      expect(JSON.parse(revisions[0]?.snapshot ?? '')).toMatchObject({ status: 'published' })
    })

    it.skipIf(engine !== engines[0])('more of them than one batch, at one instant', async () => {
      const verso = await startVerso(engine)
      await Promise.all(Array.from({ length: 210 }, (_, i) => schedule(verso, `Post ${i}`)))
      verso.context.travelTo(due)
      expect((await verso.get('/v1/posts?limit=1', { key: verso.public })).body.pagination.total).toBe(210)
      const rows = await verso.app.installation.db.selectFrom('changes').select('seq').execute()
      expect(rows).toHaveLength(420)
    })

    it('of another project stay as they are until somebody asks there; the timer asks everywhere', async () => {
      const verso = await startVerso(engine)
      const [quiet, busy] = [await verso.otherProject('quiet'), await verso.otherProject('busy')]
      for (const project of [quiet, busy]) await schedule(project, 'One')
      verso.context.travelTo(due)
      await busy.get('/v1/posts')
      const statuses = async () => {
        const rows = await verso.app.installation.db.selectFrom('posts').select(['project_id', 'status']).orderBy('project_id').execute()
        return rows.map(({ status }) => status).sort()
      }
      expect(await statuses()).toEqual(['published', 'scheduled'])
      await publishDue(verso)
      await publishDue(verso)
      expect(await statuses()).toEqual(['published', 'published'])
      expect((await verso.app.installation.db.selectFrom('changes').select('seq').execute()).length).toBe(4)
    })

    it('in the trash do not go out', async () => {
      const verso = await startVerso(engine)
      const { id } = await schedule(verso, 'One')
      await verso.delete(`/v1/posts/${id}`)
      verso.context.travelTo(due)
      await publishDue(verso)
      expect((await verso.get('/v1/posts', { key: verso.public })).body.pagination.total).toBe(0)
      expect((await verso.get('/v1/posts?trashed=true')).body.data).toMatchObject([{ status: 'scheduled', version: 2 }])
    })

    it('a post that is rescheduled or taken back in time does not go out', async () => {
      const verso = await startVerso(engine)
      const [later, draft] = [await schedule(verso, 'Later'), await schedule(verso, 'Draft')]
      await verso.patch(`/v1/posts/${later.id}`, { scheduledFor: '2026-06-03T00:00:00Z' })
      await verso.patch(`/v1/posts/${draft.id}`, { status: 'draft' })
      verso.context.travelTo(due)
      expect((await verso.get('/v1/posts', { key: verso.public })).body.pagination.total).toBe(0)
      verso.context.travelTo('2026-06-03T00:00:00Z')
      expect((await verso.get('/v1/posts', { key: verso.public })).body.data).toMatchObject([
        { id: later.id, publishedAt: '2026-06-03T00:00:00.000Z' },
      ])
    })

    it('a refused key settles nothing', async () => {
      const verso = await startVerso(engine)
      await schedule(verso, 'One')
      verso.context.travelTo(due)
      await verso.get('/v1/posts', { key: null })
      await verso.get('/v1/posts', { key: `${verso.secret.slice(0, -1)}!` })
      expect((await verso.app.installation.db.selectFrom('posts').select('status').executeTakeFirst())?.status).toBe('scheduled')
    })
  })
}
