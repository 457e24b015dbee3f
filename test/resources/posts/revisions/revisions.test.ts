import { describe, expect, it } from 'vitest'
import { engines, startVerso, type TestEngine } from '../../../harness/harness.ts'

/** A post with five versions: created, edited, published, in the trash and back. */
async function start(engine: TestEngine) {
  const verso = await startVerso(engine)
  const key = await verso.keyWith('admin')
  const author = (await verso.post('/v1/admin/authors', { name: 'Ada' }, { key })).body
  const category = (await verso.post('/v1/admin/categories', { name: 'Log' }, { key })).body
  const said = { title: 'One', content: 'a\nb\nc\n', excerpt: 'E', tags: ['x'], seo: { title: 'S' } }
  const first = (await verso.post('/v1/posts', { ...said, authorId: author.id, categoryId: category.id })).body
  const path = `/v1/posts/${first.id}`
  verso.context.travelTo('2026-06-01T13:00:00.000Z')
  await verso.patch(path, { title: 'Two', content: 'a\nB\nc\nd\n', excerpt: null, tags: [], seo: null, authorId: null, categoryId: null })
  await verso.patch(path, { status: 'published', slug: 'two' })
  await verso.delete(path)
  const last = (await verso.post(`${path}/restore`, {})).body
  return { verso, key, author, category, first, last, path, revisions: `${path}/revisions` }
}

for (const engine of engines) {
  describe(`revisions on ${engine.name}`, () => {
    it('GET /v1/posts/{id}/revisions: the latest first, who and when, and what each changed', async () => {
      const { verso, revisions } = await start(engine)
      const { data, pagination } = (await verso.get(revisions)).body
      expect(data.map(({ version }: { version: number }) => version)).toEqual([5, 4, 3, 2, 1])
      expect(data.map(({ changed }: { changed: string[] }) => changed)).toEqual([
        ['deletedAt'],
        ['deletedAt'],
        ['slug', 'status', 'publishedAt'],
        ['title', 'content', 'excerpt', 'author', 'category', 'tags', 'seo'],
        [],
      ])
      const first = { version: 1, createdAt: '2026-06-01T12:00:00.000Z', changed: [] }
      expect(data[4]).toEqual({ ...first, actor: expect.stringMatching(/^key_/), actorName: 'secret key', client: null })
      expect(pagination).toMatchObject({ total: 5, hasMore: false })
    })

    it('GET /v1/posts/{id}/revisions: pages, cursors and sort, without loss; by slug too', async () => {
      const { verso, revisions } = await start(engine)
      const versions = async (query: string) => {
        const { data, pagination } = (await verso.get(`${revisions}?${query}`)).body
        return { versions: data.map(({ version }: { version: number }) => version), next: pagination.nextCursor, total: pagination.total }
      }
      expect((await versions('limit=2&page=2')).versions).toEqual([3, 2])
      expect((await versions('sort=version&limit=2&total=false')).total).toBeNull()
      const { next } = await versions('limit=3')
      expect((await versions(`limit=3&cursor=${next}`)).versions).toEqual([2, 1])
      expect((await verso.get('/v1/posts/two/revisions')).body.data).toHaveLength(5)
      expect((await verso.get(`${revisions}?sort=title`)).status).toBe(400)
      const { headers } = await verso.get(revisions)
      expect((await verso.get(revisions, { headers: { 'if-none-match': headers.get('etag') ?? '' } })).status).toBe(304)
    })

    it('two posts: each has its own revisions, and their number', async () => {
      const { verso, revisions } = await start(engine)
      const { id } = (await verso.post('/v1/posts', { title: 'Other' })).body
      expect((await verso.get(revisions)).body.pagination.total).toBe(5)
      expect((await verso.get(`/v1/posts/${id}/revisions`)).body.pagination.total).toBe(1)
    })

    it('GET /v1/posts/{id}/revisions/{version}: the post as it stood, author and category null once they are deleted', async () => {
      const { verso, first, last, revisions, author, key } = await start(engine)
      expect((await verso.get(`${revisions}/1`)).body).toEqual(first)
      expect((await verso.get(`${revisions}/5`)).body).toEqual(last)
      await verso.delete(`/v1/admin/authors/${author.id}`, { key })
      expect((await verso.get(`${revisions}/1`)).body).toEqual({ ...first, author: null })
    })

    it('GET …/diff: fields before and after, and the content line by line; against the version before unless told', async () => {
      const { verso, revisions, author } = await start(engine)
      const diff = (await verso.get(`${revisions}/2/diff`)).body
      expect(diff).toMatchObject({ version: 2, against: 1 })
      expect(diff.fields).toContainEqual({ field: 'title', before: 'One', after: 'Two' })
      expect(diff.fields).toContainEqual({ field: 'author', before: { id: author.id, name: 'Ada' }, after: null })
      expect(diff.fields).toContainEqual({ field: 'tags', before: ['x'], after: [] })
      expect(diff.content).toEqual({ added: 2, removed: 1, diff: '@@ -1,3 +1,4 @@\n a\n-b\n+B\n c\n+d\n' })
      expect((await verso.get(`${revisions}/2/diff?against=1`)).body).toEqual(diff)
      const back = (await verso.get(`${revisions}/1/diff?against=5`)).body
      expect(back.fields.map(({ field }: { field: string }) => field)).toContain('slug')
      expect(back.content).toMatchObject({ added: 1, removed: 2 })
      expect((await verso.get(`${revisions}/3/diff?against=3`)).body).toMatchObject({ fields: [], content: null })
    })

    it('GET …/1/diff: all that there was at first, against nothing', async () => {
      const { verso, revisions } = await start(engine)
      const { against, fields, content } = (await verso.get(`${revisions}/1/diff`)).body
      expect([against, content.added, content.removed]).toEqual([null, 3, 0])
      expect(fields).toContainEqual({ field: 'title', before: null, after: 'One' })
    })

    it('POST …/{version}/restore: what it said, as a new version; never status, slug or dates', async () => {
      const { verso, first, last, revisions } = await start(engine)
      verso.context.travelTo('2026-06-01T14:00:00.000Z')
      const restored = await verso.post(`${revisions}/1/restore`, undefined, { headers: { 'if-match': '"5"' } })
      expect(restored.status).toBe(200)
      const { title, content, excerpt, tags, tagSlugs, seo, author, category } = first
      const said = { title, content, excerpt, tags, tagSlugs, seo, author, category }
      expect(restored.body).toEqual({ ...last, ...said, version: 6, updatedAt: '2026-06-01T14:00:00.000Z' })
      expect((await verso.get('/v1/tags/x')).status).toBe(200)
      expect((await verso.get(`${revisions}?limit=1`)).body.data[0]).toMatchObject({ version: 6 })
      expect((await verso.post(`${revisions}/1/restore`)).body.version).toBe(6)
    })

    it('POST …/{version}/restore: what was deleted since becomes null', async () => {
      const { verso, key, author, category, revisions } = await start(engine)
      await verso.delete(`/v1/admin/authors/${author.id}`, { key })
      await verso.delete(`/v1/admin/categories/${category.id}`, { key })
      expect((await verso.post(`${revisions}/1/restore`)).body).toMatchObject({ title: 'One', author: null, category: null })
    })

    it('POST …/{version}/restore: tried with dry_run, and repeated with an Idempotency-Key', async () => {
      const { verso, path, last, revisions } = await start(engine)
      expect((await verso.post(`${revisions}/1/restore?dry_run=true`)).body).toMatchObject({ title: 'One', version: 6 })
      expect((await verso.get(path)).body).toEqual(last)
      const restore = () => verso.post(`${revisions}/1/restore`, undefined, { headers: { 'idempotency-key': 'a' } })
      expect((await restore()).text).toBe((await restore()).text)
    })

    it('403: public keys may not look, whatever is there; a published post is restored with posts:publish alone', async () => {
      const { verso, revisions } = await start(engine)
      const asked = { key: verso.public }
      const texts = await Promise.all([revisions, `${revisions}/1`, `${revisions}/9/diff`].map((path) => verso.get(path, asked)))
      expect(texts.map(({ status, body }) => [status, body.scope])).toEqual(Array(3).fill([403, 'posts:read_drafts']))
      const writer = { key: await verso.keyWith('posts:write') }
      expect((await verso.get(revisions, writer)).status).toBe(200)
      expect((await verso.post(`${revisions}/1/restore`, undefined, writer)).body.scope).toBe('posts:publish')
      expect((await verso.post(`${revisions}/1/restore`, undefined, { key: await verso.keyWith('posts:read_drafts') })).status).toBe(403)
    })

    it('404: no such post or version, another project’s, or in the trash; 412 stale_version', async () => {
      const { verso, path, revisions } = await start(engine)
      const other = await verso.otherProject('other')
      for (const version of ['6', '0', '-1', '01', '1.0', '1e3', 'latest', '999999999999999', '9'.repeat(30)]) {
        expect((await verso.get(`${revisions}/${version}`)).status, version).toBe(404)
        expect((await verso.post(`${revisions}/${version}/restore`)).status, version).toBe(404)
      }
      expect((await verso.get(`${revisions}/5/diff?against=6`)).status).toBe(404)
      for (const against of ['0', 'x', '1.5', '', '99999999999'])
        expect((await verso.get(`${revisions}/5/diff?against=${against}`)).body.code, against).toBe('invalid_parameter')
      expect((await other.get(revisions)).status).toBe(404)
      expect((await other.post(`${revisions}/1/restore`)).status).toBe(404)
      const stale = await verso.post(`${revisions}/1/restore`, undefined, { headers: { 'if-match': '"4"' } })
      expect([stale.status, stale.body.version]).toEqual([412, 5])
      await verso.delete(path)
      for (const gone of [revisions, `${revisions}/1`, `${revisions}/2/diff`]) expect((await verso.get(gone)).status).toBe(404)
      await verso.delete(`${path}?permanent=true`)
      expect(await verso.app.installation.db.selectFrom('post_revisions').selectAll().execute()).toEqual([])
    })
  })
}
