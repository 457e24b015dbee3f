import { describe, expect, it } from 'vitest'
import { engines, startVerso } from '../../harness/harness.ts'

for (const engine of engines) {
  describe(`fields of a single post on ${engine.name}`, () => {
    it('GET /v1/posts/{idOrSlug}?fields=… and exclude=…: 200 with those alone, the id and the ETag by version', async () => {
      const verso = await startVerso(engine)
      const { body: post } = await verso.post('/v1/posts', { title: 'One', content: '# One', status: 'published' })
      const get = (query: string, headers = {}) => verso.get(`/v1/posts/one?${query}`, { key: verso.public, headers })
      const few = await get('fields=slug,title')
      expect(few.body).toEqual({ id: post.id, title: 'One', slug: 'one' })
      const etag = few.headers.get('etag') ?? ''
      expect(etag).toMatch(/^"1\./)
      expect((await get('fields=slug,title', { 'if-none-match': etag })).status).toBe(304)
      const { content, ...rest } = post
      expect((await get('exclude=content')).body).toEqual(rest)
      expect(Object.keys((await get('exclude=content,seo&include=html')).body)).toEqual(
        [...Object.keys(rest), 'contentHtml'].filter((name) => name !== 'seo'),
      )
      expect((await verso.patch('/v1/posts/one', { title: 'Two' }, { headers: { 'if-match': etag } })).status).toBe(200)
    })

    it('GET /v1/posts/{idOrSlug}: 400 for fields that are not there, and for both', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One' })
      for (const query of ['fields=titel', 'exclude=', 'fields=title&exclude=slug'])
        expect((await verso.get(`/v1/posts/one?${query}`)).body.code, query).toBe('invalid_parameter')
      expect((await verso.get('/v1/posts/one?field=title')).body.code).toBe('unknown_parameter')
    })
  })
}
