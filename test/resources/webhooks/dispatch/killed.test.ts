import { describe, expect, it } from 'vitest'
import type { App } from '../../../../src/app/start-app.ts'
import { engines, seededRandom, type TestContext, type TestEngine, testContext } from '../../../harness/harness.ts'
import { countText, soakSize } from '../../../harness/soak.ts'
import { hour, minute, type Received, second, startReceiver } from '../receiver.ts'
import { addEndpoint, env, startInstallation, withoutRepeats, write } from '../webhook-installation.ts'
import { type KillableNode, startKillable } from './killable-node.ts'

const events = soakSize(2_500, 50)
const parts = 10
const eventsInPart = events / parts
const downtime = 72 * hour
const partsWhileDown = 6
const kills = 5
/** Far more than the tries of the last delivery take: without it a loop that gets nowhere would never end. */
const mostTurns = 1_000

for (const engine of engines) {
  describe(`webhooks of a service that is killed on ${engine.name}`, () => {
    it(`${events} of ${events} events reach a receiver that is down for 72 hours and then flaky, and its neighbour never waits`, {
      tags: ['soak'],
      timeout: 900_000,
    }, async ({ annotate }) => {
      const { service, flaky, healthy, writePart, isOver, pass } = await startTwoReceivers(engine)
      flaky.answer(() => 503)
      for (let part = 1; part <= partsWhileDown; part++) {
        await writePart()
        if (part === partsWhileDown / 2) flaky.answer(onlyOnce(service.kill, 503))
        await service.turn()
        expect(withoutRepeats(healthy.received)).toHaveLength(eventsInPart * part)
        pass(downtime / partsWhileDown)
      }
      expect(service.killed()).toBe(1)
      const taken: Received[] = []
      flaky.answer(flakily(taken, service.kill))
      for (let part = partsWhileDown + 1; part <= parts; part++) {
        await writePart()
        await service.turn()
        expect(withoutRepeats(healthy.received)).toHaveLength(eventsInPart * part)
        pass(2 * minute)
      }
      for (let turns = 0; !(await isOver()); turns++) {
        expect(turns).toBeLessThan(mostTurns)
        await service.turn()
      }
      expect(service.killed()).toBeGreaterThan(kills)
      expect(withoutRepeats(taken)).toHaveLength(events)
      for (const revisions of revisionsOf(flaky.received)) expect(revisions).toEqual(revisions.toSorted((a, b) => a - b))
      expect(withoutRepeats(healthy.received)).toHaveLength(events)
      expect(healthy.received.length).toBeLessThanOrEqual(events + 8 * service.killed())
      const requests = flaky.received.length + healthy.received.length
      await annotate(`${countText(events)} events to two receivers, ${countText(requests)} requests, ${service.killed()} kills, none lost`)
    })
  })
}

/** A service with two endpoints, and all that the test does to it. */
async function startTwoReceivers(engine: TestEngine) {
  const context = testContext('2026-06-01T12:00:00.000Z', seededRandom('flaky'))
  const installation = await startInstallation(engine, context)
  const [flaky, healthy] = [await startReceiver(), await startReceiver()]
  for (const { url } of [flaky, healthy]) await addEndpoint(installation, url)
  const { first, address } = installation
  const service = keptAlive(context, () => startKillable(address, env, context.now()))
  return {
    service,
    flaky,
    healthy,
    writePart: () => write(installation, eventsInPart),
    pass: (ms: number) => pass(context, ms),
    /** Whether all has arrived. If not, time passes until the next try is due. */
    async isOver() {
      const disabled = await first.installation.db.selectFrom('webhooks').select('disabled_reason').where('enabled', '=', 0).execute()
      expect(disabled).toEqual([])
      const next = await nextTryAt(first)
      if (next === undefined) return true
      // An endpoint that rests is asked again after five minutes and a half at most, whatever is due for it.
      pass(context, Math.max(6 * minute, Date.parse(next) - context.now().getTime()))
      return false
    },
  }
}

/** A service that is started again after each kill, and then goes on as soon as what it had begun is free to be taken. */
function keptAlive(context: TestContext, start: () => Promise<KillableNode>) {
  let node: KillableNode | undefined
  let killed = 0
  const turn = async (): Promise<void> => {
    node ??= await start()
    if (await node.turn(context.now())) return
    node = undefined
    killed += 1
    pass(context, 11 * second)
    return turn()
  }
  /** In the middle of a turn, for that is when receivers are asked. They never answer the one who asked. */
  const kill = () => {
    node?.kill()
    return new Promise<number>(() => undefined)
  }
  return { turn, kill, killed: () => killed }
}

/** When the first of those is tried that do not wait for another of their post; none where all has arrived. */
async function nextTryAt({ installation }: App): Promise<string | undefined> {
  const open = installation.db
    .selectFrom('webhook_deliveries')
    .select(['webhook_id', 'resource_id', 'next_try_at'])
    .where('status', '!=', 'delivered')
  const rows = await open.orderBy('revision', 'desc').execute()
  const firsts = new Map(rows.map((row) => [`${row.webhook_id} ${row.resource_id}`, row.next_try_at]))
  return [...firsts.values()].toSorted()[0]
}

type Answering = (request: Received) => number | Promise<number>

/** Once that, and from then on a status. */
function onlyOnce(answer: () => Promise<number>, status: number): Answering {
  let asked = 0
  return () => (asked++ === 0 ? answer() : status)
}

/** Three of ten fail, and now and then the service is killed while it waits. */
function flakily(taken: Received[], kill: () => Promise<number>): Answering {
  const chance = seededRandom('receiver')
  let asked = 0
  return (request) => {
    if (++asked % Math.ceil(events / kills) === 0) return kill()
    if ((chance(1)[0] ?? 0) < 0.3 * 256) return 500
    taken.push(request)
    return 200
  }
}

function pass(context: TestContext, ms: number): void {
  context.travelTo(new Date(context.now().getTime() + ms).toISOString())
}

/** The revisions of every post in the order in which they came, repeats and all: a later event is never tried before the earlier is through. */
function revisionsOf(received: readonly Received[]): readonly (readonly number[])[] {
  const posts = new Map<string, number[]>()
  for (const { payload } of received) {
    const revisions = posts.get(payload.data.id) ?? []
    revisions.push(payload.revision)
    posts.set(payload.data.id, revisions)
  }
  return [...posts.values()]
}
