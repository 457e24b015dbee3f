import type { PostgresPool } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { ProjectId } from '../../values/ids.ts'
import { inTime, startStopwatch } from '../../values/stopwatch.ts'
import { partUnavailable, type ShardServers } from '../engine.ts'
import { type Asker, openPlaces } from '../queues/long-reads.ts'
import { tellsOfServer, tooManyWaiting } from './postgres-errors.ts'
import { openWaitQueue, type WaitQueue } from './wait-queue.ts'

/** How long a request waits for a place. */
const maxWaitMs = 15_000
/** A server that has statements and has answered none of them for this long is in doubt. */
const patienceMs = 3_000
/** While a server is in doubt, others wait this long for the answer to the one statement that tries it; then the next one tries. */
const trialMs = 1_000
/** After this time a project is looked up again: the rebalancer may have moved it. */
const placeMs = 30_000
const maxProjects = 10_000

/** What takes a place; a long read is known by who asks. */
type Kind = 'read' | 'write' | Asker

/** How many statements all servers may have at the same time; writes and long reads are among all. */
export interface Places {
  readonly all: number
  readonly write: number
  readonly longRead: number
}

interface ServersSettings {
  readonly places: Places
  readonly stopwatch?: typeof startStopwatch
  /** The name of the server that has the rows of a project. */
  find(projectId: ProjectId): Promise<string>
}

/** Called at the end of a statement or a transaction, with the error if it failed. */
type Leave = (error?: unknown) => void

/** Servers that hang, however many, cannot take the connections that the others need. */
export interface GuardedServers extends ShardServers {
  /** Runs work in a place of the server of a project. 503 `database_unavailable` while that does not answer. */
  within<T>(projectId: ProjectId | undefined, kind: Kind, work: () => Promise<T>): Promise<T>
}

export function openShardServers({ places, find, stopwatch = startStopwatch }: ServersSettings): GuardedServers {
  const servers = new Map<string, Server>()
  const placeOf = rememberPlaces(find)
  const everywhere = queueOf(() => halfOf(places.longRead))

  const serverOf = async (projectId: ProjectId): Promise<Server> => {
    const name = await placeOf(projectId)
    const server = servers.get(name) ?? openServer(placesOf(name), stopwatch)
    servers.set(name, server)
    return server
  }
  /** Of a server: half of what the others leave. So each that hangs takes less than the one before, and some are left. */
  const placesOf = (name: string) => (kind: keyof Places) => {
    const others = [...servers].filter(([other]) => other !== name)
    return halfOf(others.reduce((left, [, { taken }]) => left - taken[kind](), places[kind]))
  }
  const within: GuardedServers['within'] = async (projectId, kind, work) => {
    if (projectId === undefined) return work()
    const server = await serverOf(projectId)
    const leave = await server.enter(kind)
    return ending(work, leave)
  }
  return {
    within,
    async ask(projectId, work) {
      if (projectId !== undefined) return inTime(work(projectId), patienceMs, partUnavailable)
      if ([...servers.values()].some((server) => server.isInDoubt())) throw partUnavailable()
      const asked = everywhere.enter().then((leave) => work().finally(leave))
      return inTime(asked, patienceMs, partUnavailable)
    },
  }
}

async function ending<T>(work: () => Promise<T>, leave: Leave): Promise<T> {
  try {
    const result = await work()
    leave()
    return result
  } catch (error) {
    leave(error)
    throw error
  }
}

function halfOf(places: number): number {
  return Math.max(1, Math.floor(places / 2))
}

interface Server {
  enter(kind: Kind): Promise<Leave>
  isInDoubt(): boolean
  readonly taken: { readonly [kind in keyof Places]: () => number }
}

/** The first statement to a server in doubt tries it. The others wait a moment for its answer; without one, one of them tries and they are refused. */
function openServer(places: (kind: keyof Places) => number, stopwatch: typeof startStopwatch): Server {
  const all = queueOf(() => places('all'))
  const writes = queueOf(() => places('write'))
  const longReads = openPlaces(() => places('longRead'))
  /** Without long reads, which may take their time. */
  let running = 0
  let hasFailed = false
  /** Since the last answer, or since the first statement to a server that had none. */
  let silence = stopwatch()
  let trial: { readonly elapsed: () => number; readonly done: Promise<unknown> } | undefined

  const isInDoubt = () => hasFailed || (running > 0 && silence() > patienceMs)
  const refuse = () => {
    for (const queue of [all, writes]) queue.rejectAll(partUnavailable())
    throw partUnavailable()
  }

  const take = async (kind: Kind): Promise<Leave> => {
    const leaveSome = kind === 'read' ? undefined : kind === 'write' ? await writes.enter() : await longReads.enter(kind)
    const leaveAll = await all.enter().catch((error: unknown) => {
      leaveSome?.()
      throw error
    })
    const counts = typeof kind === 'string' ? 1 : 0
    if (running === 0) silence = stopwatch()
    running += counts
    return (error) => {
      running -= counts
      const news = tellsOfServer(error)
      if (news === 'answered') [hasFailed, silence] = [false, stopwatch()]
      // A write may be ended sooner than that.
      if (news === 'away' || (news === 'late' && counts === 1 && silence() > patienceMs)) hasFailed = true
      leaveAll()
      leaveSome?.()
    }
  }

  const tryOut = async (kind: Kind): Promise<Leave> => {
    let end = (): void => undefined
    const done = new Promise<void>((resolve) => {
      end = resolve
    })
    const mine = { elapsed: stopwatch(), done }
    trial = mine
    const finish = () => {
      if (trial === mine) trial = undefined
      end()
    }
    const leave = await take(kind).catch((error: unknown) => {
      finish()
      throw error
    })
    return (error) => {
      leave(error)
      finish()
    }
  }

  return {
    isInDoubt,
    taken: { all: all.taken, write: writes.taken, longRead: longReads.taken },
    async enter(kind) {
      if (!isInDoubt()) return take(kind)
      if (running >= places('all')) return refuse()
      const before = trial
      const hasEnded = !before || (await endsSoon(before))
      if (!isInDoubt()) return take(kind)
      // One that has not ended may only wait for a lock, so the next one tries, too.
      const mayTry = before ? !hasEnded && trial === before : true
      return mayTry && typeof kind === 'string' ? tryOut(kind) : refuse()
    },
  }
}

/** Whether a trial ends soon. */
async function endsSoon({ elapsed, done }: { readonly elapsed: () => number; readonly done: Promise<unknown> }): Promise<boolean> {
  const ending = inTime(done, Math.max(0, trialMs - elapsed()), partUnavailable)
  return ending.then(
    () => true,
    () => false,
  )
}

function queueOf(places: () => number): WaitQueue {
  return openWaitQueue({ places, maxWaitMs, timeoutError: tooManyWaiting })
}

/** Remembers where projects are for some seconds. */
function rememberPlaces(find: (projectId: ProjectId) => Promise<string>) {
  const places = new LRUCache<ProjectId, Promise<string>>({ max: maxProjects, ttl: placeMs })
  return (projectId: ProjectId): Promise<string> => {
    const known = places.get(projectId)
    if (known) return known
    const name = find(projectId)
    places.set(projectId, name)
    name.catch(() => places.delete(projectId))
    return name
  }
}

/**
 * A pool whose statements wait for a place of their server before they take a connection. A statement says by its values which project it is for;
 * one without a project is for the coordinator. Transactions have their place already.
 */
export function poolOf(pool: PostgresPool, servers: GuardedServers): PostgresPool {
  return { end: () => pool.end(), connect: async () => connectLater(pool, servers) }
}

type Client = Awaited<ReturnType<PostgresPool['connect']>>

function connectLater(pool: PostgresPool, servers: GuardedServers): Client {
  let client: Client | undefined
  const query = async (text: string, values: readonly unknown[]) => {
    if (client) return client.query(text, values)
    const projectId = text.startsWith('begin') ? undefined : values.find(isProjectId)
    return servers.within(projectId, 'read', async () => {
      client = await pool.connect()
      return client.query(text, values)
    })
  }
  return { query, release: () => client?.release() } as Client
}

function isProjectId(value: unknown): value is ProjectId {
  return typeof value === 'string' && value.startsWith('prj_')
}
