import { describe, expect, it } from 'vitest'
import { engines, startVerso, type TestApp } from '../../../harness/harness.ts'

const due = '2026-06-02T00:00:00.000Z'
const later = '2026-06-03T00:00:00.000Z'

async function publish(verso: Pick<TestApp, 'post'>, more: object = {}) {
  const { body: post } = await verso.post('/v1/posts', { title: 'One', content: '# One', status: 'published', ...more })
  return { post, path: `/v1/posts/${post.id}`, pending: `/v1/posts/${post.id}/pending` }
}

/** A post with a scheduled edit. */
async function schedule(
  verso: Pick<TestApp, 'post' | 'patch'>,
  edit: object,
  { at = due, ...more }: { at?: string; title?: string; status?: string } = {},
) {
  const made = await publish(verso, more)
  await verso.patch(made.pending, edit)
  expect((await verso.post(`${made.pending}/apply`, { scheduledFor: at })).body).toMatchObject({ scheduledFor: at, version: 2 })
  return made
}

const settle = (verso: TestApp) => verso.app.jobs.find((job) => job.name === 'settle')?.runOnce()

for (const engine of engines) {
  describe(`scheduled pending edits on ${engine.name}`, () => {
    it('are applied at their very instant, before any answer; the version is of whoever scheduled it', async () => {
      const verso = await startVerso(engine)
      const asks: Record<string, (path: string, pending: string) => Promise<unknown>> = {
        'public read': async (path) => (await verso.get(path, { key: verso.public })).body.title,
        list: async () => (await verso.get('/v1/posts', { key: verso.public })).body.data[0].title,
        'no edit any more': async (path, pending) => ((await verso.get(pending)).status === 404 ? (await verso.get(path)).body.title : ''),
        'save to the new version': async (_, pending) => ((await verso.patch(pending, { excerpt: 'x' })).body.basedOn === 2 ? 'Two' : ''),
        timer: async (path) => {
          await settle(verso)
          const id = path.slice('/v1/posts/'.length) as never
          return (await verso.app.installation.db.selectFrom('posts').select('title').where('id', '=', id).executeTakeFirst())?.title
        },
      }
      for (const [name, ask] of Object.entries(asks)) {
        verso.context.travelTo('2026-06-01T12:00:00Z')
        const { path, pending } = await schedule(verso, { title: 'Two', tags: ['new'] })
        verso.context.travelTo('2026-06-01T23:59:59.999Z')
        expect((await verso.get(path, { key: verso.public })).body, name).toMatchObject({ title: 'One', tags: [] })
        verso.context.travelTo('2026-06-02T00:00:05Z')
        expect(await ask(path, pending), name).toBe('Two')
        expect((await verso.get(path)).body).toMatchObject({ title: 'Two', tags: ['new'], updatedAt: due, version: 2 })
        const [revision] = (await verso.get(`${path}/revisions`)).body.data
        expect(revision).toMatchObject({ version: 2, createdAt: due, actor: expect.stringMatching(/^key_/) })
        await verso.delete(`${path}?permanent=true`)
      }
    })

    it('PATCH …/pending {"scheduledFor": null}: 404 once the clock has applied the edit, and none is made; {} makes one', async () => {
      const verso = await startVerso(engine)
      const { path, pending } = await schedule(verso, { title: 'Two' })
      verso.context.travelTo(due)
      for (const headers of [{}, { 'if-match': '"2"' }])
        expect((await verso.patch(pending, { scheduledFor: null }, { headers })).body).toMatchObject({ status: 404, code: 'not_found' })
      expect((await verso.patch(pending, { scheduledFor: null, unknown: 1 })).status).toBe(422)
      expect((await verso.get(path)).body).toMatchObject({ title: 'Two', hasPendingEdit: false })
      expect((await verso.patch(pending, {})).status).toBe(200)
      expect((await verso.patch(pending, { scheduledFor: null })).body).toMatchObject({ scheduledFor: null, hasPendingEdit: true })
    })

    it('are settled with due posts in the order of time; a post that is due at the same instant is published first', async () => {
      const verso = await startVerso(engine)
      const { path, pending } = await publish(verso, { title: 'Both', status: 'scheduled', scheduledFor: due })
      await verso.patch(pending, { title: 'Both, edited' })
      await verso.post(`${pending}/apply`, { scheduledFor: due })
      const early = await schedule(verso, { title: 'Early, edited' }, { title: 'Early', at: '2026-06-01T18:00:00.000Z' })
      const { body: last } = await verso.post('/v1/posts', { title: 'Last', status: 'scheduled', scheduledFor: later })
      await verso.patch(`/v1/posts/${last.id}/pending`, { title: 'Last, edited' })
      await verso.post(`/v1/posts/${last.id}/pending/apply`, { scheduledFor: '2026-06-02T06:00:00.000Z' })
      const { db } = verso.app.installation
      const before = (await db.selectFrom('changes').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst())?.seq ?? 0
      verso.context.travelTo('2026-06-04T00:00:00Z')
      expect((await verso.get(path, { key: verso.public })).body).toMatchObject({ title: 'Both, edited', publishedAt: due, version: 3 })
      const rows = await db.selectFrom('changes').selectAll().where('seq', '>', before).where('kind', '=', 'post').orderBy('seq').execute()
      expect(rows.map((row) => [row.resource_id, row.news])).toEqual([
        [early.post.id, 'post.updated'],
        [path.slice('/v1/posts/'.length), 'post.published'],
        [path.slice('/v1/posts/'.length), 'post.updated'],
        [last.id, 'post.updated'],
        [last.id, 'post.published'],
      ])
      expect((await verso.get('/v1/posts?sort=title', { key: verso.public })).body.pagination.total).toBe(3)
    })

    it('an edit that cannot be applied stays with its text and the reason; the rest of its turn goes on', async () => {
      const lines: string[] = []
      const verso = await startVerso(engine, { onLog: (line) => void lines.push(line) })
      const conflict = await schedule(verso, { content: 'Mine' }, { title: 'Conflict' })
      const slug = await schedule(verso, { slug: 'taken', content: 'Kept' }, { title: 'Slug' })
      const alias = await schedule(verso, { aliases: ['/taken/'], tags: ['unmade'] }, { title: 'Alias' })
      const fine = await schedule(verso, { content: 'Fine' }, { title: 'Fine' })
      await verso.patch(conflict.path, { content: 'Theirs' })
      await publish(verso, { slug: 'taken', aliases: ['/taken/'] })
      const publicly = await verso.get(conflict.path, { key: verso.public })
      verso.context.travelTo(later)
      expect((await verso.get(fine.path, { key: verso.public })).body).toMatchObject({ content: 'Fine', updatedAt: due })
      expect((await verso.get(conflict.path, { key: verso.public })).text).toBe(publicly.text)
      const refused = { scheduledFor: null, version: 3, actor: expect.stringMatching(/^key_/) }
      const problem = (code: string) => ({ ...refused, problem: { code, at: due, detail: expect.stringMatching(/\.$/) } })
      expect((await verso.get(conflict.pending)).body).toMatchObject({
        ...problem('pending_conflict'),
        content: 'Mine',
        conflicts: ['content'],
      })
      expect((await verso.get(slug.pending)).body).toMatchObject({ ...problem('slug_conflict'), slug: 'taken', content: 'Kept' })
      expect((await verso.get(alias.pending)).body).toMatchObject({ ...problem('alias_conflict'), aliases: ['/taken/'] })
      expect((await verso.get('/v1/tags/unmade')).status).toBe(404)
      expect((await verso.get(alias.path)).body).toMatchObject({ aliases: [], version: 1, hasPendingEdit: true })
      expect(
        lines
          .filter((line) => line.includes('could not be applied'))
          .map((line) => JSON.parse(line).code)
          .sort(),
      ).toEqual(['alias_conflict', 'pending_conflict', 'slug_conflict'])
      // Saved or scheduled again, it has no problem any more.
      expect((await verso.patch(slug.pending, { slug: 'free' })).body).toMatchObject({ problem: null, version: 4 })
      expect((await verso.post(`${slug.pending}/apply`)).body).toMatchObject({ slug: 'free', content: 'Kept' })
    })

    it('POST …/pending/apply with scheduledFor: 422 for a time that has come, 409 for what would be in the way already', async () => {
      const verso = await startVerso(engine)
      const { path, pending } = await publish(verso)
      await publish(verso, { slug: 'taken', aliases: ['/taken/'] })
      await verso.patch(pending, { slug: 'taken' })
      const apply = (scheduledFor: unknown, query = '') => verso.post(`${pending}/apply${query}`, { scheduledFor })
      for (const at of ['2026-06-01T12:00:00Z', 'soon', null])
        expect((await apply(at)).body.errors, String(at)).toMatchObject([{ pointer: '/scheduledFor' }])
      expect((await apply(due)).body).toMatchObject({ status: 409, code: 'slug_conflict' })
      await verso.patch(pending, { slug: 'free', aliases: ['/taken/'] })
      expect((await apply(due)).body).toMatchObject({ status: 409, code: 'alias_conflict' })
      await verso.patch(pending, { aliases: [], title: 'Mine' })
      await verso.patch(path, { title: 'Theirs' })
      expect((await apply(due)).body).toMatchObject({ status: 409, code: 'pending_conflict' })
      await verso.patch(pending, { basedOn: 2 })
      expect((await apply(due, '?dry_run=true')).body).toMatchObject({ scheduledFor: due, title: 'Mine' })
      expect((await verso.get(pending)).body.scheduledFor).toBe(null)
      expect((await apply(due)).status).toBe(200)
      expect((await apply(later)).body).toMatchObject({ scheduledFor: later })
      const detail = 'scheduledFor must be null; to schedule the edit, send its time to POST …/pending/apply.'
      expect((await verso.patch(pending, { scheduledFor: later })).body).toMatchObject({ status: 422, errors: [{ detail }] })
      expect((await verso.patch(pending, { scheduledFor: null })).body).toMatchObject({ scheduledFor: null, title: 'Mine' })
      verso.context.travelTo('2026-06-04T00:00:00Z')
      expect((await verso.get(path)).body).toMatchObject({ title: 'Theirs', version: 2 })
    })

    it('scheduling, and every change of what is scheduled, needs posts:publish, even if the post is a draft', async () => {
      const verso = await startVerso(engine)
      const writer = { key: await verso.keyWith('posts:write') }
      const { pending } = await publish(verso, { status: 'draft' })
      await verso.patch(pending, { title: 'Two' }, writer)
      const refused = { status: 403, scope: 'posts:publish' }
      expect((await verso.post(`${pending}/apply`, { scheduledFor: due }, writer)).body).toMatchObject(refused)
      await verso.post(`${pending}/apply`, { scheduledFor: due })
      for (const ask of [
        () => verso.patch(pending, { title: 'x' }, writer),
        () => verso.patch(pending, { scheduledFor: null }, writer),
        () => verso.delete(pending, writer),
        () => verso.post(`${pending}/apply`, undefined, writer),
      ])
        expect((await ask()).body).toMatchObject(refused)
      expect((await verso.patch(pending, { title: 'Three' })).body).toMatchObject({ scheduledFor: due })
    })

    it('in the trash an edit is not due; restored after its time it is not scheduled, restored before it is', async () => {
      const verso = await startVerso(engine)
      const missed = await schedule(verso, { title: 'Missed' })
      const kept = await schedule(verso, { title: 'Kept' }, { at: later })
      await verso.delete(missed.path)
      await verso.delete(kept.path)
      verso.context.travelTo('2026-06-02T12:00:00Z')
      expect((await verso.get('/v1/posts')).body.pagination.total).toBe(0)
      for (const { path } of [missed, kept])
        expect((await verso.post(`${path}/restore`)).body).toMatchObject({ title: 'One', hasPendingEdit: true })
      expect((await verso.get(missed.pending)).body).toMatchObject({ title: 'Missed', scheduledFor: null, version: 3 })
      expect((await verso.get(kept.pending)).body).toMatchObject({ scheduledFor: later })
      verso.context.travelTo(later)
      expect((await verso.get(kept.path)).body).toMatchObject({ title: 'Kept', version: 4 })
      expect((await verso.get(missed.path)).body).toMatchObject({ title: 'One' })
    })

    it('are applied in turns, those of one instant together, however many they are', async () => {
      const verso = await startVerso(engine)
      const first = await schedule(verso, { title: 'Two' })
      const ids: string[] = []
      for (let n = 0; n < 4; n++) {
        const operations = Array.from({ length: 80 }, () => ({ op: 'create', body: { title: 'One', status: 'published' } }))
        const { results } = (await verso.post('/v1/posts/batch', { operations })).body
        ids.push(...results.map((each: { post: { id: string } }) => each.post.id))
      }
      await verso.app.installation.engine.write(async (tx) => {
        const row = await tx.selectFrom('pending_edits').selectAll().where('post_id', '=', first.post.id).executeTakeFirstOrThrow()
        for (const id of ids)
          await tx
            .insertInto('pending_edits')
            .values({ ...row, post_id: id as never })
            .execute()
      })
      const single = await schedule(verso, { title: 'Three' }, { at: later })
      verso.context.travelTo('2026-06-04T00:00:00Z')
      expect((await verso.get('/v1/posts?search=two', { key: verso.public })).body.pagination.total).toBe(ids.length + 1)
      expect((await verso.get(single.path, { key: verso.public })).body).toMatchObject({ title: 'Three', updatedAt: later })
      expect(await verso.app.installation.db.selectFrom('pending_edits').selectAll().execute()).toEqual([])
    })

    it('a preview shows the pending edit; a public key, other previews and the site do not', async () => {
      const verso = await startVerso(engine)
      const { path, pending, post } = await publish(verso)
      const other = await publish(verso)
      const preview = async (of: string) => `?preview_token=${(await verso.post(`${of}/preview-tokens`, {})).body.token}`
      const [query, others] = [await preview(path), await preview(other.path)]
      await verso.patch(pending, { title: 'Two', content: '*Two*', tags: ['new'], slug: 'two' })
      const shown = await verso.get(`${path}${query}&include=html`, { key: null })
      expect(shown.body).toMatchObject({ title: 'Two', tagSlugs: ['new'], slug: 'two', hasPendingEdit: false, version: 1 })
      expect(shown.body.contentHtml).toContain('<em>Two</em>')
      expect((await verso.get(`/v1/posts/${post.slug}${query}&fields=title`, { key: null })).body).toEqual({ id: post.id, title: 'Two' })
      expect((await verso.get(`${other.path}${others}`, { key: null })).body.title).toBe('One')
      expect((await verso.get(path, { key: verso.public })).body).toEqual(post)
      expect((await verso.get('/v1/posts/two', { key: verso.public })).status).toBe(404)
      await verso.delete(pending)
      expect((await verso.get(`${path}${query}`, { key: null })).body).toEqual(post)
    })
  })
}
