import { setMaxListeners } from 'node:events'
import type { Action, Perform } from '../../../actions/action.ts'
import { operator } from '../../../actions/caller.ts'
import type { Db, Engine } from '../../../database/engine.ts'
import type { Observations, TryOutcome } from '../../../values/observations.ts'
import type { Delivery } from '../delivery.ts'
import type { SealingKeys } from '../sealed-secret.ts'
import type { WebhookId } from '../webhook.ts'
import { listWaiting, type Waiting } from './delivery-queue-store.ts'
import { claim, endTurn, type Recorded, readLog, recordTry, renewClaim } from './dispatch-actions.ts'
import { runTurn, type TurnParts, type TurnSteps } from './turn.ts'

/** An endpoint, and the slug of its project. */
type Target = Omit<Waiting, 'isFailing'>

export interface DispatcherParts extends TurnParts {
  readonly db: Db
  readonly engine: Pick<Engine, 'now'>
  readonly perform: Perform
  /** Open the secrets that sign. */
  readonly keys: SealingKeys
  readonly observations: Pick<Observations, 'webhookTried' | 'webhookDisabled'>
}

/** Sends the events of the log to the endpoints that have subscribed to them. */
export interface Dispatcher {
  /** Sends everything that is due, and returns when it is done. Skips endpoints that another call is serving. */
  runOnce(): Promise<void>
  /** Sends the waiting pings of one endpoint, and nothing else. */
  sendPings(endpoint: Target): Promise<void>
  /** Begins no new request, and aborts running ones after this time. */
  stop(afterMs: number): void
}

/** How many endpoints are served at once. Failing endpoints and those that take longer than `quickMs` have places of their own. */
const mostQuick = 32
const mostSlow = 96
const quickMs = 2_000

/** Serves every endpoint separately, so that a slow one does not delay others. */
export function openDispatcher(parts: DispatcherParts): Dispatcher {
  const places = placesAtOnce(parts.clock)
  const stopping = new AbortController()
  const breakingOff = new AbortController()
  // Each request that is under way listens, and more than ten are usual. Node would warn of a leak.
  setMaxListeners(0, breakingOff.signal)
  const signals = { stopping: stopping.signal, breakingOff: breakingOff.signal }

  const sendDue = async ({ projectId, webhookId, project }: Target, what: 'all' | 'pings') => {
    const perform = async <I, R>(action: Action<I & { readonly webhookId: WebhookId }, R>, input: I): Promise<R> =>
      parts.perform(action, operator(projectId, 'schedule', await parts.engine.now()), { webhookId, ...input })
    const steps: TurnSteps = {
      claim: (lease) => perform(claim, { lease, keys: parts.keys, what }),
      renew: (lease, ids) => perform(renewClaim, { lease, ids }),
      record: async (lease, delivery, outcome) => {
        const recorded = await perform(recordTry, { lease, keys: parts.keys, delivery, outcome })
        if (outcome.kind !== 'interrupted') observe(parts.observations, recorded)
        return recorded.contact
      },
      end: async (lease, untried, failed) => observe(parts.observations, await perform(endTurn, { lease, untried, failed })),
    }
    while (!stopping.signal.aborted && (await runTurn(parts, { projectId, project }, steps, signals)));
  }

  const serve = async (waiting: Waiting) => {
    const { projectId, webhookId } = waiting
    const read = async () => parts.perform(readLog, operator(projectId, 'schedule', await parts.engine.now()), { webhookId })
    while (!stopping.signal.aborted && (await read()));
    await sendDue(waiting, 'all')
  }

  return {
    async runOnce() {
      if (stopping.signal.aborted) return
      const waiting = await listWaiting(parts.db, await parts.engine.now(), 10 * mostQuick)
      const served = await Promise.allSettled(places.take(waiting).map((each) => serve(each).finally(() => places.leave(each))))
      const failed = served.find((each) => each.status === 'rejected')
      if (failed) throw failed.reason
    },
    sendPings: (endpoint) => sendDue(endpoint, 'pings'),
    stop(afterMs) {
      if (stopping.signal.aborted) return
      stopping.abort()
      setTimeout(() => breakingOff.abort(), afterMs).unref()
    },
  }
}

/** The endpoints being served: each only once, with a limit on failing and slow ones, so that they never block the others. */
function placesAtOnce(clock: () => number) {
  /** By endpoint, the time after which it counts as slow. */
  const busy = new Map<string, number>()
  const hasRoom = ({ isFailing }: Waiting) => {
    const slow = [...busy.values()].filter((until) => until <= clock()).length
    return busy.size < mostQuick + mostSlow && (isFailing ? slow < mostSlow : busy.size - slow < mostQuick)
  }
  return {
    take(waiting: readonly Waiting[]): readonly Waiting[] {
      return waiting.filter((each) => {
        if (busy.has(each.webhookId) || !hasRoom(each)) return false
        busy.set(each.webhookId, each.isFailing ? 0 : clock() + quickMs)
        return true
      })
    },
    leave: ({ webhookId }: Waiting) => busy.delete(webhookId),
  }
}

const outcomes: Readonly<Record<Delivery['status'], TryOutcome>> = {
  delivered: 'delivered',
  waiting: 'failed',
  sending: 'failed',
  failed: 'given_up',
}

function observe(observations: DispatcherParts['observations'], { tried, disabled }: Pick<Recorded, 'tried' | 'disabled'>): void {
  if (tried) observations.webhookTried(outcomes[tried.status])
  if (disabled) observations.webhookDisabled()
}
