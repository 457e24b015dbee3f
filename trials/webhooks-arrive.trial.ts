import { onTestFinished } from 'vitest'
import type { Installation } from '../src/app/installation.ts'
import type { WebhookId } from '../src/resources/webhooks/webhook.ts'
import { atOnce } from '../test/harness/cluster.ts'
import type { TestEngine } from '../test/harness/databases.ts'
import { asServed, type KeptAlive, pause, startKeptAlive } from './delivery/kept-alive.ts'
import { disorderIn, readLog } from './delivery/log.ts'
import { enoughClaimed, pauseNode } from './delivery/paused-node.ts'
import { type Manner, startTrialReceiver, type TrialReceiver } from './delivery/receivers.ts'
import type { SeededRandom } from './harness/seeded-random.ts'
import { trial } from './harness/trial.ts'

interface Size {
  readonly events: number
  readonly kills: number
  /** How long a receiver that hangs leaves the service without an answer. */
  readonly hangMs: number
  /** All has to have arrived by then after the last write: 250 requests that hang for 15 s, eight at a time, take 8 minutes. */
  readonly patienceMs: number
}

/** Of every post: its creation and four changes. */
const eventsOfPost = 5
/** How long the events of a round may take: longer than the claims of a service that was killed. */
const roundMs = 20_000
const firstManners: readonly Manner[] = ['fail', 'redirect', 'reset', 'hang']

trial<Size>({
  name: 'webhooks-arrive',
  promise:
    'Each event reaches each webhook at least once and in order per post, whatever receivers do and however often the service is killed.',
  over: 'engines',
  sizes: {
    short: { events: 150, kills: 3, hangMs: 1_000, patienceMs: 40_000 },
    full: { events: 5_000, kills: 20, hangMs: 20_000, patienceMs: 1_500_000 },
  },
  minutes: { short: 2, full: 40 },
  async run({ size, engine, random, figure }) {
    const [seen, paused] = await Promise.all([deliver(size, engine, random), engine.name === 'PostgreSQL' ? pauseNode(engine) : undefined])
    figure('events to each of three receivers', seen.events)
    figure('SIGKILLs', seen.kills)
    figure('requests', seen.requests)
    figure('events lost', seen.lost, { exactly: 0 })
    figure('events of a post after a later one of it', seen.disordered, { exactly: 0 })
    figure('receivers that answered 410 once and were left alone', seen.disabled, { exactly: 1 })
    figure('requests in the 1.5 s after the webhook was disabled for a 410', seen.afterGone, { exactly: 0 })
    figure('slowest event to the receiver that never fails, beside one that always hangs', seen.slowestMs / 1_000, {
      atMost: 15,
      unit: 's',
    })
    if (!paused) return
    figure('deliveries that a node had claimed when it was paused', paused.claimed, { atLeast: enoughClaimed })
    figure('events that came after a later one of their post once it went on', paused.disordered, { exactly: 0 })
  },
  controls: {
    async 'deliveries that are taken out of the queue are seen as lost'({ engine, random }) {
      const { lost } = await deliver(small, engine, random, removeOpen)
      return lost
    },
    async 'deliveries that do not wait for each other are seen as out of order'({ engine, random }) {
      const { disordered } = await deliver(small, engine, random, forgetOrder)
      return disordered
    },
  },
})

/** Works on the queue of the webhook that sometimes fails; returns how many of its deliveries there are no more. */
type Tamper = (installation: Installation, webhook: WebhookId) => Promise<number>

const small: Size = { events: 50, kills: 0, hangMs: 500, patienceMs: 25_000 }

/** Takes what is still to be sent out of the queue; returns how many deliveries there are no more. */
async function removeOpen({ engine }: Installation, webhook: WebhookId): Promise<number> {
  return engine.write(async (tx) => {
    const gone = await tx
      .deleteFrom('webhook_deliveries')
      .where('webhook_id', '=', webhook)
      .where('status', '=', 'waiting')
      .returning('id')
      .execute()
    return gone.length
  })
}

/** Lets each delivery be one of a resource of its own. */
async function forgetOrder({ engine }: Installation, webhook: WebhookId): Promise<number> {
  await engine.write(async (tx) => {
    await tx
      .updateTable('webhook_deliveries')
      .set((eb) => ({ resource_id: eb.ref('id') }))
      .where('webhook_id', '=', webhook)
      .where('status', '=', 'waiting')
      .execute()
  })
  return 0
}

/** Writes, kills and waits until all has arrived. `tamper` works on the database of the service that was killed after the last write. */
async function deliver(size: Size, engine: TestEngine, random: SeededRandom, tamper?: Tamper) {
  const { address, drop } = await engine.create()
  onTestFinished(drop)
  const service = await startKeptAlive(asServed(address))
  const chance = random.fork('receivers')
  let gone = false
  let [afterGone, disabled] = [0, 0]
  const steady = await startTrialReceiver(size.hangMs, () => 'accept')
  const flaky: TrialReceiver = await startTrialReceiver(size.hangMs, (times) => {
    if (tamper && service.kills() === 0) return 'fail'
    // The first success ends the rest of the endpoint.
    if (tamper && flaky.accepted.size === 0) return 'accept'
    return times === 0 && chance.int(tamper ? 2 : 5) === 0 ? chance.pick(firstManners) : 'accept'
  })
  const hanging = await startTrialReceiver(size.hangMs, () => 'hang')
  let received = 0
  const leaving = await startTrialReceiver(size.hangMs, () => {
    received += 1
    if (gone) afterGone += 1
    // Until the service has noted it: it may be killed before.
    return disabled === 0 && received >= size.events / 3 ? 'gone' : 'accept'
  })
  const hooks = []
  for (const { url } of [steady, flaky, hanging, leaving])
    hooks.push((await service.ask('POST', '/v1/admin/webhooks', { body: { url, events: ['post.*'] } })).body.id as string)
  let wanted = 3 * size.events
  const complete = () => steady.accepted.size + flaky.accepted.size + leaving.accepted.size >= wanted
  const leavingHook = `/v1/admin/webhooks/${hooks[3]}`
  const enableAgain = async () => {
    if (gone || (await service.ask('GET', leavingHook)).body.enabled) return
    disabled += 1
    gone = true
    // Longer than the second after which due deliveries are looked for again.
    await pause(1_500)
    gone = false
    await service.ask('PATCH', leavingHook, { body: { enabled: true } })
  }
  const times = await write(service, steady, size, random)
  if (tamper) wanted -= await tampered(service, hooks[1] as WebhookId, tamper)
  for (const began = Date.now(); !complete() && Date.now() - began < size.patienceMs; await pause(100)) await enableAgain()
  await service.kill()
  const { log, resources } = await readLog(service)
  const receivers = [steady, flaky, leaving]
  return {
    events: log.size,
    kills: service.kills(),
    requests: [...receivers, hanging].reduce((sum, { arrivals }) => sum + arrivals.length, 0),
    lost: receivers.reduce((sum, { accepted }) => sum + [...log].filter((event) => !accepted.has(event)).length, 0),
    disordered: receivers.reduce((sum, receiver) => sum + disorderIn(receiver, resources), 0),
    afterGone,
    disabled,
    slowestMs: slowest(steady, times),
  }
}

async function tampered(service: KeptAlive, webhook: WebhookId, tamper: Tamper): Promise<number> {
  // Until all of the log is in the queue.
  await pause(3_000)
  let removed = 0
  await service.kill(async (installation) => {
    removed = await tamper(installation, webhook)
  })
  return removed
}

/**
 * Eight writers, and a kill in each round, by turns amid the writing and amid the sending. What a round wrote has arrived at `steady` before the
 * next one begins, so that no event waits for the claims of two services that were killed. Returns when each event was written at the latest,
 * by its revision at the earliest.
 */
async function write(service: KeptAlive, steady: TrialReceiver, { events, kills }: Size, random: SeededRandom): Promise<readonly number[]> {
  const times: number[] = []
  const chance = random.fork('kills')
  const rounds = Math.max(kills, 1)
  const posts = events / rounds / eventsOfPost
  for (let round = 0; round < rounds; round++) {
    const killAt = times.length + Math.ceil((0.3 + 0.4 * chance.fraction()) * posts * eventsOfPost)
    const killsAmidWriting = kills > 0 && round % 2 === 0
    await writeRound(service, posts, async () => {
      times.push(Date.now())
      if (killsAmidWriting && times.length === killAt) await service.kill()
    })
    if (kills === 0) continue
    if (!killsAmidWriting) {
      await until(() => steady.accepted.size >= killAt)
      await service.kill()
    }
    await until(() => steady.accepted.size >= times.length)
  }
  return times
}

/** Creates posts and changes each four times. */
async function writeRound(service: KeptAlive, posts: number, wrote: () => Promise<void>): Promise<void> {
  const ids: string[] = []
  await atOnce(8, Array.from({ length: posts }), async (_, n) => {
    ids.push((await service.ask('POST', '/v1/posts', { body: { title: `Post ${n}` } })).body.id)
    await wrote()
  })
  for (const excerpt of ['b', 'c', 'd', 'e'])
    await atOnce(8, ids, async (id) => {
      await service.ask('PATCH', `/v1/posts/${id}`, { body: { excerpt } })
      await wrote()
    })
}

/** Gives up where an event was lost; that is seen at the end. */
async function until(isTrue: () => boolean): Promise<void> {
  for (const began = Date.now(); !isTrue() && Date.now() - began < roundMs; ) await pause(5)
}

/** From the answer to a write to the first arrival of its event; the n-th write has about the n-th revision. */
function slowest({ arrivals }: TrialReceiver, times: readonly number[]): number {
  const first = new Map<number, number>()
  for (const { revision, at } of arrivals) if (!first.has(revision)) first.set(revision, at)
  return Math.max(...[...first].map(([revision, at]) => at - (times[revision - 1] ?? at)))
}
