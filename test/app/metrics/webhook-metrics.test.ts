import { describe, expect, it } from 'vitest'
import { engines } from '../../harness/harness.ts'
import { env, samplesOf, token } from '../../harness/metric-samples.ts'
import { day, hour, minute, startReceiver, startWithWebhooks } from '../../resources/webhooks/receiver.ts'

for (const engine of engines) {
  describe(`GET /metrics: webhooks on ${engine.name}`, () => {
    it('what waits, how old the oldest of it is, and how tries went', async () => {
      const verso = await startWithWebhooks(engine, { env })
      const receiver = await startReceiver()
      await verso.webhook(receiver.url)
      const webhooks = async () => {
        const samples = await samplesOf(verso)
        const tries = ['delivered', 'failed', 'given_up'].map(
          (outcome) => samples.get(`verso_webhook_tries_total{outcome="${outcome}"}`) ?? 0,
        )
        const queue = ['deliveries', 'oldest_seconds'].map((name) => samples.get(`verso_webhook_queue_${name}`))
        return { queue, tries, disabled: samples.get('verso_webhook_disabled_total') }
      }
      await verso.post('/v1/posts', { title: 'One' })
      await verso.dispatch()
      expect(await webhooks()).toEqual({ queue: [0, 0], tries: [1, 0, 0], disabled: 0 })
      receiver.answer(() => 503)
      await verso.post('/v1/posts', { title: 'Two' })
      await verso.after(0)
      verso.context.travelTo('2026-06-01T12:01:00.000Z')
      await verso.post('/v1/posts', { title: 'Three' })
      await verso.after(minute)
      expect(await webhooks()).toEqual({ queue: [2, 120], tries: [1, 2, 0], disabled: 0 })
      receiver.answer(() => 410)
      await verso.after(hour)
      expect(await webhooks()).toEqual({ queue: [0, 0], tries: [1, 3, 0], disabled: 1 })
    })

    it('a delivery that is given up after seven days', async () => {
      const verso = await startWithWebhooks(engine, { env })
      const receiver = await startReceiver()
      await verso.webhook(receiver.url)
      receiver.answer(({ payload }) => (payload.data.title === 'Bad' ? 500 : 200))
      await verso.post('/v1/posts', { title: 'Bad' })
      for (let days = 0; days < 9; days++) {
        await verso.post('/v1/posts', { title: `Good ${days}` })
        await verso.after(day)
        await verso.after(hour)
      }
      expect((await samplesOf(verso)).get('verso_webhook_tries_total{outcome="given_up"}')).toBe(1)
    })

    it('the queue costs one statement, whenever somebody looks and never else', async () => {
      const verso = await startWithWebhooks(engine, { env })
      const counts = () => verso.statements.filter((sql) => sql.includes('webhook_deliveries')).length
      await verso.post('/v1/posts', { title: 'One' })
      await verso.get('/v1/posts')
      expect(counts()).toBe(0)
      for (let times = 1; times <= 3; times++) {
        await verso.get('/metrics', { key: token })
        expect(counts()).toBe(times)
      }
    })
  })
}
