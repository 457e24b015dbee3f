import { describe, expect, it } from 'vitest'
import { engines, startVerso, type TestApp } from '../../../harness/harness.ts'

const start = '2026-06-01T12:00:00.000Z'

/** The ids of the project's keys by a word of their name. */
async function keysOf(verso: TestApp): Promise<{ admin: { key: string }; secret: string; public: string }> {
  const admin = { key: await verso.keyWith('admin') }
  const { body } = await verso.get('/v1/admin/keys', admin)
  const idOf = (kind: string) => body.data.find((key: { kind: string; scopes: string[] }) => key.kind === kind && key.scopes.length > 1).id
  return { admin, secret: idOf('secret'), public: idOf('public') }
}

for (const engine of engines) {
  describe(`GET /v1/posts/{idOrSlug}/visibility on ${engine.name}`, () => {
    it('follows a post from draft to trash and back, for the public', async () => {
      const verso = await startVerso(engine)
      const { body: post } = await verso.post('/v1/posts', { title: 'One' })
      const told = async () => {
        const { body } = await verso.get(`/v1/posts/${post.id}/visibility`)
        return [body.visible, body.rule, body.status, body.since, body.until]
      }
      const travel = (day: number) => verso.context.travelTo(`2026-06-0${day}T12:00:00Z`)
      const at = (day: number) => `2026-06-0${day}T12:00:00.000Z`
      expect(await told()).toEqual([false, 'draft', 'draft', start, null])
      await verso.patch('/v1/posts/one', { status: 'scheduled', scheduledFor: at(3) })
      expect(await told()).toEqual([false, 'scheduled', 'scheduled', start, at(3)])
      travel(3)
      expect(await told()).toEqual([true, 'published', 'published', at(3), null])
      travel(4)
      await verso.patch('/v1/posts/one', { status: 'archived' })
      expect(await told()).toEqual([false, 'archived', 'archived', at(4), null])
      travel(5)
      await verso.patch('/v1/posts/one', { status: 'published' })
      expect(await told()).toEqual([true, 'published', 'published', at(5), null])
      travel(6)
      await verso.delete('/v1/posts/one')
      expect(await told()).toEqual([false, 'trashed', 'published', at(6), null])
      travel(7)
      await verso.post(`/v1/posts/${post.id}/restore`)
      expect(await told()).toEqual([true, 'published', 'published', at(7), null])
    })

    it('since its creation, for a post that was archived with a date of publication when it was created', async () => {
      const verso = await startVerso(engine)
      const { body: post } = await verso.post('/v1/posts', { title: 'Old', status: 'archived', publishedAt: '2020-01-01T00:00:00Z' })
      verso.context.travelTo('2026-06-02T12:00:00Z')
      await verso.patch(`/v1/posts/${post.id}`, { excerpt: 'x' })
      const told = { visible: false, rule: 'archived', since: start, until: null }
      expect((await verso.get(`/v1/posts/${post.id}/visibility`)).body).toMatchObject(told)
      await verso.delete(`/v1/posts/${post.id}`)
      expect((await verso.get(`/v1/posts/${post.id}/visibility`)).body).toMatchObject({ ...told, rule: 'trashed' })
    })

    it('says of a key what it sees, and it is so', async () => {
      const verso = await startVerso(engine)
      const keys = await keysOf(verso)
      await verso.post('/v1/posts', { title: 'Draft' })
      await verso.post('/v1/posts', { title: 'Public', status: 'published' })
      const { body: media } = await verso.post('/v1/admin/keys', { name: 'media', kind: 'secret', scopes: ['media:read'] }, keys.admin)
      const { body: gone } = await verso.post('/v1/admin/keys', { name: 'gone', kind: 'secret' }, keys.admin)
      await verso.delete(`/v1/admin/keys/${gone.id}`, keys.admin)
      const rows = [
        [keys.secret, verso.secret, 'read_drafts', 'published'],
        [keys.public, verso.public, 'draft', 'published'],
        [media.id, media.token, 'scope_missing', 'scope_missing'],
        [gone.id, gone.token, 'key_revoked', 'key_revoked'],
      ]
      for (const [id, token, ...rules] of rows) {
        for (const [slug, rule] of [
          ['draft', rules[0]],
          ['public', rules[1]],
        ] as const) {
          const { body } = await verso.get(`/v1/posts/${slug}/visibility?key=${id}`)
          expect(body.rule).toBe(rule)
          expect((await verso.get(`/v1/posts/${slug}`, { key: token })).status === 200).toBe(body.visible)
        }
      }
    })

    it('a key that ends: until then, and not again', async () => {
      const verso = await startVerso(engine)
      const { admin } = await keysOf(verso)
      const make = async (expiresAt: string) =>
        (await verso.post('/v1/admin/keys', { name: 'short', kind: 'public', expiresAt }, admin)).body.id as string
      verso.context.travelTo('2026-06-02T00:00:00Z')
      await verso.post('/v1/posts', { title: 'Live', status: 'published' })
      await verso.post('/v1/posts', { title: 'Later', status: 'scheduled', scheduledFor: '2026-06-10T00:00:00Z' })
      verso.context.travelTo('2026-06-03T00:00:00Z')
      const [short, long] = [await make('2026-06-10T00:00:00Z'), await make('2026-07-01T00:00:00Z')]
      const told = async (slug: string, id: string) => (await verso.get(`/v1/posts/${slug}/visibility?key=${id}`)).body
      expect(await told('live', short)).toMatchObject({
        visible: true,
        since: '2026-06-03T00:00:00.000Z',
        until: '2026-06-10T00:00:00.000Z',
      })
      expect(await told('later', short)).toMatchObject({ visible: false, rule: 'scheduled', until: null })
      expect(await told('later', long)).toMatchObject({ visible: false, rule: 'scheduled', until: '2026-06-10T00:00:00.000Z' })
      verso.context.travelTo('2026-06-10T00:00:00Z')
      expect(await told('live', short)).toMatchObject({
        visible: false,
        rule: 'key_expired',
        since: '2026-06-10T00:00:00.000Z',
        until: null,
      })
      expect(await told('later', long)).toMatchObject({ visible: true, rule: 'published', until: '2026-07-01T00:00:00.000Z' })
    })

    it('404 for a post or key that is not there or another project’s; 403 without posts:read_drafts', async () => {
      const verso = await startVerso(engine)
      const other = await verso.otherProject('other')
      const keys = await keysOf(verso)
      const { body: post } = await verso.post('/v1/posts', { title: 'One' })
      await other.post('/v1/posts', { title: 'Two' })
      const details = [
        await other.get(`/v1/posts/${post.id}/visibility`),
        await verso.get('/v1/posts/two/visibility'),
        await other.get(`/v1/posts/two/visibility?key=${keys.public}`),
        await verso.get('/v1/posts/one/visibility?key=key_none'),
        await verso.get('/v1/posts/one/visibility?key=nonsense'),
      ].map(({ status, body }) => [status, body.detail])
      const [noPost, noKey] = [
        [404, 'There is no such post.'],
        [404, 'There is no such key.'],
      ]
      expect(details).toEqual([noPost, noPost, noKey, noKey, noKey])
      expect((await verso.get('/v1/posts/one/visibility', { key: verso.public })).body.scope).toBe('posts:read_drafts')
    })

    it.each([
      ['key=', 'invalid_parameter'],
      ['key=a&key=b', 'invalid_parameter'],
      ['key=%00', 'invalid_parameter'],
      ['keys=a', 'unknown_parameter'],
    ])('400 for ?%s: %s', async (query, code) => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One' })
      expect((await verso.get(`/v1/posts/one/visibility?${query}`)).body).toMatchObject({ status: 400, code })
    })
  })
}
