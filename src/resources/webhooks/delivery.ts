import { createHash } from 'node:crypto'
import { type Id, newId, type ProjectId, type Random } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import { isHopeless, nextTry, restUntil } from './dispatch/retry-schedule.ts'
import { disable, type Endpoint, ping } from './webhook.ts'

export type DeliveryId = Id<'evt'>

export const deliveryStatuses = ['waiting', 'sending', 'delivered', 'failed'] as const
type DeliveryStatus = (typeof deliveryStatuses)[number]

/** One event for one endpoint. Its id is the `webhook-id`: the same for every try, every endpoint and every replay. */
export interface Delivery {
  readonly id: DeliveryId
  readonly type: string
  /** The revision of the change that it tells of; 0 for a ping. */
  readonly revision: number
  /** Which of the events of its revision it is. */
  readonly part: number
  /** What happened to what: the id of the resource; `''` where there is none. */
  readonly resourceId: string
  readonly happenedAt: Instant
  readonly status: DeliveryStatus
  readonly tries: number
  readonly firstTriedAt: Instant | null
  readonly lastTriedAt: Instant | null
  /** When it is tried next; while it is sent, when others may take it over. */
  readonly nextTryAt: Instant
  readonly lastStatus: number | null
  readonly lastDurationMs: number | null
  readonly lastError: string | null
  readonly createdAt: Instant
}

/** How a try went. `interrupted`: it was broken off here, and says nothing of the receiver. */
export type Outcome =
  | { readonly kind: 'answered'; readonly status: number; readonly durationMs: number }
  | { readonly kind: 'unanswered'; readonly error: string; readonly durationMs: number }
  | { readonly kind: 'interrupted' }

/** The id of an event is made of the event, so that whoever reads the log again gives it the same. */
export function eventId(projectId: ProjectId, revision: number, type: string, at: Instant): DeliveryId {
  const digest = createHash('sha256').update(`${projectId} ${revision} ${type}`).digest()
  return newId('evt', at, (bytes) => digest.subarray(0, bytes))
}

export function succeeded(outcome: Outcome): boolean {
  return outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300
}

/** A delivery after a try. A ping has one try alone: somebody waits for what becomes of it. */
export function afterTry(delivery: Delivery, outcome: Outcome, now: Instant, random: Random): Delivery {
  if (outcome.kind === 'interrupted') return { ...delivery, status: 'waiting', nextTryAt: now }
  const tries = delivery.tries + 1
  const firstTriedAt = delivery.firstTriedAt ?? now
  const tried = {
    ...delivery,
    tries,
    firstTriedAt,
    lastTriedAt: now,
    lastStatus: outcome.kind === 'answered' ? outcome.status : null,
    lastDurationMs: outcome.durationMs,
    lastError: errorOf(outcome),
  }
  if (succeeded(outcome)) return { ...tried, status: 'delivered' }
  if (delivery.type === ping) return { ...tried, status: 'failed' }
  const nextTryAt = nextTry(tries, firstTriedAt, now, random)
  return nextTryAt === undefined ? { ...tried, status: 'failed' } : { ...tried, status: 'waiting', nextTryAt }
}

/** An endpoint after a turn of tries: one success is a success; without any it rests, and is disabled where there was none for too long. */
export function afterTurn(endpoint: Endpoint, outcomes: readonly Outcome[], now: Instant, random: Random): Endpoint {
  const told = outcomes.filter(({ kind }) => kind !== 'interrupted')
  const last = told.at(-1)
  if (last === undefined || !endpoint.enabled) return endpoint
  if (told.some((outcome) => outcome.kind === 'answered' && outcome.status === 410))
    return disable(endpoint, 'The receiver answered 410: it is gone for good.', now)
  if (told.some(succeeded)) return { ...endpoint, failures: 0, failingSince: null, wakeAt: '' }
  const failures = endpoint.failures + 1
  const failingSince = endpoint.failingSince ?? now
  const failing = { ...endpoint, failures, failingSince, wakeAt: restUntil(failures, now, random) }
  const reason = `Every try failed for five days, since ${failingSince}. The last: ${errorOf(last)}`
  return isHopeless(failingSince, now) ? disable(failing, reason, now) : failing
}

/** What was wrong, in words for the one who looks after the receiver; nothing where nothing was. */
function errorOf(outcome: Outcome): string | null {
  if (outcome.kind === 'interrupted' || succeeded(outcome)) return null
  if (outcome.kind === 'unanswered') return outcome.error
  const { status } = outcome
  return status >= 300 && status < 400
    ? `The receiver answered ${status}; redirects are not followed.`
    : `The receiver answered ${status}; only 2xx is a success.`
}
