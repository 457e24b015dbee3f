import pino from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type App, startApp } from '../../src/app.ts'
import { type Caller, operator } from '../../src/caller.ts'
import { type DatabaseAddress, readConfig } from '../../src/config.ts'
import { newId, type ProjectId } from '../../src/ids.ts'
import { toInstant } from '../../src/instant.ts'
import { createPost, patchPost } from '../../src/posts/post-actions.ts'
import { createProject } from '../../src/projects/project-actions.ts'
import { createWebhook } from '../../src/webhooks/webhook-actions.ts'
import { engines, seededRandom, type TestContext, type TestEngine, testContext } from '../harness.ts'
import { hour, jobOf, minute, type Received, type Receiver, startReceiver } from './receiver.ts'

const allow = ['127.0.0.1']
const events = 400

/** A database on which programs are started and dropped, as if they had been killed: what they were at is left as it is. */
async function startInstallation(engine: TestEngine, context: TestContext) {
  const { address, drop } = await engine.create()
  const started: App[] = []
  onTestFinished(async () => {
    for (const app of started) await app.stop()
    await drop()
  })
  const start = async () => {
    const app = await startNode(address, context)
    started.push(app)
    return app
  }
  const first = await start()
  const now = toInstant(context.now())
  const projectId = newId('prj', now, context.random)
  await first.core.perform(createProject, operator(projectId, 'cli', now), {
    slug: 'default',
    name: 'default',
    siteUrl: null,
    permalink: null,
  })
  return { first, start, projectId, caller: () => operator(projectId, 'cli', toInstant(context.now())) }
}

function startNode(database: DatabaseAddress, context: TestContext): Promise<App> {
  const config = { ...readConfig({ host: '127.0.0.1', port: '0' }, { VERSO_WEBHOOK_ALLOW: allow.join() }), database }
  return startApp({ config, context, log: pino({ level: 'fatal' }) })
}

async function endpoint({ core }: App, projectId: ProjectId, context: TestContext, receiver: Receiver): Promise<void> {
  const body = { ok: true as const, value: { url: receiver.url, events: ['post.*' as const] } }
  await core.perform(createWebhook, operator(projectId, 'cli', toInstant(context.now())), { allow, body })
}

/** Puts many events into the log, five of every post. */
async function write({ core }: App, caller: Caller, count: number): Promise<void> {
  const { random } = core.context
  await core.engine.write(async (tx) => {
    const ids: string[] = []
    for (let i = 0; i < count / 5; i++) {
      const { id } = await createPost.run(tx, caller, { body: { ok: true, value: { title: `Post ${i}` } } }, random)
      ids.push(id)
    }
    for (const excerpt of ['b', 'c', 'd', 'e']) {
      for (const idOrSlug of ids)
        await patchPost.run(tx, caller, { idOrSlug, ifMatch: 'any', body: { ok: true, value: { excerpt } } }, random)
    }
  })
}

/** The revisions of every post in the order in which they came. */
function revisionsOf(received: readonly Received[]): readonly (readonly number[])[] {
  const posts = new Map<string, number[]>()
  for (const { payload } of received) posts.set(payload.data.id, [...(posts.get(payload.data.id) ?? []), payload.revision])
  return [...posts.values()]
}

/** What a receiver keeps that drops repeats by `webhook-id`. */
function withoutRepeats(received: readonly Received[]): readonly Received[] {
  return [...new Map(received.toReversed().map((each) => [each.id, each])).values()].toReversed()
}

for (const engine of engines) {
  describe(`webhooks that must not be lost on ${engine.name}`, () => {
    it(`a receiver down for 72 hours, then flaky, the service killed along the way: ${events} of ${events} arrive, and its neighbour never waits`, async () => {
      const context = testContext('2026-06-01T12:00:00.000Z', seededRandom('flaky'))
      const { first, start, projectId, caller } = await startInstallation(engine, context)
      const [flaky, healthy] = [await startReceiver(), await startReceiver()]
      await endpoint(first, projectId, context, flaky)
      await endpoint(first, projectId, context, healthy)
      flaky.answer(() => 503)
      let app = first
      for (let part = 0; part < 8; part++) {
        await write(app, caller(), events / 8)
        await jobOf({ app }, 'webhooks')
        expect(withoutRepeats(healthy.received)).toHaveLength((events / 8) * (part + 1))
        context.travelTo(new Date(context.now().getTime() + 9 * hour).toISOString())
      }
      const chance = seededRandom('receiver')
      let until = 60
      const silence = new Promise<number>(() => undefined)
      flaky.answer(() => (--until === 0 ? silence : (chance(1)[0] ?? 0) < 0.3 * 256 ? 500 : 200))
      for (let turn = 0; turn < 400 && (await openDeliveries(app)) > 0; turn++) {
        const work = jobOf({ app }, 'webhooks')
        const died = await Promise.race([work.then(() => false), diedAt(() => until <= 0)])
        if (died) {
          app = await start()
          until = 120
        }
        context.travelTo(new Date(context.now().getTime() + 2 * minute).toISOString())
      }
      expect(await openDeliveries(app)).toBe(0)
      const arrived = withoutRepeats(flaky.received)
      expect(arrived).toHaveLength(events)
      for (const revisions of revisionsOf(arrived)) expect(revisions).toEqual(revisions.toSorted((a, b) => a - b))
      expect(healthy.received).toHaveLength(events)
    }, 120_000)

    it('two dispatchers at once never send the same delivery at the same time', async () => {
      const context = testContext()
      const { first, start, projectId, caller } = await startInstallation(engine, context)
      const receiver = await startReceiver()
      await endpoint(first, projectId, context, receiver)
      await write(first, caller(), 200)
      // Connections of one process cannot wait for each other on SQLite, which blocks while it waits.
      const nodes = first.core.engine.abilities.writesOneByOne ? [first] : [first, await start(), await start()]
      await Promise.all([...nodes, ...nodes, ...nodes].map((app) => jobOf({ app }, 'webhooks')))
      for (const app of nodes) await jobOf({ app }, 'webhooks')
      expect(receiver.received).toHaveLength(200)
      expect(withoutRepeats(receiver.received)).toHaveLength(200)
    })

    it('what a killed one had begun is sent by another once its lease is over, and its late word counts for nothing', async () => {
      const context = testContext()
      const { first, start, projectId, caller } = await startInstallation(engine, context)
      const receiver = await startReceiver()
      await endpoint(first, projectId, context, receiver)
      await write(first, caller(), 1)
      let answerLate: (status: number) => void = () => undefined
      const late = new Promise<number>((resolve) => {
        answerLate = resolve
      })
      const arrived = new Promise<void>((done) => {
        receiver.answer(() => {
          done()
          return late
        })
      })
      const begun = jobOf({ app: first }, 'webhooks')
      await arrived
      receiver.answer(() => 200)
      const second = await start()
      await jobOf({ app: second }, 'webhooks')
      expect(receiver.received).toHaveLength(1)
      context.travelTo(new Date(context.now().getTime() + 2 * minute).toISOString())
      await jobOf({ app: second }, 'webhooks')
      const created = receiver.received.filter(({ payload }) => payload.type === 'post.created')
      expect(created).toHaveLength(2)
      answerLate(500)
      await begun
      const rows = await second.core.db.selectFrom('webhook_deliveries').selectAll().where('type', '=', 'post.created').execute()
      expect(rows.map(({ status, tries, last_status }) => [status, tries, last_status])).toEqual([['delivered', 1, 200]])
    })
  })
}

async function openDeliveries({ core }: App): Promise<number> {
  const rows = await core.db.selectFrom('webhook_deliveries').select('id').where('status', 'in', ['waiting', 'sending']).execute()
  return rows.length
}

/** Resolves once something holds. */
async function diedAt(holds: () => boolean): Promise<boolean> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
  return true
}
