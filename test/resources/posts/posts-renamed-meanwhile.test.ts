import { describe, expect, it } from 'vitest'
import { engines, startVerso } from '../../harness/harness.ts'
import { interrupt } from '../../harness/interruption.ts'

/** Reads a post with its content. */
const ofBody = /join "contents" on/

for (const engine of engines)
  describe(`a post that is renamed while it is read, on ${engine.name}`, () => {
    it.each(['public', 'secret'] as const)('GET /v1/posts/{slug}: 200 where it comes back to that slug, with a %s key', async (kind) => {
      const verso = await startVerso(engine)
      const { body: post } = await verso.post('/v1/posts', { title: 'One', status: 'published' })
      await verso.patch(`/v1/posts/${post.id}`, { slug: 'two' })
      const back = interrupt(verso.app.installation.db, ofBody, { after: () => verso.patch(`/v1/posts/${post.id}`, { slug: 'one' }) })
      const { status, body } = await verso.get('/v1/posts/one', { key: verso[kind] })
      expect(back.happened()).toBe(true)
      expect([status, body.id, body.slug]).toEqual([200, post.id, 'one'])
    })

    it('GET /v1/posts/{slug}: 200 where it comes back to that slug and leaves it again', async () => {
      const verso = await startVerso(engine)
      const { db } = verso.app.installation
      const { body: post } = await verso.post('/v1/posts', { title: 'One', status: 'published' })
      const rename = (slug: string) => verso.patch(`/v1/posts/${post.id}`, { slug })
      await rename('two')
      interrupt(db, ofBody, {
        async after() {
          await rename('one')
          interrupt(db, ofBody, { before: () => rename('three') })
        },
      })
      expect((await verso.get('/v1/posts/one', { key: verso.public })).body).toMatchObject({ id: post.id, slug: 'three' })
      expect((await verso.get('/v1/posts/one', { key: verso.public })).headers.get('location')).toBe('/v1/posts/three')
    })

    it('GET /v1/posts/{slug}: 404 after two statements that look for a post', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One', status: 'published' })
      verso.statements.length = 0
      expect((await verso.get('/v1/posts/two', { key: verso.public })).status).toBe(404)
      expect(verso.statements.filter((sql) => sql.includes('"posts"'))).toHaveLength(2)
    })

    it('GET /v1/posts/{old slug}?preview_token=: 200 where it is renamed again', async () => {
      const verso = await startVerso(engine)
      const { db } = verso.app.installation
      const { body: post } = await verso.post('/v1/posts', { title: 'One', status: 'published' })
      const rename = (slug: string) => verso.patch(`/v1/posts/${post.id}`, { slug })
      const { body: preview } = await verso.post(`/v1/posts/${post.id}/preview-tokens`, {})
      await rename('two')
      interrupt(db, ofBody, { after: () => void interrupt(db, ofBody, { before: () => rename('three') }) })
      const { status, body } = await verso.get(`/v1/posts/one?preview_token=${preview.token}`, { key: null })
      expect([status, body.id, body.slug]).toEqual([200, post.id, 'three'])
    })
  })
