import { describe, expect, it } from 'vitest'
import { engines, startVerso, type TestApp } from '../harness/harness.ts'

/** The lists that a resource has, each of two resources, with three items or more. */
async function twins(verso: TestApp, admin: string): Promise<readonly (readonly [string, string])[]> {
  const posts: string[] = []
  const webhooks: string[] = []
  for (const name of ['one', 'two']) {
    const { body: post } = await verso.post('/v1/posts', { title: name })
    const { body: webhook } = await verso.post(
      '/v1/admin/webhooks',
      { name, url: 'https://example.com/hook', events: ['post.published'] },
      { key: admin },
    )
    for (let n = 0; n < 3; n++) {
      await verso.patch(`/v1/posts/${post.id}`, { excerpt: `${n}` })
      await verso.post(`/v1/posts/${post.id}/preview-tokens`)
      await verso.post(`/v1/admin/webhooks/${webhook.id}/test`, undefined, { key: admin })
    }
    posts.push(`/v1/posts/${post.id}`)
    webhooks.push(`/v1/admin/webhooks/${webhook.id}`)
  }
  const both = ([one = '', two = '']: readonly string[], list: string) => [`${one}/${list}`, `${two}/${list}`] as const
  return [both(posts, 'revisions'), both(posts, 'preview-tokens'), both(webhooks, 'deliveries')]
}

for (const engine of engines) {
  describe(`cursors of lists within a resource on ${engine.name}`, () => {
    it('GET of the same list of another resource: 400 invalid_cursor; of its own, also under another slug: 200', async () => {
      const verso = await startVerso(engine)
      const key = await verso.keyWith('admin', 'posts:write')
      for (const [mine, theirs] of await twins(verso, key)) {
        const { body, headers } = await verso.get(`${mine}?limit=1`, { key })
        const query = `?limit=2&cursor=${body.pagination.nextCursor}`
        expect(await verso.get(theirs + query, { key }), theirs).toMatchObject({
          status: 400,
          body: { code: 'invalid_cursor', errors: [{ parameter: 'cursor', code: 'other_list' }] },
        })
        const next = await verso.get(mine + query, { key })
        expect([next.status, next.body.data.length], mine).toEqual([200, 2])
        expect(headers.get('link')).toContain('rel="next"')
        const seen = [body.data[0], ...next.body.data]
        const whole = await verso.get(mine, { key })
        expect(whole.body.data.slice(0, 3)).toEqual(seen)
        const none = mine.replace(/_\w+/, '_0none')
        expect((await verso.get(none + query, { key })).status, none).toBe(404)
      }
      const { body } = await verso.get('/v1/posts/one/revisions?limit=1')
      await verso.patch('/v1/posts/one', { slug: 'three' })
      expect((await verso.get(`/v1/posts/three/revisions?cursor=${body.pagination.nextCursor}`)).status).toBe(200)
    })
  })
}
