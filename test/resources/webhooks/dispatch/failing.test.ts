import { describe, expect, it } from 'vitest'
import { nextTry } from '../../../../src/resources/webhooks/dispatch/retry-schedule.ts'
import { toInstant } from '../../../../src/values/instant.ts'
import { engines, seededRandom } from '../../../harness/harness.ts'
import { day, hour, minute, type Received, second, startReceiver, startWithWebhooks } from '../receiver.ts'

const path = '/v1/admin/webhooks'
const pauses = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour, 24 * hour]

it('the schedule: 5 s, 5 min, 30 min, 2, 5, 10, 14, 20, 24 h, then daily to day seven, each within a tenth', () => {
  const start = toInstant(new Date('2026-06-01T00:00:00Z'))
  const random = seededRandom('schedule')
  let now = start
  const taken: number[] = []
  for (let tries = 1; ; tries++) {
    const next = nextTry(tries, start, now, random)
    if (next === undefined) break
    taken.push(Date.parse(next) - Date.parse(now))
    now = next
  }
  expect(taken.length).toBeGreaterThanOrEqual(12)
  for (const [i, ms] of taken.entries()) expect(Math.abs(ms / (pauses[i] ?? day) - 1)).toBeLessThanOrEqual(0.1)
  expect(new Set(taken.map((ms, i) => ms / (pauses[i] ?? day))).size).toBeGreaterThan(5)
  expect(Date.parse(now) - Date.parse(start)).toBeGreaterThanOrEqual(7 * day)
})

const ids = (received: readonly Received[]) => received.map(({ id }) => id)

for (const engine of engines) {
  describe(`webhooks that fail on ${engine.name}`, () => {
    it('a delivery is tried again when its time has come, and not before', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      const { id } = await verso.webhook(receiver.url)
      receiver.answer(() => 500)
      await verso.post('/v1/posts', { title: 'One' })
      await verso.dispatch()
      for (const [tries, pause] of pauses.slice(0, 5).entries()) {
        expect(receiver.received).toHaveLength(tries + 1)
        await verso.after(0.89 * pause)
        expect(receiver.received).toHaveLength(tries + 1)
        await verso.after(0.22 * pause)
      }
      expect(receiver.received).toHaveLength(6)
      expect(new Set(ids(receiver.received)).size).toBe(1)
      const [delivery] = (await verso.deliveries(id)).body.data
      expect(delivery).toMatchObject({ status: 'waiting', tries: 6, lastStatus: 500 })
      expect((await verso.get(`${path}/${id}`, verso.admin)).body.failingSince).toBe('2026-06-01T12:00:00.000Z')
    })

    it('later events of a post wait for its earlier ones; other posts do not', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      await verso.webhook(receiver.url)
      const { body: post } = await verso.post('/v1/posts', { title: 'Stuck' })
      receiver.answer(({ payload }) => (payload.data.id === post.id ? 500 : 200))
      await verso.dispatch()
      await verso.patch(`/v1/posts/${post.id}`, { excerpt: 'x' })
      await verso.after(6 * second)
      await verso.post('/v1/posts', { title: 'Free' })
      await verso.after(11 * second)
      const events = receiver.received.map(({ payload }) => `${payload.revision} ${payload.type}`)
      expect(events).not.toContain('2 post.updated')
      expect(events).toContain('3 post.created')
      receiver.answer(() => 200)
      await verso.after(hour)
      expect(receiver.received.slice(-2).map(({ payload }) => payload.type)).toEqual(['post.created', 'post.updated'])
    })

    it('the first success wakes all that waits', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      const { id } = await verso.webhook(receiver.url)
      receiver.answer(() => 503)
      for (let n = 0; n < 5; n++) await verso.post('/v1/posts', { title: `Post ${n}` })
      await verso.dispatch()
      for (let n = 0; n < 6; n++) await verso.after(6 * minute)
      expect((await verso.deliveries(id, '?status=delivered')).body.data).toEqual([])
      receiver.answer(() => 200)
      await verso.post('/v1/posts', { title: 'The last' })
      await verso.after(6 * minute)
      expect((await verso.deliveries(id, '?status=delivered')).body.pagination.total).toBe(6)
      expect((await verso.get(`${path}/${id}`, verso.admin)).body.failingSince).toBeNull()
    })

    it('an endpoint that is down is tried once at a time, whatever waits for it', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      await verso.webhook(receiver.url)
      receiver.answer(() => 503)
      for (let n = 0; n < 30; n++) await verso.post('/v1/posts', { title: `Post ${n}` })
      await verso.dispatch()
      expect(receiver.received.length).toBeLessThanOrEqual(8)
      await verso.dispatch()
      expect(receiver.received.length).toBeLessThanOrEqual(8)
      const before = receiver.received.length
      await verso.after(6 * minute)
      expect(receiver.received.length).toBe(before + 1)
    })

    it('disabled after five days of failure only, with the reason; switched on it goes on, and nothing is lost', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      const { id } = await verso.webhook(receiver.url)
      receiver.answer(() => 500)
      await verso.post('/v1/posts', { title: 'One' })
      await verso.dispatch()
      for (let days = 0; days < 4; days++) await verso.after(day)
      expect((await verso.get(`${path}/${id}`, verso.admin)).body.enabled).toBe(true)
      for (let days = 0; days < 2; days++) await verso.after(day)
      const { body } = await verso.get(`${path}/${id}`, verso.admin)
      expect(body).toMatchObject({ enabled: false, disabledAt: '2026-06-06T12:00:00.000Z' })
      expect(body.disabledReason).toMatch(
        /^Every try failed for five days, since 2026-06-01T12:00:00.000Z. The last: The receiver answered 500/,
      )
      const tries = receiver.received.length
      await verso.post('/v1/posts', { title: 'Two' })
      await verso.after(day)
      expect(receiver.received).toHaveLength(tries)
      receiver.answer(() => 200)
      await verso.patch(`${path}/${id}`, { enabled: true }, verso.admin)
      await verso.dispatch()
      expect(receiver.received.slice(tries).map(({ payload }) => payload.revision)).toEqual([1, 2])
      expect(statusCounts(await verso.deliveries(id))).toEqual({ delivered: 2 })
    })

    it('two failures with days between them in which nothing was tried do not disable it; five days of failures from then on do', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      const { id } = await verso.webhook(receiver.url)
      const told = async () => (await verso.get(`${path}/${id}`, verso.admin)).body
      receiver.answer(() => 500)
      await verso.post(`${path}/${id}/test`, undefined, verso.admin)
      await verso.dispatch()
      expect(await told()).toMatchObject({ enabled: true, failingSince: '2026-06-01T12:00:00.000Z' })
      await verso.after(6 * day)
      await verso.post('/v1/posts', { title: 'One' })
      await verso.dispatch()
      expect(await told()).toMatchObject({ enabled: true, failingSince: '2026-06-07T12:00:00.000Z' })
      for (let days = 0; days < 5; days++) await verso.after(day)
      expect(await told()).toMatchObject({ enabled: false, disabledAt: '2026-06-12T12:00:00.000Z' })
    })

    it('PATCH with another URL on the fifth day: what waits is sent at once, and five days count anew', async () => {
      const verso = await startWithWebhooks(engine)
      const [wrong, right] = [await startReceiver(), await startReceiver()]
      const { id } = await verso.webhook(wrong.url)
      wrong.answer(() => 404)
      right.answer(() => 500)
      await verso.post('/v1/posts', { title: 'One' })
      await verso.dispatch()
      for (let days = 0; days < 4; days++) await verso.after(day)
      await verso.post('/v1/posts', { title: 'Two' })
      await verso.dispatch()
      const moved = await verso.patch(`${path}/${id}`, { url: right.url }, verso.admin)
      expect(moved.body).toMatchObject({ enabled: true, failingSince: null })
      await verso.dispatch()
      expect(right.received.length).toBe(2)
      for (let days = 0; days < 4; days++) await verso.after(day)
      expect((await verso.get(`${path}/${id}`, verso.admin)).body).toMatchObject({
        enabled: true,
        failingSince: '2026-06-05T12:00:00.000Z',
      })
      right.answer(() => 200)
      await verso.after(day / 2)
      expect(statusCounts(await verso.deliveries(id))).toEqual({ delivered: 2 })
    })

    it('one success in between, and it is not disabled', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      const { id } = await verso.webhook(receiver.url)
      for (let days = 0; days < 8; days++) {
        receiver.answer(() => (days === 4 ? 200 : 500))
        await verso.post('/v1/posts', { title: `Day ${days}` })
        await verso.after(day)
      }
      expect((await verso.get(`${path}/${id}`, verso.admin)).body.enabled).toBe(true)
    })

    it('410 disables at once', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      const { id } = await verso.webhook(receiver.url)
      receiver.answer(() => 410)
      await verso.post('/v1/posts', { title: 'One' })
      await verso.dispatch()
      const { body } = await verso.get(`${path}/${id}`, verso.admin)
      expect(body).toMatchObject({ enabled: false, disabledReason: 'The receiver answered 410: it is gone for good.' })
    })

    it.each([301, 302, 307, 400, 404, 429])('%i is no success', async (status) => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver({ location: 'http://127.0.0.1:1/' })
      const { id } = await verso.webhook(receiver.url)
      receiver.answer(() => status)
      await verso.post('/v1/posts', { title: 'One' })
      await verso.dispatch()
      expect((await verso.deliveries(id)).body.data).toMatchObject([{ status: 'waiting', lastStatus: status }])
      expect(receiver.received).toHaveLength(1)
    })

    it('a slow receiver keeps nobody else waiting', async () => {
      const verso = await startWithWebhooks(engine)
      const [slow, quick] = [await startReceiver(), await startReceiver()]
      await verso.webhook(slow.url)
      const { id } = await verso.webhook(quick.url)
      let release: (status: number) => void = () => undefined
      const held = new Promise<number>((resolve) => {
        release = resolve
      })
      slow.answer(() => held)
      let all: Promise<void> | undefined
      for (let n = 1; n <= 20; n++) {
        await verso.post('/v1/posts', { title: `Post ${n}` })
        const turn = verso.dispatch()
        all ??= turn
        if (n > 1) await turn
      }
      expect((await verso.deliveries(id, '?status=delivered')).body.pagination.total).toBe(20)
      expect(slow.received.length).toBeLessThanOrEqual(8)
      release(200)
      await all
      await verso.dispatch()
      expect(new Set(ids(slow.received)).size).toBe(20)
    })

    it('what could not be sent is told in words', async () => {
      const verso = await startWithWebhooks(engine, { env: { VERSO_WEBHOOK_ALLOW: 'localhost' } })
      const { id } = await verso.webhook('http://localhost:9/')
      await verso.post('/v1/posts', { title: 'One' })
      await verso.dispatch()
      expect((await verso.deliveries(id)).body.data).toMatchObject([{ status: 'waiting', lastError: 'The connection was refused.' }])
    })
  })
}

function statusCounts({ body }: { readonly body: { readonly data: readonly { readonly status: string }[] } }): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of body.data) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
