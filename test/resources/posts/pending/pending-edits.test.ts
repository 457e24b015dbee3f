import { describe, expect, it } from 'vitest'
import { engines, shared, startVerso, type TestApp } from '../../../harness/harness.ts'

const future = '2030-01-01T00:00:00.000Z'

/** A post, by default a published one, and the path of its pending edit. */
async function publish(verso: Pick<TestApp, 'post'>, more: object = {}) {
  const { body: post } = await verso.post('/v1/posts', { title: 'One', content: '# One', status: 'published', tags: ['a'], ...more })
  return { post, path: `/v1/posts/${post.id}`, pending: `/v1/posts/${post.id}/pending` }
}

const ifMatch = (version: number) => ({ headers: { 'if-match': `"${version}"` } })

for (const engine of engines) {
  describe(`pending edits on ${engine.name}`, () => {
    const service = shared(() => startVerso(engine))

    it('GET /v1/posts/{id}/pending?include=html,toc: 200 with the post as it would be, rendered; 400 for another parameter', async () => {
      const verso = await service()
      const { pending } = await publish(verso)
      await verso.patch(pending, { content: '## Next' })
      const { body, headers } = await verso.get(`${pending}?include=html,toc`)
      expect(body).toMatchObject({
        content: '## Next',
        contentHtml: expect.stringContaining('>Next</h2>'),
        toc: [{ id: 'user-content-next', text: 'Next', level: 2 }],
      })
      const again = await verso.get(`${pending}?include=html,toc`, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
      expect(again.status).toBe(304)
      expect((await verso.get(`${pending}?fields=title`)).body.code).toBe('unknown_parameter')
    })

    it('PATCH /v1/posts/{id}/pending: 200 with the post as it would be; the post stays as it is', async () => {
      const verso = await service()
      const { post, path, pending } = await publish(verso)
      const saved = await verso.patch(pending, { title: ' Two ', tags: ['b', 'New tag'], seo: { title: 'T' } })
      expect(saved.status).toBe(200)
      expect(saved.body).toEqual({
        ...post,
        title: 'Two',
        tags: ['b', 'New tag'],
        tagSlugs: ['b', 'new-tag'],
        seo: { ...post.seo, title: 'T' },
        hasPendingEdit: true,
        version: 1,
        basedOn: 1,
        actor: expect.stringMatching(/^key_/),
        actorName: 'secret key',
        changed: ['title', 'tags', 'seo.title'],
        conflicts: [],
        problem: null,
      })
      const read = await verso.get(pending)
      expect(read.body).toEqual(saved.body)
      expect(read.headers.get('etag')).toBe(saved.headers.get('etag'))
      expect((await verso.get(path)).body).toEqual({ ...post, hasPendingEdit: true })
      expect((await verso.get('/v1/tags?search=new')).status).toBe(400)
      expect((await verso.get('/v1/tags/new-tag')).status).toBe(404)
    })

    it('hasPendingEdit is true in lists and single posts of those who see drafts, and false for everyone else', async () => {
      const verso = await service()
      const { path, pending, post } = await publish(verso, { title: 'Flagged' })
      const flags = async (key: string, query = '') => {
        const { data } = (await verso.get(`/v1/posts?search=flagged${query}`, { key })).body
        const one = (await verso.get(path, { key })).body
        return [...data.map((each: { hasPendingEdit: boolean }) => each.hasPendingEdit), one.hasPendingEdit]
      }
      // Before and after, so that nothing that is kept in memory is right by chance.
      expect(await flags(verso.secret)).toEqual([false, false])
      expect(await flags(verso.public)).toEqual([false, false])
      await verso.patch(pending, { content: 'x' })
      for (const query of ['', '&exclude=content', '&fields=hasPendingEdit', '&include=reading_time', '&sort=title']) {
        expect(await flags(verso.secret, query), query).toEqual([true, true])
        expect(await flags(verso.public, query), query).toEqual([false, false])
      }
      expect((await verso.patch(path, { excerpt: 'x' })).body.hasPendingEdit).toBe(true)
      expect((await verso.delete(pending)).status).toBe(204)
      expect(await flags(verso.secret)).toEqual([false, false])
      expect((await verso.get(`${path}/revisions/${post.version}`)).body.hasPendingEdit).toBe(false)
    })

    it('POST …/pending/apply: 200 with one new version of the post, its news and no pending edit', async () => {
      const verso = await service()
      const { post, path, pending } = await publish(verso, { title: 'Applied' })
      await verso.patch(pending, { title: 'First' })
      const edits = { title: 'Second', slug: `second-${post.version}`, content: 'x\r\n', excerpt: 'e', tags: ['c'], aliases: ['/old/'] }
      await verso.patch(pending, edits)
      const applied = await verso.post(`${pending}/apply`)
      expect(applied.status).toBe(200)
      expect(applied.body).toMatchObject({ ...edits, status: 'published', version: 2, hasPendingEdit: false })
      const read = await verso.get(path)
      expect(read.body).toEqual(applied.body)
      expect(read.headers.get('etag')).toBe(applied.headers.get('etag'))
      expect((await verso.get(pending)).body).toMatchObject({ status: 404, code: 'not_found' })
      expect((await verso.get(`/v1/posts/${post.slug}`)).status).toBe(301)
      expect((await verso.get(`${path}/revisions`)).body.data.map((each: { version: number }) => each.version)).toEqual([2, 1])
    })

    it('an edit that makes no difference is applied without a new version', async () => {
      const verso = await service()
      const { post, path, pending } = await publish(verso)
      await verso.patch(pending, { title: 'Two', excerpt: null })
      expect((await verso.patch(pending, { title: post.title })).body).toMatchObject({ changed: [], version: 2 })
      expect((await verso.post(`${pending}/apply`)).body).toEqual((await verso.get(path)).body)
      expect((await verso.get(path)).body.version).toBe(1)
    })

    it('a save that changes nothing is 200 with the same version and ETag', async () => {
      const verso = await service()
      const { pending } = await publish(verso)
      const first = await verso.patch(pending, { content: 'x', title: 'Two' })
      const again = await verso.patch(pending, { title: 'Two', content: 'x' })
      expect(again.text).toBe(first.text)
      expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
    })

    it('fields that only one side has changed are merged; those of seo one by one', async () => {
      const verso = await service()
      const { path, pending } = await publish(verso)
      await verso.patch(pending, { title: 'Mine', seo: { title: 'Mine' }, excerpt: 'same' })
      await verso.patch(path, { content: 'Theirs', seo: { description: 'Theirs' }, excerpt: 'same' })
      const merged = { title: 'Mine', content: 'Theirs', excerpt: 'same', seo: { title: 'Mine', description: 'Theirs' } }
      expect((await verso.get(pending)).body).toMatchObject({ ...merged, basedOn: 1, conflicts: [] })
      expect((await verso.post(`${pending}/apply`)).body).toMatchObject({ ...merged, version: 3 })
    })

    it('409 pending_conflict with both values of each field that both sides have changed, until it is saved anew with basedOn', async () => {
      const verso = await service()
      const { path, pending } = await publish(verso)
      await verso.patch(pending, { title: 'Mine', content: 'Mine', seo: { title: 'Mine' } })
      await verso.patch(path, { title: 'Theirs', seo: { title: 'Theirs' } })
      expect((await verso.get(pending)).body).toMatchObject({ title: 'Mine', conflicts: ['title', 'seo.title'] })
      const refused = await verso.post(`${pending}/apply`)
      expect(refused.body).toMatchObject({
        status: 409,
        code: 'pending_conflict',
        version: 2,
        errors: [{ pointer: '/title' }, { pointer: '/seo/title' }],
        conflicts: [
          { field: 'title', post: 'Theirs', pending: 'Mine' },
          { field: 'seo.title', post: 'Theirs', pending: 'Mine' },
        ],
      })
      expect((await verso.get(pending)).body).toMatchObject({ title: 'Mine', version: 1 })
      const resolved = await verso.patch(pending, { title: 'Ours', basedOn: 2 })
      expect(resolved.body).toMatchObject({ basedOn: 2, conflicts: [], changed: ['title', 'content', 'seo.title'] })
      expect((await verso.post(`${pending}/apply`)).body).toMatchObject({
        title: 'Ours',
        content: 'Mine',
        seo: { title: 'Mine' },
        version: 3,
      })
    })

    it('an edit that began at an earlier version says so with basedOn; 422 for a version that the post does not have', async () => {
      const verso = await service()
      const { path, pending } = await publish(verso)
      await verso.patch(path, { title: 'Theirs' })
      for (const basedOn of [3, 1e300])
        expect((await verso.patch(pending, { title: 'Mine', basedOn })).body).toMatchObject({
          status: 422,
          errors: [{ pointer: '/basedOn' }],
        })
      expect((await verso.patch(pending, { title: 'Mine', basedOn: 1 })).body).toMatchObject({ basedOn: 1, conflicts: ['title'] })
    })

    it('every method: 412 stale_version for another version of the pending edit, also one of an edit that is gone', async () => {
      const verso = await service()
      const { path, pending } = await publish(verso)
      expect((await verso.patch(pending, { title: 'Two' }, ifMatch(1))).body).toMatchObject({ status: 412, code: 'stale_version' })
      await verso.patch(pending, { title: 'Two' })
      const none = { headers: { 'if-none-match': '*' } }
      expect((await verso.patch(pending, { title: 'x' }, none)).body).toMatchObject({ status: 412, version: 1 })
      const current = (await verso.get(pending)).headers.get('etag') ?? ''
      expect((await verso.patch(pending, { title: 'Three' }, { headers: { 'if-match': current } })).body).toMatchObject({ version: 2 })
      for (const ask of [
        () => verso.patch(pending, { title: 'x' }, ifMatch(1)),
        () => verso.delete(pending, ifMatch(1)),
        () => verso.post(`${pending}/apply`, undefined, ifMatch(1)),
      ])
        expect((await ask()).body).toMatchObject({ status: 412, version: 2 })
      expect((await verso.delete(pending, ifMatch(2))).status).toBe(204)
      expect((await verso.patch(pending, { title: 'New' }, none)).body).toMatchObject({ version: 4 })
      expect((await verso.patch(pending, { title: 'x' }, ifMatch(1))).status).toBe(412)
      expect((await verso.get(path)).body.version).toBe(1)
    })

    it('PATCH …/pending with If-Match: * saves only if there is a pending edit; else 412 stale_version, also with dry_run', async () => {
      const verso = await service()
      const { path, pending } = await publish(verso)
      const existing = { headers: { 'if-match': '*' } }
      for (const query of ['', '?dry_run=true'])
        expect((await verso.patch(`${pending}${query}`, { title: 'x' }, existing)).body).toMatchObject({
          status: 412,
          code: 'stale_version',
        })
      expect((await verso.get(path)).body.hasPendingEdit).toBe(false)
      await verso.patch(pending, { title: 'Two' })
      expect((await verso.patch(pending, { title: 'Three' }, existing)).body).toMatchObject({ title: 'Three', version: 2 })
      expect((await verso.delete(pending, existing)).status).toBe(204)
    })

    it('a writer may save and discard an edit of a published post, and not apply it', async () => {
      const verso = await service()
      const writer = { key: await verso.keyWith('posts:write') }
      const reader = { key: await verso.keyWith('posts:read_drafts') }
      const { pending } = await publish(verso)
      expect((await verso.patch(pending, { title: 'Two' }, writer)).status).toBe(200)
      expect((await verso.post(`${pending}/apply`, undefined, writer)).body).toMatchObject({ status: 403, scope: 'posts:publish' })
      expect((await verso.get(pending, reader)).body.title).toBe('Two')
      for (const key of [verso.public, await verso.keyWith('posts:read')])
        expect((await verso.get(pending, { key })).body).toMatchObject({ status: 403, scope: 'posts:read_drafts' })
      expect((await verso.patch(pending, { title: 'x' }, reader)).status).toBe(403)
      expect((await verso.delete(pending, writer)).status).toBe(204)
      const draft = await publish(verso, { status: 'draft' })
      await verso.patch(draft.pending, { title: 'Two' }, writer)
      expect((await verso.post(`${draft.pending}/apply`, undefined, writer)).body).toMatchObject({ title: 'Two', version: 2 })
    })

    it('404 where there is no post or no pending edit; 422 for the same bodies as a PATCH of the post, and for status and dates', async () => {
      const verso = await service()
      const { pending } = await publish(verso)
      for (const path of [pending, '/v1/posts/nowhere/pending']) {
        expect((await verso.get(path)).status, path).toBe(404)
        expect((await verso.delete(path)).status, path).toBe(404)
        expect((await verso.post(`${path}/apply`)).status, path).toBe(404)
      }
      expect((await verso.patch('/v1/posts/nowhere/pending', { title: 'x' })).status).toBe(404)
      const faulty = { title: '', slug: 'A', content: 1, authorId: 'nobody', categoryId: 'nothing', status: 'draft', publishedAt: null }
      const refused = await verso.patch(pending, faulty)
      expect(refused.status).toBe(422)
      expect(refused.body.errors.map((each: { pointer: string }) => each.pointer).sort()).toEqual(
        Object.keys(faulty)
          .map((name) => `/${name}`)
          .sort(),
      )
      expect((await verso.post(`${pending}/apply`, { status: 'draft' })).status).toBe(404)
      expect((await verso.get(pending)).status).toBe(404)
    })

    it('409 slug_conflict and alias_conflict when it is applied, not while it is saved; nothing of it is lost', async () => {
      const verso = await service()
      const { pending, path } = await publish(verso)
      await publish(verso, { slug: 'taken', aliases: ['/taken/'] })
      expect((await verso.patch(pending, { slug: 'taken', content: 'x' })).status).toBe(200)
      expect((await verso.post(`${pending}/apply`)).body).toMatchObject({ code: 'slug_conflict', suggestion: 'taken-2' })
      await verso.patch(pending, { slug: 'taken-2', aliases: ['/taken/'] })
      expect((await verso.post(`${pending}/apply`)).body).toMatchObject({ code: 'alias_conflict' })
      expect((await verso.get(path)).body).toMatchObject({ version: 1, content: '# One' })
      expect((await verso.get(pending)).body).toMatchObject({ content: 'x', slug: 'taken-2', version: 2 })
    })

    it('an author or category that is deleted meanwhile becomes null', async () => {
      const verso = await service()
      const admin = { key: await verso.keyWith('admin') }
      const { body: author } = await verso.post('/v1/admin/authors', { name: 'Ada' }, admin)
      const { body: category } = await verso.post('/v1/admin/categories', { name: 'News' }, admin)
      const { pending } = await publish(verso)
      const saved = await verso.patch(pending, { authorId: author.id, categoryId: 'news' })
      expect(saved.body).toMatchObject({ author: { name: 'Ada' }, category: { slug: 'news' }, changed: ['authorId', 'categoryId'] })
      await verso.delete(`/v1/admin/authors/${author.id}`, admin)
      await verso.delete(`/v1/admin/categories/${category.id}`, admin)
      expect((await verso.get(pending)).body).toMatchObject({ author: null, category: null })
      expect((await verso.post(`${pending}/apply`)).body).toMatchObject({ author: null, category: null })
    })

    it.each(['author', 'category'])(
      'DELETE %s?reassign_to: pending edits get the other one, also once undone, with a new version',
      async (kind) => {
        const verso = await service()
        const admin = { key: await verso.keyWith('admin') }
        const under = kind === 'author' ? '/v1/admin/authors' : '/v1/admin/categories'
        const field = `${kind}Id`
        const [mine, eve, fred] = await Promise.all(
          ['Mine', 'Eve', 'Fred'].map(async (name) => (await verso.post(under, { name }, admin)).body),
        )
        const { post, pending } = await publish(verso, { [field]: mine.id })
        const other = await publish(verso, { [field]: mine.id, status: 'draft' })
        await verso.patch(other.pending, { title: `"${field}":"${eve.id}"` })
        await verso.patch(pending, { [field]: eve.id, content: `"${field}":"${eve.id}"` })
        await verso.patch(pending, { [field]: null })
        const { nextCursor } = (await verso.get('/v1/changes?types=pending_edit')).body
        expect((await verso.delete(`${under}/${eve.id}?reassign_to=${fred.id}`, admin)).status).toBe(204)
        expect((await verso.get(pending)).body).toMatchObject({ [kind]: null, version: 3, changed: ['content', field] })
        expect((await verso.get(other.pending)).body).toMatchObject({ title: `"${field}":"${eve.id}"`, version: 1 })
        const told = (await verso.get(`/v1/changes?types=pending_edit&since=${nextCursor}`)).body.data
        expect(told).toMatchObject([{ data: { postId: post.id, version: 3 } }])
        expect((await verso.post(`${pending}/undo`, undefined, ifMatch(3))).status).toBe(204)
        expect((await verso.get(pending)).body).toMatchObject({ [kind]: { id: fred.id }, content: `"${field}":"${eve.id}"`, version: 4 })
        await verso.delete(`${under}/${fred.id}?reassign_to=${mine.id}`, admin)
        expect((await verso.post(`${pending}/apply`)).body).toMatchObject({ [kind]: { id: mine.id }, hasPendingEdit: false })
      },
    )

    it('no conflict where the post lost its author and category, and those of the edit were deleted; else one with null', async () => {
      const verso = await service()
      const admin = { key: await verso.keyWith('admin') }
      const named = async (name: string) => ({
        authorId: (await verso.post('/v1/admin/authors', { name }, admin)).body.id,
        categoryId: (await verso.post('/v1/admin/categories', { name }, admin)).body.id,
      })
      const { path, pending } = await publish(verso, await named('Before'))
      const edited = await named('Edited')
      await verso.patch(pending, edited)
      await verso.delete(`/v1/admin/authors/${edited.authorId}`, admin)
      await verso.delete(`/v1/admin/categories/${edited.categoryId}`, admin)
      const theirs = await named('Theirs')
      await verso.patch(path, theirs)
      expect((await verso.get(pending)).body.conflicts).toEqual(['authorId', 'categoryId'])
      expect((await verso.post(`${pending}/apply`)).body.conflicts).toEqual([
        { field: 'authorId', post: theirs.authorId, pending: null },
        { field: 'categoryId', post: theirs.categoryId, pending: null },
      ])
      await verso.patch(path, { authorId: null, categoryId: null })
      expect((await verso.get(pending)).body).toMatchObject({ conflicts: [], author: null, category: null })
      expect((await verso.post(`${pending}/apply`)).body).toMatchObject({ author: null, category: null, hasPendingEdit: false })
    })

    it('a pending edit goes to the trash with its post, comes back with it, and is erased with it', async () => {
      const verso = await service()
      const { path, pending } = await publish(verso)
      await verso.patch(pending, { content: 'kept' })
      await verso.delete(path)
      expect((await verso.get(pending)).status).toBe(404)
      expect((await verso.patch(pending, { content: 'x' })).status).toBe(404)
      expect((await verso.post(`${path}/restore`)).body.hasPendingEdit).toBe(true)
      expect((await verso.get(pending)).body).toMatchObject({ content: 'kept', version: 1 })
      await verso.delete(`${path}?permanent=true`)
      const { db } = verso.app.installation
      const rows = await db.selectFrom('pending_edits').select('post_id').execute()
      expect(rows.map((row) => row.post_id)).not.toContain(path.slice('/v1/posts/'.length))
    })

    it('dry_run=true stores nothing; an Idempotency-Key saves and applies once', async () => {
      const verso = await service()
      const { path, pending } = await publish(verso)
      expect((await verso.patch(`${pending}?dry_run=true`, { title: 'Two' })).body).toMatchObject({ title: 'Two', version: 1 })
      expect((await verso.get(pending)).status).toBe(404)
      const once = (key: string) => ({ headers: { 'idempotency-key': `${path} ${key}` } })
      const saves = [await verso.patch(pending, { title: 'Two' }, once('save')), await verso.patch(pending, { title: 'Two' }, once('save'))]
      expect(saves.map(({ text }) => text)).toEqual([saves[0]?.text, saves[0]?.text])
      expect((await verso.post(`${pending}/apply?dry_run=true`)).body).toMatchObject({ title: 'Two', version: 2 })
      expect((await verso.get(path)).body).toMatchObject({ title: 'One', version: 1, hasPendingEdit: true })
      const first = await verso.post(`${pending}/apply`, undefined, once('apply'))
      const second = await verso.post(`${pending}/apply`, undefined, once('apply'))
      expect([second.text, second.headers.get('idempotency-replayed')]).toEqual([first.text, 'true'])
      expect((await verso.delete(`${path}?permanent=true`)).status).toBe(204)
      expect((await verso.patch(pending, { title: 'Two' }, once('save'))).text).not.toContain('Two')
    })

    it('saving moves the revision of the log and not the public one; a public key gets the same bytes and 304', async () => {
      const verso = await service()
      const { path, pending } = await publish(verso)
      const asks = ['/v1/posts', path, '/v1/tags', '/v1/changes', '/v1/posts?q=pending']
      const ask = () => Promise.all(asks.map(async (each) => await verso.get(each, { key: verso.public })))
      const before = await ask()
      const ours = (await verso.get('/v1/posts')).headers.get('etag')
      await verso.patch(pending, { title: 'Pending', slug: 'pending', tags: ['pending'], content: 'pending' })
      expect((await ask()).map(({ text }) => text)).toEqual(before.map(({ text }) => text))
      expect((await ask()).map(({ headers }) => headers.get('etag'))).toEqual(before.map(({ headers }) => headers.get('etag')))
      expect((await verso.get('/v1/posts')).headers.get('etag')).not.toBe(ours)
      expect(
        await verso.app.installation.db
          .selectFrom('changes')
          .select(['kind', 'news', 'public_seq'])
          .orderBy('seq', 'desc')
          .limit(1)
          .execute(),
      ).toEqual([{ kind: 'pending_edit', news: '', public_seq: null }])
    })

    it('of a hundred saves at the same time with one If-Match, one succeeds', async () => {
      const verso = await service()
      const { pending } = await publish(verso)
      await verso.patch(pending, { title: 'Two' })
      const saves = await Promise.all(Array.from({ length: 100 }, (_, i) => verso.patch(pending, { title: `Two ${i}` }, ifMatch(1))))
      expect(saves.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(saves.filter(({ status }) => status === 412)).toHaveLength(99)
      const { pending: fresh } = await publish(verso, { scheduledFor: future, status: 'scheduled' })
      const news = await Promise.all(
        Array.from({ length: 20 }, (_, i) => verso.patch(fresh, { title: `Two ${i}` }, { headers: { 'if-none-match': '*' } })),
      )
      expect(news.filter(({ status }) => status === 200)).toHaveLength(1)
    })
  })
}
