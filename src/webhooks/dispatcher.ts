import type { Perform } from '../action.ts'
import { operator } from '../caller.ts'
import type { Db, Engine } from '../database/engine.ts'
import type { ProjectId } from '../ids.ts'
import type { Instant } from '../instant.ts'
import { version } from '../version.ts'
import type { Delivery, Outcome } from './delivery.ts'
import { listWaiting, type Waiting } from './delivery-queue-store.ts'
import { type Claimed, readLog, type Tried, takeTurn } from './dispatch-actions.ts'
import type { Outbound } from './outbound.ts'
import { sign } from './secret.ts'
import { isThing, secretsOf } from './webhook.ts'

export interface DispatcherParts {
  readonly db: Db
  readonly engine: Pick<Engine, 'now'>
  readonly perform: Perform
  readonly outbound: Outbound
  /** A thing as it is at this moment; none where it is gone. */
  represent(projectId: ProjectId, thingId: string): Promise<object | undefined>
}

/** Sends what the log says to those who want to hear of it. */
export interface Dispatcher {
  /** Sends all that is due, and returns when it is done. An endpoint that another turn is busy with is left to it. */
  runOnce(): Promise<void>
  /** Does the same for one endpoint. */
  serve(waiting: Omit<Waiting, 'isFailing'>): Promise<void>
  /** Begins nothing new, and breaks off what takes longer than this. */
  stop(afterMs: number): void
}

/** Endpoints that are served at once; half of the places are kept for those that work. */
const mostEndpoints = 32

/** Every endpoint is served by itself: a slow one keeps nobody else waiting. */
export function openDispatcher(parts: DispatcherParts): Dispatcher {
  const busy = new Map<string, boolean>()
  const stopping = new AbortController()
  const breakingOff = new AbortController()

  const serve: Dispatcher['serve'] = async ({ projectId, webhookId, project }) => {
    const act = async () => operator(projectId, 'schedule', await parts.engine.now())
    while (!stopping.signal.aborted && (await parts.perform(readLog, await act(), { webhookId })));
    let tried: readonly Tried[] = []
    do {
      const goesOn = !stopping.signal.aborted
      const claimed: Claimed | undefined = await parts.perform(takeTurn, await act(), { webhookId, tried, goesOn })
      tried = claimed ? await sendAll(parts, { projectId, project }, claimed, breakingOff.signal) : []
    } while (tried.length > 0)
  }

  const take = (waiting: readonly Waiting[]): readonly Waiting[] => {
    const taken: Waiting[] = []
    for (const each of waiting) {
      const failing = [...busy.values()].filter(Boolean).length
      if (busy.has(each.webhookId) || busy.size >= mostEndpoints || (each.isFailing && failing >= mostEndpoints / 2)) continue
      busy.set(each.webhookId, each.isFailing)
      taken.push(each)
    }
    return taken
  }

  return {
    async runOnce() {
      if (stopping.signal.aborted) return
      const waiting = await listWaiting(parts.db, await parts.engine.now(), 10 * mostEndpoints)
      const served = await Promise.allSettled(take(waiting).map((each) => serve(each).finally(() => busy.delete(each.webhookId))))
      const failed = served.find((each) => each.status === 'rejected')
      if (failed) throw failed.reason
    },
    serve,
    stop(afterMs) {
      stopping.abort()
      setTimeout(() => breakingOff.abort(), afterMs).unref()
    },
  }
}

type Project = Pick<Waiting, 'projectId' | 'project'>

async function sendAll(parts: DispatcherParts, project: Project, claimed: Claimed, signal: AbortSignal): Promise<readonly Tried[]> {
  return Promise.all(
    claimed.deliveries.map(async (delivery) => {
      const outcome = await send(parts, project, claimed, delivery, signal)
      return { id: delivery.id, lease: claimed.lease, outcome }
    }),
  )
}

/** One request as the Standard Webhooks specification has it. */
async function send(
  { outbound, represent }: DispatcherParts,
  { projectId, project }: Project,
  { endpoint, now }: Claimed,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Outcome> {
  const { id, thingId } = delivery
  const data = isThing(thingId) ? ((await represent(projectId, thingId)) ?? { id: thingId }) : {}
  const body = JSON.stringify(toPayload(delivery, project, data))
  const timestamp = secondsOf(now)
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Verso/${version}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign(secretsOf(endpoint, now), { id, timestamp, body }),
  }
  return outbound.post({ url: endpoint.url, headers, body, signal })
}

function toPayload({ type, happenedAt, revision }: Delivery, project: string, data: object) {
  return { type, timestamp: happenedAt, project, revision, data }
}

function secondsOf(instant: Instant): number {
  return Math.floor(Date.parse(instant) / 1_000)
}
