import { kindOf, type ProjectId } from '../../../values/ids.ts'
import type { Instant } from '../../../values/instant.ts'
import { version } from '../../../values/version.ts'
import { type Delivery, type DeliveryId, type Outcome, succeeded } from '../delivery.ts'
import type { Claimed, Tried } from './dispatch-actions.ts'
import type { Outbound } from './http-client.ts'
import { sign } from './signature.ts'

export interface SendingParts {
  readonly outbound: Outbound
  /** Milliseconds. */
  readonly clock: () => number
  /** A resource as it is now; none if it is gone. */
  findResource(projectId: ProjectId, resourceId: string): Promise<object | undefined>
}

/** Claimed deliveries and their project; `project` is its slug. */
interface ClaimedBatch {
  readonly projectId: ProjectId
  readonly project: string
  readonly claimed: Claimed
}

interface SendingSignals {
  /** Aborted: no new request begins. */
  readonly stopping: AbortSignal
  /** Aborted: running requests are aborted. */
  readonly breakingOff: AbortSignal
}

/** How many requests one process sends to one endpoint at once. */
const mostAtOnce = 8
/** How long after the claim a request may begin. Deliveries left by then are released, so that the outcomes of the others are saved soon. */
const freshMs = 5_000

/** Sends claimed deliveries, several at once. If the receiver fails or is slow, or the service stops, the rest is released untried. */
export async function sendClaimed(
  parts: SendingParts,
  claimedBatch: ClaimedBatch,
  { stopping, breakingOff }: SendingSignals,
): Promise<Tried> {
  const freshUntil = parts.clock() + freshMs
  const outcomes: (readonly [DeliveryId, Outcome])[] = []
  const waiting = claimedBatch.claimed.deliveries.values()
  const sendInLine = async () => {
    for (const delivery of waiting) {
      const outcome = await send(parts, claimedBatch, delivery, breakingOff)
      outcomes.push([delivery.id, outcome])
      if (!succeeded(outcome) || stopping.aborted || parts.clock() >= freshUntil) return
    }
  }
  await Promise.all(Array.from({ length: mostAtOnce }, sendInLine))
  for (const { id } of waiting) outcomes.push([id, { kind: 'interrupted' }])
  return { lease: claimedBatch.claimed.lease, outcomes }
}

/** Sends one request as the Standard Webhooks specification defines it. */
async function send(
  { outbound, findResource }: SendingParts,
  { projectId, project, claimed: { url, secrets, now } }: ClaimedBatch,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Outcome> {
  const { id, resourceId } = delivery
  const data = kindOf(resourceId) ? ((await findResource(projectId, resourceId)) ?? { id: resourceId }) : {}
  const body = JSON.stringify(toPayload(delivery, project, data))
  const timestamp = secondsOf(now)
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Verso/${version}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign(secrets, { id, timestamp, body }),
  }
  return outbound.post({ url, headers, body, signal })
}

function toPayload({ type, happenedAt, revision }: Delivery, project: string, data: object) {
  return { type, timestamp: happenedAt, project, revision, data }
}

function secondsOf(instant: Instant): number {
  return Math.floor(Date.parse(instant) / 1_000)
}
