import { describe, expect, it } from 'vitest'
import { engines, startVerso } from '../harness/harness.ts'
import { rowCounts } from '../harness/rows.ts'

const media = { url: 'https://example.com/a.png', filename: 'a.png', mimeType: 'image/png', size: 1, width: 1, height: 1, alt: '' }

for (const engine of engines) {
  describe(`dry_run on ${engine.name}`, () => {
    it('POST /v1/posts: 200 with the would-be post, no Location, no ETag, and nothing kept', async () => {
      const verso = await startVerso(engine)
      const before = await rowCounts(verso.app)
      const list = (await verso.get('/v1/posts')).headers.get('etag')
      const tried = await verso.post('/v1/posts?dry_run=true', { title: 'One', status: 'published', tags: ['a'] })
      expect([tried.status, tried.headers.get('location'), tried.headers.get('etag')]).toEqual([200, null, null])
      expect(tried.body).toMatchObject({ title: 'One', slug: 'one', status: 'published', version: 1, tags: ['a'] })
      expect(await rowCounts(verso.app)).toEqual(before)
      expect((await verso.get('/v1/posts')).headers.get('etag')).toBe(list)
      expect((await verso.post('/v1/posts?dry_run=false', { title: 'One' })).status).toBe(201)
    })

    it('PATCH, DELETE and restore: as they would be, while the post stays as it is', async () => {
      const verso = await startVerso(engine)
      const { body, headers, text } = await verso.post('/v1/posts', { title: 'One' })
      const path = `/v1/posts/${body.id}`
      const before = await rowCounts(verso.app)
      const patched = await verso.patch(`${path}?dry_run=true`, { title: 'Two' }, { headers: { 'if-match': headers.get('etag') ?? '' } })
      expect([patched.status, patched.body.title, patched.body.version, patched.headers.get('etag')]).toEqual([200, 'Two', 2, null])
      for (const query of ['', '&permanent=true']) expect((await verso.delete(`${path}?dry_run=true${query}`)).status).toBe(204)
      expect((await verso.get(path)).text).toBe(text)
      expect(await rowCounts(verso.app)).toEqual(before)
      await verso.delete(path)
      expect((await verso.post(`${path}/restore?dry_run=true`, {})).body).toMatchObject({ title: 'One', version: 3 })
      expect((await verso.get(path)).status).toBe(404)
    })

    it('the same problems: 403, 404, 412, 422 and 409', async () => {
      const verso = await startVerso(engine)
      const writer = await verso.keyWith('posts:write')
      await verso.post('/v1/posts', { title: 'One' })
      const stale = { headers: { 'if-match': '"9"' } }
      const answers = await Promise.all([
        verso.post('/v1/posts?dry_run=true', { title: 'Two' }, { key: verso.public }),
        verso.post('/v1/posts?dry_run=true', { title: 'Two', status: 'published' }, { key: writer }),
        verso.patch('/v1/posts/none?dry_run=true', {}),
        verso.patch('/v1/posts/one?dry_run=true', { title: 'x' }, stale),
        verso.post('/v1/posts?dry_run=true', { title: '' }),
        verso.post('/v1/posts?dry_run=true', { title: 'One', slug: 'one' }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 404, 412, 422, 409])
    })

    it('400: not true or false, or given twice; and reads do not take it', async () => {
      const verso = await startVerso(engine)
      for (const query of ['dry_run=', 'dry_run=1', 'dry_run=yes', 'dry_run=true&dry_run=true']) {
        const answer = await verso.post(`/v1/posts?${query}`, { title: 'One' })
        expect(answer.body, query).toMatchObject({ code: 'invalid_parameter', errors: [{ parameter: 'dry_run' }] })
      }
      expect((await verso.get('/v1/posts?dry_run=true')).body.code).toBe('unknown_parameter')
      expect((await verso.post('/v1/posts?dry_rum=true', { title: 'One' })).body.errors[0].detail).toContain('dry_run')
    })

    it('no idempotency key is read or kept', async () => {
      const verso = await startVerso(engine)
      const keyed = { headers: { 'idempotency-key': 'a' } }
      expect((await verso.post('/v1/posts?dry_run=true', { title: 'One' }, keyed)).status).toBe(200)
      expect((await verso.post('/v1/posts', { title: 'Other' }, keyed)).status).toBe(201)
      const tried = await verso.post('/v1/posts?dry_run=true', { title: 'One' }, keyed)
      expect([tried.status, tried.headers.get('idempotency-replayed')]).toEqual([200, null])
    })

    it('every resource: authors, categories, media, and keys, of which no token is shown', async () => {
      const verso = await startVerso(engine)
      const key = await verso.keyWith('admin', 'media:write')
      for (const [path, made] of [
        ['/v1/admin/authors', { name: 'One' }],
        ['/v1/admin/categories', { name: 'One' }],
        ['/v1/media', media],
        ['/v1/admin/keys', { name: 'One', kind: 'public' }],
      ] as const) {
        const before = await rowCounts(verso.app)
        const tried = await verso.post(`${path}?dry_run=true`, made, { key })
        expect([tried.status, tried.body.token, tried.body.id]).toEqual([200, undefined, expect.any(String)])
        expect(await rowCounts(verso.app)).toEqual(before)
        const { id } = (await verso.post(path, made, { key })).body
        expect((await verso.delete(`${path}/${id}?dry_run=true`, { key })).status).toBe(204)
        const still = (await verso.get(`${path}/${id}`, { key })).body
        expect([still.id, still.revokedAt ?? null]).toEqual([id, null])
      }
    })
  })
}
