import { describe, expect, it } from 'vitest'
import { type Answer, engines } from '../../../harness/harness.ts'
import { day, hour, jobOf, startReceiver, startWithWebhooks, verified } from '../receiver.ts'

const path = '/v1/admin/webhooks'
const told = (received: readonly { readonly payload: { readonly type: string; readonly revision: number } }[]) =>
  received.map(({ payload }) => `${payload.revision} ${payload.type}`)
const statusesOf = ({ body }: Answer) => body.data.map(({ status }: { status: string }) => status)

for (const engine of engines) {
  describe(`what webhooks are sent on ${engine.name}`, () => {
    it('every event in the order of the log, signed as Standard Webhooks have it', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      const { id, secret } = await verso.webhook(receiver.url)
      const { body: post } = await verso.post('/v1/posts', { title: 'One', content: '# Ünë 😀' })
      await verso.patch(`/v1/posts/${post.id}`, { status: 'published', tags: ['news'] })
      await verso.dispatch()
      expect(told(receiver.received)).toEqual(['1 post.created', '2 post.published', '2 post.updated'])
      const [first] = receiver.received
      if (!first) throw new Error('nothing came')
      const { body: data } = await verso.get(`/v1/posts/${post.id}`)
      expect(first.payload).toEqual({ type: 'post.created', timestamp: post.createdAt, project: 'default', revision: 1, data })
      expect(first.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': expect.stringMatching(/^Verso\//) })
      for (const each of receiver.received) expect(verified(each, secret, verso.context.now())).toEqual(each.payload)
      expect(() => verified({ ...first, text: first.text.replace('One', 'Two') }, secret, verso.context.now())).toThrow()
      expect(statusesOf(await verso.deliveries(id))).toEqual(['delivered', 'delivered', 'delivered'])
      await verso.dispatch()
      expect(receiver.received).toHaveLength(3)
    })

    it('of what happened before a webhook was made nothing', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      await verso.post('/v1/posts', { title: 'Before' })
      await verso.webhook(receiver.url)
      await verso.post('/v1/posts', { title: 'After' })
      await verso.dispatch()
      expect(told(receiver.received)).toEqual(['2 post.created'])
    })

    it('the events that were asked for, of every kind of resource', async () => {
      const verso = await startWithWebhooks(engine)
      const [all, media, deleted] = [await startReceiver(), await startReceiver(), await startReceiver()]
      await verso.webhook(all.url)
      await verso.webhook(media.url, { events: ['media.*'] })
      await verso.webhook(deleted.url, { events: ['post.deleted', 'author.created'] })
      const { body: author } = await verso.post('/v1/admin/authors', { name: 'Ada', email: 'ada@example.com' }, verso.admin)
      await verso.post('/v1/admin/categories', { name: 'News' }, verso.admin)
      const picture = {
        url: 'https://cdn.example.com/a.png',
        filename: 'a.png',
        mimeType: 'image/png',
        size: 1,
        width: 1,
        height: 1,
        alt: '',
      }
      await verso.post('/v1/media', picture)
      const { body: post } = await verso.post('/v1/posts', { title: 'One' })
      await verso.delete(`/v1/posts/${post.id}`)
      await verso.dispatch()
      const every = ['1 author.created', '2 category.created', '3 media.created', '4 post.created', '5 post.deleted']
      expect(told(all.received).toSorted()).toEqual(every)
      expect(told(media.received)).toEqual(['3 media.created'])
      expect(told(deleted.received).toSorted()).toEqual(['1 author.created', '5 post.deleted'])
      const payloads = all.received.map(({ payload }) => payload)
      expect(payloads.find(({ type }) => type === 'author.created').data).toMatchObject({ id: author.id, name: 'Ada', email: null })
      expect(payloads.find(({ type }) => type === 'post.deleted').data).toEqual({ id: post.id })
      expect(payloads.find(({ type }) => type === 'media.created').data).toMatchObject(picture)
    })

    it('PATCH of the events: what happened before it is still sent, and of the rest what is asked for from then on', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      const { id } = await verso.webhook(receiver.url, { events: ['post.*', 'project.changed'] })
      const operations = Array.from({ length: 70 }, () => ({ op: 'create', body: { title: 'Before', status: 'published' } }))
      for (let i = 0; i < 3; i++) await verso.post('/v1/posts/batch', { operations })
      await verso.patch(`${path}/${id}?dry_run=true`, { events: ['author.*'] }, verso.admin)
      const { body } = await verso.patch(`${path}/${id}`, { events: ['author.*'] }, verso.admin)
      expect(body.events).toEqual(['author.*'])
      await verso.post('/v1/posts', { title: 'After' })
      await verso.post('/v1/admin/authors', { name: 'Ada' }, verso.admin)
      await verso.dispatch()
      const types = told(receiver.received).map((each) => each.split(' ')[1])
      const countOf = (type: string) => types.filter((each) => each === type).length
      expect(['post.created', 'post.published', 'project.changed', 'author.created'].map(countOf)).toEqual([210, 210, 1, 1])
      expect(told(receiver.received)).not.toContain('211 post.created')
    })

    it('PATCH of the events of a disabled webhook: of what it missed, it is sent what is asked for when it is enabled', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      const { id } = await verso.webhook(receiver.url, { events: ['post.*'] })
      await verso.patch(`${path}/${id}`, { enabled: false }, verso.admin)
      await verso.post('/v1/posts', { title: 'Missed' })
      await verso.post('/v1/admin/authors', { name: 'Ada' }, verso.admin)
      await verso.patch(`${path}/${id}`, { enabled: true, events: ['author.*'] }, verso.admin)
      await verso.dispatch()
      expect(told(receiver.received)).toEqual(['2 author.created'])
    })

    it('due posts, though nobody asked', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      await verso.webhook(receiver.url, { events: ['post.published'] })
      await verso.post('/v1/posts', { title: 'Later', status: 'scheduled', scheduledFor: '2026-06-02T00:00:00Z' })
      verso.context.travelTo('2026-06-02T00:00:01.000Z')
      await jobOf(verso, 'settle')
      await verso.dispatch()
      expect(receiver.received[0]?.payload.data).toMatchObject({ title: 'Later', status: 'published' })
    })

    it('project.changed once for many changes, of what the public can see alone', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      const { id } = await verso.webhook(receiver.url, { events: ['project.changed'] })
      await verso.post('/v1/posts', { title: 'A draft' })
      await verso.dispatch()
      expect(receiver.received).toEqual([])
      for (let n = 0; n < 5; n++) await verso.post('/v1/posts', { title: `Post ${n}`, status: 'published' })
      receiver.answer(() => 500)
      await verso.dispatch()
      await verso.post('/v1/posts', { title: 'One more', status: 'published' })
      await verso.dispatch()
      expect(statusesOf(await verso.deliveries(id))).toEqual(['waiting'])
      receiver.answer(() => 204)
      await verso.after(hour)
      expect(told(receiver.received)).toEqual(['6 project.changed', '7 project.changed'])
      expect(receiver.received[0]?.id).not.toBe(receiver.received[1]?.id)
      expect(receiver.received[1]?.payload.data).toEqual({})
    })

    it('POST …/test: a ping, once, to a disabled webhook too', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      const { id, secret } = await verso.webhook(receiver.url)
      const { body: made, status } = await verso.post(`${path}/${id}/test`, undefined, verso.admin)
      expect([status, made.type, made.status, made.revision, made.thingId]).toEqual([201, 'webhook.ping', 'waiting', 0, null])
      await verso.patch(`${path}/${id}`, { enabled: false }, verso.admin)
      receiver.answer(() => 503)
      await verso.dispatch()
      await verso.after(day)
      expect(receiver.received).toHaveLength(1)
      expect(receiver.received.map((each) => verified(each, secret, new Date('2026-06-01T12:00:00Z')))).toMatchObject([
        { type: 'webhook.ping' },
      ])
      const { body: failed } = await verso.get(`${path}/${id}/deliveries/${made.id}`, verso.admin)
      expect(failed).toMatchObject({
        status: 'failed',
        tries: 1,
        lastStatus: 503,
        lastError: 'The receiver answered 503; only 2xx is a success.',
      })
    })

    it('two signatures while a secret is being rotated, one after it', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      const { id, secret: old } = await verso.webhook(receiver.url)
      const { body: rotated } = await verso.post(`${path}/${id}/rotate-secret`, { graceHours: 2 }, verso.admin)
      await verso.post('/v1/posts', { title: 'During' })
      await verso.dispatch()
      const [during] = receiver.received
      await verso.after(2 * hour)
      await verso.post('/v1/posts', { title: 'After' })
      await verso.dispatch()
      const after = receiver.received[1]
      if (!during || !after) throw new Error('two should have come')
      expect(String(during.headers['webhook-signature']).split(' ')).toHaveLength(2)
      for (const secret of [old, rotated.secret])
        expect(verified(during, secret, new Date(during.payload.timestamp))).toEqual(during.payload)
      expect(verified(after, rotated.secret, verso.context.now())).toEqual(after.payload)
      expect(() => verified(after, old, verso.context.now())).toThrow()
    })

    it('POST …/redeliver: the same event under the same id, with what the resource is now', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      const { id } = await verso.webhook(receiver.url, { events: ['post.created'] })
      const { body: post } = await verso.post('/v1/posts', { title: 'One' })
      await verso.dispatch()
      await verso.patch(`/v1/posts/${post.id}`, { title: 'Two' })
      const event = receiver.received[0]?.id
      const { body } = await verso.post(`${path}/${id}/deliveries/${event}/redeliver`, undefined, verso.admin)
      expect(body).toMatchObject({ id: event, status: 'waiting', tries: 0, thingId: post.id })
      await verso.dispatch()
      expect(receiver.received.map(({ id, payload }) => [id, payload.data.title])).toEqual([
        [event, 'One'],
        [event, 'Two'],
      ])
    })

    it('POST …/replay: what came after a revision, in order, under the same ids', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      const { id } = await verso.webhook(receiver.url)
      for (let n = 1; n <= 5; n++) await verso.post('/v1/posts', { title: `Post ${n}` })
      await verso.dispatch()
      const before = receiver.received.toSorted((a, b) => a.payload.revision - b.payload.revision).map((each) => each.id)
      receiver.received.length = 0
      await verso.post(`${path}/${id}/replay`, { since: 2 }, verso.admin)
      await verso.dispatch()
      expect(receiver.received.map((each) => each.id).toSorted()).toEqual(before.slice(2).toSorted())
      const late = await startReceiver()
      const { id: newer } = await verso.webhook(late.url)
      await verso.post(`${path}/${newer}/replay`, { since: 0 }, verso.admin)
      await verso.dispatch()
      expect(late.received.map((each) => each.id).toSorted()).toEqual(before.toSorted())
    })

    it('nothing of an erased post but its id, for no content is kept of what is to be sent', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      await verso.webhook(receiver.url)
      receiver.answer(() => 500)
      const { body: post } = await verso.post('/v1/posts', { title: 'Secret', content: 'Secret' })
      await verso.dispatch()
      await verso.delete(`/v1/posts/${post.id}?permanent=true`)
      const rows = await verso.app.installation.db.selectFrom('webhook_deliveries').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain('Secret')
      receiver.answer(() => 200)
      receiver.received.length = 0
      await verso.after(hour)
      expect(receiver.received.map(({ payload }) => payload.data)).toEqual([{ id: post.id }, { id: post.id }])
    })

    it('what is finished is forgotten after 30 days', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      const { id } = await verso.webhook(receiver.url)
      await verso.post('/v1/posts', { title: 'One' })
      await verso.after(0)
      await verso.after(29 * day)
      await jobOf(verso, 'prune-deliveries')
      expect((await verso.deliveries(id)).body.data).toHaveLength(1)
      await verso.after(1.1 * day)
      await jobOf(verso, 'prune-deliveries')
      expect((await verso.deliveries(id)).body.data).toEqual([])
    })

    it('GET …/deliveries: by status and type, page by page', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      const { id } = await verso.webhook(receiver.url)
      for (let n = 1; n <= 3; n++) await verso.post('/v1/posts', { title: `Post ${n}`, status: 'published' })
      await verso.dispatch()
      expect((await verso.deliveries(id, '?type=post.published')).body.pagination.total).toBe(3)
      expect((await verso.deliveries(id, '?status=waiting,failed')).body.data).toEqual([])
      const first = await verso.deliveries(id, '?limit=4')
      const rest = await verso.deliveries(id, `?limit=4&cursor=${first.body.pagination.nextCursor}`)
      expect(new Set([...first.body.data, ...rest.body.data].map((each: { id: string }) => each.id)).size).toBe(6)
      for (const query of ['?status=lost', '?type=post.read', '?sort=tries', '?filter=x'])
        expect((await verso.deliveries(id, query)).status).toBe(400)
    })
  })
}
