import { onTestFinished } from 'vitest'
import type { TestEngine } from '../test/harness/databases.ts'
import { addressText, type Served, serve } from '../test/harness/program.ts'
import type { Aim } from './harness/figure.ts'
import type { SeededRandom } from './harness/seeded-random.ts'
import { trial } from './harness/trial.ts'
import { openBalancer } from './stopping/balancer.ts'
import { emptyTally, steadyLoad, type Tally } from './stopping/steady-load.ts'

const stopWaitSeconds = 1
const inFlight = 20

interface Size {
  readonly stops: number
  /** Requests. Other trials of short size run at the same time. */
  readonly perSecond: number
}

interface Stops extends Size {
  readonly random: SeededRandom
  readonly signal?: NodeJS.Signals
  /** Whether the balancer may notice that a node stops. */
  readonly waits?: boolean
}

interface Stopped {
  readonly tally: Tally
  /** Acknowledged posts that are not there, or more than once. */
  readonly lost: number
  readonly badExits: number
}

trial<Size>({
  name: 'stopping-loses-nothing',
  promise: 'A service that is told to stop answers every request that it has taken, and keeps every write that it has acknowledged.',
  over: 'engines',
  sizes: { short: { stops: 3, perSecond: 40 }, full: { stops: 50, perSecond: 200 } },
  minutes: { short: 3, full: 40 },
  async run({ size, engine, random, figure, note }) {
    const isShared = engine.name === 'PostgreSQL'
    const { tally, lost, badExits } = isShared
      ? await rollingRestarts(engine, { random, ...size })
      : await stopsWhileWriting(engine, { random, ...size })
    const notable = isShared ? tally.failures : tally.failures.filter((each) => !excused.test(each))
    for (const failure of notable.slice(0, 5)) note(`failed: ${failure}`)
    if (isShared) figure('failed requests', tally.failures.length, { exactly: 0 })
    else figureStops(tally, size.stops, figure)
    figure('answers cut off', tally.cut, { exactly: 0 })
    figure('acknowledged writes lost', lost, { exactly: 0 })
    figure('exits other than 0', badExits, { exactly: 0 })
    figure(isShared ? 'rolling restarts of 2 nodes' : 'stops and starts', size.stops)
    figure('requests', tally.requests)
    figure('of these, writes', tally.writes)
  },
  controls: {
    async 'nodes that are killed fail requests'({ size: { perSecond }, engine, random }) {
      const kill = { random, stops: 2, perSecond, signal: 'SIGKILL' } as const
      if (engine.name === 'PostgreSQL') return (await rollingRestarts(engine, kill)).tally.failures.length
      // A kill may fall between two requests.
      let dropped = 0
      for (let tries = 0; tries < 6 && dropped === 0; tries++)
        dropped = (await stopsWhileWriting(engine, { ...kill, random: random.fork(`${tries}`) })).tally.droppedOnNew
      return dropped
    },
    async 'a balancer that is not given time to notice fails requests'({ size: { perSecond }, engine, random, skip }) {
      if (engine.name !== 'PostgreSQL') return skip('one node has no balancer')
      // It may notice a stop between two requests.
      let failed = 0
      for (let tries = 0; tries < 4 && failed === 0; tries++) {
        const stops = { random: random.fork(`${tries}`), stops: 2, perSecond, waits: false }
        failed = (await rollingRestarts(engine, stops)).tally.failures.length
      }
      return failed
    },
  },
})

/** A request that was never taken, or of which nobody can say. */
const excused = /: (?:refused|resetOnNew|droppedOnKept): /

/** One node that stops refuses connections, and may close a kept one just when a request is sent on it. */
function figureStops(tally: Tally, stops: number, figure: (label: string, value: number, aim?: Aim) => void): void {
  const { failures, cut, refused, droppedOnNew, resetOnNew, droppedOnKept } = tally
  const answers = failures.length - cut - refused - droppedOnNew - resetOnNew - droppedOnKept
  figure('requests that were read on a new connection and not answered', droppedOnNew, { exactly: 0 })
  figure('answers that say something else', answers, { exactly: 0 })
  figure('connections refused by a node that had stopped', refused)
  // Between the last look and the end of listening there is a moment, which no program can make nothing of.
  figure('new connections reset before they were read', resetOnNew, { atMost: Math.ceil(stops / 5) })
  figure('requests on a kept connection that closed before an answer', droppedOnKept)
}

/** Stops and starts two nodes in turn while requests come in through a balancer. */
async function rollingRestarts(
  engine: TestEngine,
  { random, stops, perSecond, signal = 'SIGTERM', waits = true }: Stops,
): Promise<Stopped> {
  const { address, drop } = await engine.create()
  onTestFinished(drop)
  const balancer = await openBalancer()
  const env = { VERSO_STOP_WAIT: waits ? String(stopWaitSeconds) : '0', VERSO_LOG_LEVEL: 'error' }
  const startNode = () => serve(addressText(address), { env })
  const first = await startNode()
  const nodes = [first, await startNode()]
  for (const { url } of nodes) balancer.add(url)
  for (const { url } of nodes) await balancer.ready(url)
  const key = secretIn(first)
  const load = steadyLoad({ url: balancer.url, key, perSecond, writing: 0.2, random })
  let badExits = 0
  for (let stop = 0; stop < stops; stop++) {
    const node = nodes.shift()
    if (!node) throw new Error('there is no node to stop')
    node.signal(signal)
    const { code } = await node.ended
    if (code !== 0) badExits++
    balancer.remove(node.url)
    const next = await startNode()
    balancer.add(next.url)
    await balancer.ready(next.url)
    nodes.push(next)
  }
  const tally = await load.stop()
  const lost = await lostPosts(balancer.url, key, tally)
  await balancer.close()
  await stopAll(nodes)
  return { tally, lost, badExits }
}

/** Stops and starts one node while clients are connected to it. */
async function stopsWhileWriting(engine: TestEngine, { random, stops, perSecond, signal = 'SIGTERM' }: Stops): Promise<Stopped> {
  const { address, drop } = await engine.create()
  onTestFinished(drop)
  const env = { VERSO_LOG_LEVEL: 'error' }
  const total = emptyTally()
  let key: string | undefined
  let badExits = 0
  for (let stop = 0; stop < stops; stop++) {
    const node = await serve(addressText(address), { env })
    key ??= secretIn(node)
    const load = steadyLoad({ url: node.url, key, perSecond, writing: 0.5, random: random.fork(`stop ${stop}`), prefix: `${stop}.` })
    await new Promise((resolve) => setTimeout(resolve, 300 + random.int(500)))
    // So that some are under way for sure, each at another step of it.
    load.burst(inFlight)
    await new Promise((resolve) => setTimeout(resolve, random.int(15)))
    node.signal(signal)
    const { code } = await node.ended
    if (code !== 0) badExits++
    add(total, await load.stop())
  }
  const node = await serve(addressText(address), { env })
  const lost = await lostPosts(node.url, key ?? '', total)
  await stopAll([node])
  return { tally: total, lost, badExits }
}

function add(total: Tally, more: Tally): void {
  for (const field of ['requests', 'reads', 'writes', 'cut', 'refused', 'droppedOnNew', 'resetOnNew', 'droppedOnKept'] as const)
    total[field] += more[field]
  total.acknowledged.push(...more.acknowledged)
  total.failures.push(...more.failures)
}

async function stopAll(nodes: readonly Served[]): Promise<void> {
  for (const node of nodes) node.signal('SIGTERM')
  for (const node of nodes) await node.ended
}

function secretIn({ stdout }: Served): string {
  const key = /verso_live_\w+/.exec(stdout())?.[0]
  if (key === undefined) throw new Error('the first start printed no key')
  return key
}

async function lostPosts(url: string, key: string, { acknowledged }: Tally): Promise<number> {
  const found = new Map<string, number>()
  let cursor: string | undefined
  do {
    const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const answer = await fetch(`${url}/v1/posts?limit=100&fields=title&sort=created_at${query}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const { data, pagination } = (await answer.json()) as {
      data: { title: string }[]
      pagination: { hasMore: boolean; nextCursor: string }
    }
    for (const { title } of data) found.set(title, (found.get(title) ?? 0) + 1)
    cursor = pagination.hasMore ? pagination.nextCursor : undefined
  } while (cursor !== undefined)
  return acknowledged.filter((title) => found.get(title) !== 1).length
}
