import { createHash } from 'node:crypto'
import { type Id, newId, type ProjectId, type Random } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import { goesOnFailing, isHopeless, nextTry, restUntil } from './dispatch/retry-schedule.ts'
import { disable, type Endpoint, ping } from './webhook.ts'

export type DeliveryId = Id<'evt'>

export const deliveryStatuses = ['waiting', 'sending', 'delivered', 'failed'] as const
type DeliveryStatus = (typeof deliveryStatuses)[number]

/** One event for one endpoint. Its id, the `webhook-id`, is the same in every try, endpoint and replay. */
export interface Delivery {
  readonly id: DeliveryId
  readonly type: string
  /** The revision of the change; 0 for a ping. */
  readonly revision: number
  /** The index among the events of its revision. */
  readonly part: number
  /** The id of the resource; `''` if there is none. */
  readonly resourceId: string
  readonly happenedAt: Instant
  readonly status: DeliveryStatus
  readonly tries: number
  readonly firstTriedAt: Instant | null
  readonly lastTriedAt: Instant | null
  /** When it is tried next. While it is being sent: when others may take it over. */
  readonly nextTryAt: Instant
  readonly lastStatus: number | null
  readonly lastDurationMs: number | null
  readonly lastError: string | null
  readonly createdAt: Instant
}

/** How a try went. `interrupted`: this service aborted it, so it says nothing about the receiver. */
export type Outcome =
  | { readonly kind: 'answered'; readonly status: number; readonly durationMs: number }
  | { readonly kind: 'unanswered'; readonly error: string; readonly durationMs: number }
  | { readonly kind: 'interrupted' }

/** The id is derived from the event, so that reading the log again gives the same id. */
export function eventId(projectId: ProjectId, revision: number, type: string, at: Instant): DeliveryId {
  const digest = createHash('sha256').update(`${projectId} ${revision} ${type}`).digest()
  return newId('evt', at, (bytes) => digest.subarray(0, bytes))
}

export function succeeded(outcome: Outcome): boolean {
  return outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300
}

/** A delivery after a try. A ping has only one try, since somebody waits for its outcome. */
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

/** An endpoint after a try: a success resets its failures, and 410 disables it. */
export function afterOutcome(endpoint: Endpoint, outcome: Outcome, now: Instant): Endpoint {
  if (!endpoint.enabled) return endpoint
  if (outcome.kind === 'answered' && outcome.status === 410)
    return disable(endpoint, 'The receiver answered 410: it is gone for good.', now)
  return succeeded(outcome) && endpoint.failures > 0 ? { ...endpoint, failures: 0, failingSince: null, wakeAt: '' } : endpoint
}

/** An endpoint after a turn without success: it rests, and is disabled after five days. */
export function afterFailures(endpoint: Endpoint, failed: readonly Outcome[], now: Instant, random: Random): Endpoint {
  const last = failed.at(-1)
  if (last === undefined || !endpoint.enabled) return endpoint
  const before = goesOnFailing(endpoint.wakeAt, now) ? endpoint : { failures: 0, failingSince: null }
  const failures = before.failures + 1
  const failingSince = before.failingSince ?? now
  const failing = { ...endpoint, failures, failingSince, wakeAt: restUntil(failures, now, random) }
  const reason = `Every try failed for five days, since ${failingSince}. The last: ${errorOf(last)}`
  return isHopeless(failingSince, now) ? disable(failing, reason, now) : failing
}

/** What went wrong, for the operator of the receiver; none after a success. */
function errorOf(outcome: Outcome): string | null {
  if (outcome.kind === 'interrupted' || succeeded(outcome)) return null
  if (outcome.kind === 'unanswered') return outcome.error
  const { status } = outcome
  return status >= 300 && status < 400
    ? `The receiver answered ${status}; redirects are not followed.`
    : `The receiver answered ${status}; only 2xx is a success.`
}
