import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { operator } from '../../../../src/actions/caller.ts'
import { sealingKeys } from '../../../../src/resources/webhooks/sealed-secret.ts'
import { rotateSecret } from '../../../../src/resources/webhooks/webhook-actions.ts'
import { toInstant } from '../../../../src/values/instant.ts'
import { engines } from '../../../harness/harness.ts'
import { type Receiver, startReceiver, startWithWebhooks, verified, type WebhookApp } from '../receiver.ts'

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

    it('PATCH of the URL and POST …/rotate-secret: what was not begun goes to the new URL, signed with the new secret alone', async () => {
      const verso = await startWithWebhooks(engine)
      const [old, other] = [await startReceiver(), await startReceiver()]
      const { id, secret } = await verso.webhook(old.url)
      for (let i = 0; i < 20; i++) await verso.post('/v1/posts', { title: `Post ${i}` })
      const path = `/v1/admin/webhooks/${id}`
      const edited = afterEight(old, async () => {
        await verso.patch(path, { url: other.url }, verso.admin)
        return (await verso.post(`${path}/rotate-secret`, { graceHours: 0 }, verso.admin)).body.secret
      })
      await verso.dispatch()
      const renewed = await edited
      expect([old.received.length, other.received.length]).toEqual([8, 12])
      for (const each of old.received) expect(verified(each, secret, verso.context.now())).toEqual(each.payload)
      for (const each of other.received) {
        expect(verified(each, renewed, verso.context.now())).toEqual(each.payload)
        expect(() => verified(each, secret, verso.context.now())).toThrow()
      }
    })

    it('POST …/rotate-secret with a time of grace: what was not begun has both signatures', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      const { id, secret } = await verso.webhook(receiver.url)
      for (let i = 0; i < 20; i++) await verso.post('/v1/posts', { title: `Post ${i}` })
      const rotated = afterEight(receiver, () => verso.post(`/v1/admin/webhooks/${id}/rotate-secret`, {}, verso.admin))
      await verso.dispatch()
      const { body } = await rotated
      const signatures = receiver.received.map(({ headers }) => String(headers['webhook-signature']).split(' ').length)
      expect(signatures).toEqual([...Array(8).fill(1), ...Array(12).fill(2)])
      for (const each of receiver.received.slice(8))
        for (const one of [secret, body.secret]) expect(verified(each, one, verso.context.now())).toEqual(each.payload)
    })

    it('a secret that was sealed meanwhile with a key that this node does not have: no more is sent, and nothing is lost', async () => {
      const verso = await startWithWebhooks(engine)
      const receiver = await startReceiver()
      const { id } = await verso.webhook(receiver.url)
      for (let i = 0; i < 20; i++) await verso.post('/v1/posts', { title: `Post ${i}` })
      const rotated = afterEight(receiver, () => rotateElsewhere(verso, id))
      await expect(verso.dispatch()).rejects.toThrow('was sealed with a key that this node does not have')
      await rotated
      const total = async (status: string) => (await verso.deliveries(id, `?status=${status}`)).body.pagination.total
      expect([receiver.received.length, await total('delivered'), await total('waiting')]).toEqual([8, 8, 12])
    })

    it('sixteen requests at once to two receivers, and the process has nothing to warn of', async () => {
      const warn = vi.spyOn(process, 'emitWarning')
      onTestFinished(() => warn.mockRestore())
      const verso = await startWithWebhooks(engine)
      const receivers = [await startReceiver(), await startReceiver()]
      for (const { url } of receivers) await verso.webhook(url)
      for (let i = 0; i < 8; i++) await verso.post('/v1/posts', { title: `Post ${i}` })
      let haveCome: () => void = () => undefined
      const allCame = new Promise<void>((resolve) => {
        haveCome = resolve
      })
      for (const receiver of receivers)
        receiver.answer(async () => {
          if (receivers.every(({ received }) => received.length === 8)) haveCome()
          await allCame
          return 200
        })
      await verso.dispatch()
      expect(warn.mock.calls.map(([warning]) => String(warning))).toEqual([])
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

/** Holds back the answers to the first eight requests, which are as many as are sent at once, until something has happened. */
async function afterEight<T>(receiver: Receiver, happens: () => Promise<T>): Promise<T> {
  let haveCome: () => void = () => undefined
  const happened = new Promise<void>((resolve) => {
    haveCome = resolve
  }).then(happens)
  receiver.answer(async () => {
    if (receiver.received.length === 8) haveCome()
    await happened
    return 200
  })
  return happened
}

/** Rotates a secret on a node with another `VERSO_SECRET`. */
async function rotateElsewhere({ app, projectId, context }: WebhookApp, id: string): Promise<void> {
  const keys = sealingKeys(['a value that only the other node has'])
  const caller = operator(projectId, 'cli', toInstant(context.now()))
  await app.installation.perform(rotateSecret, caller, { id, keys, body: { ok: true, value: {} } })
}
