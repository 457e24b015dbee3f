import { describe, expect, it } from 'vitest'
import { type Answer, engines, startVerso } from '../../../harness/harness.ts'

interface Entry {
  readonly action: string
  readonly type: string
  readonly id: string
  readonly data?: { readonly version: number; readonly hasPendingEdit?: boolean; readonly changed?: readonly string[] }
}

/** What a page tells: of a post whether it has a pending edit, of a pending edit what it changes. */
const told = ({ body }: Answer) =>
  body.data.map(({ action, type, data }: Entry) => `${action} ${type} ${data?.hasPendingEdit ?? data?.changed?.join() ?? ''}`.trim())

for (const engine of engines)
  describe(`pending edits in the changes feed on ${engine.name}`, () => {
    it('are told to keys that see drafts, without their text; the post again when it gets or loses one; nothing to a public key', async () => {
      const verso = await startVerso(engine)
      const { body: post } = await verso.post('/v1/posts', { title: 'One', status: 'published' })
      const [path, pending] = [`/v1/posts/${post.id}`, `/v1/posts/${post.id}/pending`]
      const start = async (key: string) => (await verso.get('/v1/changes', { key })).body.nextCursor as string
      const cursors = { secret: await start(verso.secret), public: await start(verso.public) }
      const next = async (who: 'secret' | 'public') => {
        const answer = await verso.get(`/v1/changes?since=${cursors[who]}`, { key: verso[who] })
        cursors[who] = answer.body.nextCursor
        return answer
      }
      const before = cursors.public
      await verso.patch(pending, { title: 'Two', content: 'secret words' })
      const first = await next('secret')
      expect(told(first)).toEqual(['upsert post true', 'upsert pending_edit title,content'])
      expect(first.text).not.toContain('secret words')
      expect(first.body.data[1].data).toEqual({
        id: post.id.replace('post_', 'edit_'),
        postId: post.id,
        version: 1,
        basedOn: 1,
        changed: ['title', 'content'],
        actor: expect.stringMatching(/^key_/),
        updatedAt: '2026-06-01T12:00:00.000Z',
        scheduledFor: null,
        problem: null,
      })
      await verso.patch(pending, { excerpt: 'x' })
      await verso.patch(pending, { excerpt: 'y' })
      expect(told(await next('secret'))).toEqual(['upsert pending_edit title,content,excerpt'])
      expect(told(await verso.get('/v1/changes?types=pending_edit'))).toEqual(['upsert pending_edit title,content,excerpt'])
      await verso.delete(pending)
      expect(told(await next('secret'))).toEqual(['delete pending_edit', 'upsert post false'])
      expect(told(await next('public'))).toEqual([])
      expect(cursors.public).toBe(before)

      await verso.patch(pending, { title: 'Three' })
      await verso.delete(path)
      expect(told(await next('secret'))).toEqual(['delete post', 'delete pending_edit'])
      await verso.post(`${path}/restore`)
      expect((await next('secret')).body.data.map(({ action, type }: Entry) => `${action} ${type}`).sort()).toEqual([
        'upsert pending_edit',
        'upsert post',
      ])
      await verso.post(`${pending}/apply`, { scheduledFor: '2026-06-02T00:00:00Z' })
      expect(told(await next('secret'))).toEqual(['upsert pending_edit title'])
      verso.context.travelTo('2026-06-02T00:00:00Z')
      expect(told(await next('secret'))).toEqual(['delete pending_edit', 'upsert post false'])
      expect(told(await next('public'))).toEqual(['upsert post false'])
      await verso.patch(pending, { title: 'Four' })
      await verso.patch(pending, { title: 'Three' })
      await next('secret')
      await verso.post(`${pending}/apply`)
      expect(told(await next('secret'))).toEqual(['delete pending_edit', 'upsert post false'])
    })

    it('GET /v1/changes?types=pending_edit: 403 without posts:read_drafts; no webhook is called for a save', async () => {
      const verso = await startVerso(engine)
      const admin = { key: await verso.keyWith('admin') }
      const { body: webhook } = await verso.post('/v1/admin/webhooks', { url: 'https://example.com/', events: ['*'] }, admin)
      const refused = await verso.get('/v1/changes?types=pending_edit', { key: verso.public })
      expect(refused.body).toMatchObject({ status: 403, scope: 'posts:read_drafts' })
      const { body: post } = await verso.post('/v1/posts', { title: 'One' })
      await verso.app.jobs.find(({ name }) => name === 'webhooks')?.runOnce()
      const deliveries = async () => (await verso.get(`/v1/admin/webhooks/${webhook.id}/deliveries`, admin)).body.pagination.total
      const before = await deliveries()
      await verso.patch(`/v1/posts/${post.id}/pending`, { title: 'Two' })
      await verso.delete(`/v1/posts/${post.id}/pending`)
      await verso.app.jobs.find(({ name }) => name === 'webhooks')?.runOnce()
      expect(await deliveries()).toBe(before)
    })
  })
