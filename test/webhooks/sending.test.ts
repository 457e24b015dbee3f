import { describe, expect, it } from 'vitest'
import { engines } from '../harness.ts'
import { startReceiver, startWithWebhooks, verified } from './receiver.ts'

for (const engine of engines) {
  describe(`what webhooks are sent on ${engine.name}`, () => {
    it('every event in the order of the log, signed as Standard Webhooks have it', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      const { secret } = await verso.webhook(receiver.url)
      const { body: post } = await verso.post('/v1/posts', { title: 'One', content: '# One' })
      await verso.patch(`/v1/posts/${post.id}`, { status: 'published', tags: ['news'] })
      await verso.dispatch()
      const told = receiver.received.map(({ payload }) => [payload.type, payload.revision])
      expect(told).toEqual([
        ['post.created', 1],
        ['post.published', 2],
        ['post.updated', 2],
      ])
      const [first] = receiver.received
      if (!first) throw new Error('nothing came')
      const { body: now } = await verso.get(`/v1/posts/${post.id}`)
      expect(first.payload).toEqual({
        type: 'post.created',
        timestamp: post.createdAt,
        project: 'default',
        revision: 1,
        data: now,
      })
      expect(first.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': expect.stringMatching(/^Verso\//) })
      for (const each of receiver.received) expect(verified(each, secret, verso.context.now())).toEqual(each.payload)
      expect(() => verified({ ...first, text: first.text.replace('One', 'Two') }, secret, verso.context.now())).toThrow()
    })
  })
}
