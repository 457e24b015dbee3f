import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { engines } from '../../../harness/harness.ts'
import { startReceiver, startWithWebhooks } from '../receiver.ts'

const [sqlite] = engines

describe('the queue of webhooks', () => {
  it('a turn reads what is still to be sent, and never all that was', async () => {
    if (!sqlite) throw new Error('SQLite is not among the engines')
    const verso = await startWithWebhooks(sqlite)
    const receiver = await startReceiver()
    await verso.webhook(receiver.url)
    await verso.post('/v1/posts', { title: 'One' })
    verso.statements.length = 0
    await verso.dispatch()
    expect(receiver.received).toHaveLength(1)
    const queries = verso.statements.filter((text) => /^(select|update) .*webhook_deliveries/.test(text))
    expect(queries.length).toBeGreaterThanOrEqual(4)
    for (const query of queries) {
      const plan = sql<{ detail: string }>`explain query plan ${sql.raw(query.replaceAll('?', "'1'"))}`
      const { rows } = await plan.execute(verso.app.installation.db as never)
      const steps = rows.map(({ detail }) => detail).filter((detail) => /webhook_deliveries|due|earlier/.test(detail))
      expect(steps.length, query).toBeGreaterThan(0)
      const narrow = /INDEX webhook_deliveries_(open|of_resource) |webhook_deliveries_1 \(project_id=\? AND webhook_id=\? AND id=\?\)/
      for (const step of steps) expect(step, query).toMatch(narrow)
    }
  })

  it('deliveries are claimed 32 at a time, and each outcome costs one statement of the queue', async () => {
    if (!sqlite) throw new Error('SQLite is not among the engines')
    const verso = await startWithWebhooks(sqlite)
    const receiver = await startReceiver()
    await verso.webhook(receiver.url)
    for (let i = 0; i < 64; i++) await verso.post('/v1/posts', { title: `Post ${i}` })
    verso.statements.length = 0
    await verso.dispatch()
    expect(receiver.received).toHaveLength(64)
    const ofQueue = verso.statements.filter((text) => text.includes('webhook_deliveries'))
    const outcomes = ofQueue.filter((text) => text.includes('"last_status" = ?'))
    expect(outcomes).toHaveLength(64)
    expect(
      ofQueue.filter((text) => text.startsWith('update "webhook_deliveries" set "status" = ?, "lease" = ?, "next_try_at" = ?')),
    ).toHaveLength(2)
  })
})

for (const engine of engines) {
  describe(`deliveries that were taken together, on ${engine.name}`, () => {
    it('of a receiver that only fails, eight are tried and the others stay untried', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      const { id } = await verso.webhook(receiver.url)
      for (let i = 0; i < 20; i++) await verso.post('/v1/posts', { title: `Post ${i}` })
      receiver.answer(() => 500)
      await verso.dispatch()
      expect(receiver.received).toHaveLength(8)
      const tries = (await verso.deliveries(id)).body.data.map((each: { status: string; tries: number }) => [each.status, each.tries])
      expect(tries.toSorted()).toEqual([...Array(12).fill(['waiting', 0]), ...Array(8).fill(['waiting', 1])])
    })

    it('one request without an answer holds up no other, and what became of each is known before the next begins', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      const { id } = await verso.webhook(receiver.url)
      for (let i = 0; i < 20; i++) await verso.post('/v1/posts', { title: `Post ${i}` })
      let letGo: () => void = () => undefined
      const allCame = new Promise<void>((resolve) => {
        letGo = resolve
      })
      const known: number[] = []
      receiver.answer(async () => {
        const came = receiver.received.length
        if (came === 20) letGo()
        if (came === 1) await allCame
        if (came > 8) known[came] = (await verso.deliveries(id, '?status=delivered')).body.pagination.total
        return 200
      })
      await verso.dispatch()
      for (const [came, total] of known.entries()) if (came > 8) expect(total).toBeGreaterThanOrEqual(came - 8)
      expect(new Set(receiver.received.map((each) => each.id)).size).toBe(20)
      expect((await verso.deliveries(id, '?status=delivered')).body.pagination.total).toBe(20)
    })

    it('of a service that stops, those that were not begun go back untried', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      const { id } = await verso.webhook(receiver.url)
      for (let i = 0; i < 20; i++) await verso.post('/v1/posts', { title: `Post ${i}` })
      receiver.answer(() => {
        for (const job of verso.app.jobs) job.stop?.()
        return 200
      })
      await verso.dispatch()
      expect(receiver.received).toHaveLength(8)
      expect((await verso.deliveries(id, '?status=waiting')).body.data.map(({ tries }: { tries: number }) => tries)).toEqual(
        Array(12).fill(0),
      )
    })

    it('forty slow receivers keep a quick one waiting no more than one does', async () => {
      const verso = await startWithWebhooks(engine)
      const [slow, quick] = [await startReceiver(), await startReceiver()]
      let release: (status: number) => void = () => undefined
      const held = new Promise<number>((resolve) => {
        release = resolve
      })
      const crowd = new Promise<void>((gathered) => {
        slow.answer(() => {
          if (slow.received.length === 32) gathered()
          return held
        })
      })
      for (const slug of ['one', 'two']) {
        const { keyWith, post } = await verso.otherProject(slug)
        const key = await keyWith('admin')
        for (let n = 0; n < 20; n++) await post('/v1/admin/webhooks', { url: slow.url }, { key })
        await post('/v1/posts', { title: 'One' })
      }
      const first = verso.dispatch()
      await crowd
      await verso.webhook(quick.url)
      await verso.post('/v1/posts', { title: 'One' })
      const delivered = new Promise<void>((arrived) => {
        quick.answer(() => {
          arrived()
          return 200
        })
      })
      const second = verso.after(2_000)
      await delivered
      release(200)
      await Promise.all([first, second])
    })
  })
}
