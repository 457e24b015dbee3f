import { describe, expect, it } from 'vitest'
import { type Answer, engines, startVerso, type TestApp } from '../../harness/harness.ts'
import { rowCounts } from '../../harness/rows.ts'

const future = '2030-01-01T00:00:00.000Z'

async function runJob(verso: TestApp, name: string): Promise<void> {
  await verso.app.jobs.find((job) => job.name === name)?.runOnce()
}

const codeOf = ({ status, body }: Answer) => (body?.code ? `${status} ${body.code}` : `${status}`)

for (const engine of engines) {
  describe(`the trash on ${engine.name}`, () => {
    it('DELETE /v1/posts/{idOrSlug}: 204, and then 404 everywhere but for the trash, restore and DELETE by id', async () => {
      const verso = await startVerso(engine)
      const { body: post } = await verso.post('/v1/posts', { title: 'One', status: 'published', tags: ['a'] })
      const answer = await verso.delete('/v1/posts/one')
      expect([answer.status, answer.text]).toEqual([204, ''])
      for (const ref of ['one', post.id]) {
        expect(codeOf(await verso.get(`/v1/posts/${ref}`))).toBe('404 not_found')
        expect(codeOf(await verso.patch(`/v1/posts/${ref}`, { title: 'x' }))).toBe('404 not_found')
      }
      expect((await verso.get('/v1/posts')).body.pagination.total).toBe(0)
      expect((await verso.get('/v1/tags')).body.pagination.total).toBe(0)
      const { body: trash } = await verso.get('/v1/posts?trashed=true')
      expect(trash.data).toEqual([{ ...post, version: 2 }])
      expect(codeOf(await verso.delete('/v1/posts/one')), 'a freed slug').toBe('404 not_found')
      expect(codeOf(await verso.delete(`/v1/posts/${post.id}`)), 'again by id').toBe('204')
      const sameAgain = { headers: { 'if-match': '"1.x"' } }
      expect(codeOf(await verso.delete(`/v1/posts/${post.id}`, sameAgain)), 'again, as it was first sent').toBe('204')
      expect((await verso.get('/v1/posts?trashed=true')).body.data[0].version).toBe(2)
      expect(codeOf(await verso.delete('/v1/posts/post_06dq8k2rxf7e9aw5n4j1t3ybvc')), 'an id that never was').toBe('404 not_found')
    })

    it('POST /v1/posts/{id}/restore: 200 as it was, as a new version', async () => {
      const verso = await startVerso(engine)
      const { body: post } = await verso.post('/v1/posts', { title: 'One', status: 'published', tags: ['a'], content: 'x' })
      await verso.delete(`/v1/posts/${post.id}`)
      verso.context.travelTo('2026-06-02T00:00:00Z')
      const answer = await verso.post(`/v1/posts/${post.id}/restore`)
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({ ...post, version: 3, updatedAt: '2026-06-02T00:00:00.000Z' })
      expect(answer.headers.get('etag')).toBe((await verso.get('/v1/posts/one')).headers.get('etag'))
      expect((await verso.get('/v1/posts?tag=a', { key: verso.public })).body.pagination.total).toBe(1)
      const again = await verso.post(`/v1/posts/${post.id}/restore`, {})
      expect([again.status, again.body.version]).toEqual([200, 3])
    })

    it('restore, also in a batch: 422 not_allowed at the fields for a post that is not in the trash, 200 for what it has', async () => {
      const verso = await startVerso(engine)
      const { body: post } = await verso.post('/v1/posts', { title: 'One' })
      const body = { slug: 'two', aliases: ['/old'] }
      const errors = ['/slug', '/aliases'].map((pointer) => ({ pointer, code: 'not_allowed' }))
      expect((await verso.post(`/v1/posts/${post.id}/restore`, body)).body).toMatchObject({
        status: 422,
        code: 'validation_failed',
        errors,
      })
      const batch = await verso.post('/v1/posts/batch', { operations: [{ op: 'restore', id: post.id, body: { slug: 'two' } }] })
      expect(batch.body).toMatchObject({ status: 422, code: 'validation_failed', errors: [{ code: 'not_allowed' }] })
      for (const same of [{}, { slug: post.slug, aliases: [] }])
        expect((await verso.post(`/v1/posts/${post.id}/restore`, same)).body).toEqual(post)
    })

    it('restore: 404 for what never was, what is another project’s, and a slug', async () => {
      const verso = await startVerso(engine)
      const other = await verso.otherProject('other')
      const { body: theirs } = await other.post('/v1/posts', { title: 'One' })
      await other.delete('/v1/posts/one')
      for (const ref of ['one', theirs.id, 'post_06dq8k2rxf7e9aw5n4j1t3ybvc', 'auth_06dq8k2rxf7e9aw5n4j1t3ybvc']) {
        expect(codeOf(await verso.post(`/v1/posts/${ref}/restore`)), ref).toBe('404 not_found')
        expect(codeOf(await verso.delete(`/v1/posts/${ref}`)), ref).toBe('404 not_found')
        expect(codeOf(await verso.delete(`/v1/posts/${ref}?permanent=true`)), ref).toBe('404 not_found')
      }
    })

    it('restore: a slug that is another’s by now is 409 with one that is free; one that is given is taken', async () => {
      const verso = await startVerso(engine)
      const { body: post } = await verso.post('/v1/posts', { title: 'One' })
      await verso.delete('/v1/posts/one')
      await verso.post('/v1/posts', { title: 'One' })
      const path = `/v1/posts/${post.id}/restore`
      expect((await verso.post(path)).body).toMatchObject({ status: 409, code: 'slug_conflict', suggestion: 'one-2' })
      expect(codeOf(await verso.post(path, { slug: 'one' }))).toBe('409 slug_conflict')
      for (const body of [{ slug: 'No' }, { slug: null }, { title: 'x' }, [], null])
        expect(codeOf(await verso.post(path, body))).toBe('422 validation_failed')
      expect((await verso.post(path, { slug: 'one-2' })).body).toMatchObject({ slug: 'one-2', version: 3 })
    })

    it('restore: a scheduled time that has passed gives a draft, one to come is kept', async () => {
      const verso = await startVerso(engine)
      const ids: string[] = []
      for (const scheduledFor of ['2026-06-02T00:00:00Z', future]) {
        ids.push((await verso.post('/v1/posts', { title: 'x', status: 'scheduled', scheduledFor })).body.id)
      }
      for (const id of ids) await verso.delete(`/v1/posts/${id}`)
      verso.context.travelTo('2026-06-02T00:00:00Z')
      expect((await verso.get('/v1/posts')).body.pagination.total).toBe(0)
      expect((await verso.post(`/v1/posts/${ids[0]}/restore`)).body).toMatchObject({
        status: 'draft',
        scheduledFor: null,
        publishedAt: null,
      })
      expect((await verso.post(`/v1/posts/${ids[1]}/restore`)).body).toMatchObject({ status: 'scheduled', scheduledFor: future })
    })

    it('If-Match guards deletion and restoration', async () => {
      const verso = await startVerso(engine)
      const { body: post } = await verso.post('/v1/posts', { title: 'One' })
      const stale = { headers: { 'if-match': '"7"' } }
      expect(codeOf(await verso.delete('/v1/posts/one', stale))).toBe('412 stale_version')
      expect(codeOf(await verso.delete('/v1/posts/one?permanent=true', stale))).toBe('412 stale_version')
      expect(codeOf(await verso.delete('/v1/posts/one', { headers: { 'if-match': '"1.x"' } }))).toBe('204')
      expect(codeOf(await verso.post(`/v1/posts/${post.id}/restore`, {}, stale))).toBe('412 stale_version')
      expect(codeOf(await verso.post(`/v1/posts/${post.id}/restore`, {}, { headers: { 'if-match': '"2"' } }))).toBe('200')
    })

    it('the scopes that it takes', async () => {
      const verso = await startVerso(engine)
      const writer = { key: await verso.keyWith('posts:write') }
      const deleter = { key: await verso.keyWith('posts:delete') }
      const publisher = { key: await verso.keyWith('posts:write', 'posts:publish') }
      const create = async (status: string) => (await verso.post('/v1/posts', { title: 'x', status })).body.id
      const [draft, published] = [await create('draft'), await create('published')]
      expect((await verso.delete(`/v1/posts/${draft}`, deleter)).body.scope).toBe('posts:write')
      expect((await verso.delete(`/v1/posts/${draft}?permanent=true`, writer)).body.scope).toBe('posts:delete')
      expect(codeOf(await verso.delete(`/v1/posts/${draft}`, writer))).toBe('204')
      expect(codeOf(await verso.post(`/v1/posts/${draft}/restore`, {}, writer))).toBe('200')
      expect(codeOf(await verso.delete(`/v1/posts/${draft}?permanent=true`, deleter))).toBe('204')
      expect((await verso.delete(`/v1/posts/${published}`, writer)).body.scope).toBe('posts:publish')
      expect((await verso.delete(`/v1/posts/${published}?permanent=true`, deleter)).body.scope).toBe('posts:publish')
      expect(codeOf(await verso.delete(`/v1/posts/${published}`, publisher))).toBe('204')
      expect((await verso.post(`/v1/posts/${published}/restore`, {}, writer)).body.scope).toBe('posts:publish')
      expect(codeOf(await verso.delete(`/v1/posts/${published}?permanent=true`, deleter)), 'it is in the trash').toBe('204')
    })

    it('?permanent=true erases the post and all that only it has, there or in the trash; again by id is 204', async () => {
      const verso = await startVerso(engine)
      const empty = await rowCounts(verso.app)
      const erased: string[] = []
      for (const inTrash of [false, true]) {
        const { body: post } = await verso.post('/v1/posts', { title: 'One', status: 'published', content: 'x', tags: ['a'] })
        await verso.patch(`/v1/posts/${post.id}`, { slug: 'two', content: 'y' })
        if (inTrash) await verso.delete(`/v1/posts/${post.id}`)
        expect(codeOf(await verso.delete(`/v1/posts/${post.id}?permanent=true`))).toBe('204')
        erased.push(post.id)
      }
      const { changes, tags, ...left } = await rowCounts(verso.app)
      expect({ ...left, changes: 0, tags: 0 }).toEqual(empty)
      expect([changes, tags]).toEqual([7, 1])
      expect((await verso.get('/v1/posts?trashed=true')).body.pagination.total).toBe(0)
      for (const id of erased) {
        expect(codeOf(await verso.delete(`/v1/posts/${id}`))).toBe('204')
        expect(codeOf(await verso.delete(`/v1/posts/${id}?permanent=true`))).toBe('204')
        expect(codeOf(await verso.post(`/v1/posts/${id}/restore`))).toBe('404 not_found')
      }
      for (const slug of ['one', 'two']) expect(codeOf(await verso.get(`/v1/posts/${slug}`))).toBe('404 not_found')
    })

    it('after 30 days it is gone, purged or not', async () => {
      const verso = await startVerso(engine)
      const { body: post } = await verso.post('/v1/posts', { title: 'One', status: 'published' })
      const { body: kept } = await verso.post('/v1/posts', { title: 'Kept' })
      await verso.delete('/v1/posts/one')
      const total = async () => (await verso.get('/v1/posts?trashed=true')).body.pagination.total
      verso.context.travelTo('2026-07-01T11:59:59.999Z')
      await runJob(verso, 'purge')
      expect(await total()).toBe(1)
      verso.context.travelTo('2026-07-01T12:00:00.000Z')
      expect(await total()).toBe(0)
      expect(codeOf(await verso.post(`/v1/posts/${post.id}/restore`))).toBe('404 not_found')
      expect(codeOf(await verso.delete(`/v1/posts/${post.id}`))).toBe('204')
      const before = await rowCounts(verso.app)
      expect(before.posts).toBe(2)
      await runJob(verso, 'purge')
      await runJob(verso, 'purge')
      const after = await rowCounts(verso.app)
      expect(after).toMatchObject({ posts: 1, post_revisions: 1, contents: 1, changes: before.changes })
      expect(codeOf(await verso.delete(`/v1/posts/${post.id}`))).toBe('204')
      expect(codeOf(await verso.get(`/v1/posts/${kept.id}`))).toBe('200')
    })

    it('the purge takes all there is, of every project, and more than a batch of it', async () => {
      const verso = await startVerso(engine)
      const other = await verso.otherProject('other')
      const { body: theirs } = await other.post('/v1/posts', { title: 'Theirs' })
      const ids: string[] = []
      for (let i = 0; i < 105; i++) ids.push((await verso.post('/v1/posts', { title: 'x' })).body.id)
      await Promise.all([...ids.map((id) => verso.delete(`/v1/posts/${id}`)), other.delete(`/v1/posts/${theirs.id}`)])
      verso.context.travelTo('2026-08-01T00:00:00Z')
      await runJob(verso, 'purge')
      expect((await rowCounts(verso.app)).posts).toBe(0)
    })
  })
}
