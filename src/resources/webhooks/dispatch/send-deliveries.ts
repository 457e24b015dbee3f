import { kindOf, type ProjectId } from '../../../values/ids.ts'
import type { Instant } from '../../../values/instant.ts'
import { version } from '../../../values/version.ts'
import { type Delivery, type DeliveryId, type Outcome, succeeded } from '../delivery.ts'
import { secretsOf } from '../webhook.ts'
import type { Claimed, Tried } from './dispatch-actions.ts'
import type { Outbound } from './http-client.ts'
import { sign } from './signature.ts'

export interface SendingParts {
  readonly outbound: Outbound
  /** Milliseconds. */
  readonly clock: () => number
  /** A resource as it is at this moment; none where it is gone. */
  findResource(projectId: ProjectId, resourceId: string): Promise<object | undefined>
}

/** What was taken, and from whose log; `project` is its slug. */
interface Parcel {
  readonly projectId: ProjectId
  readonly project: string
  readonly claimed: Claimed
}

interface SendingSignals {
  /** Nothing new is begun. */
  readonly stopping: AbortSignal
  /** What is under way is broken off. */
  readonly breakingOff: AbortSignal
}

/** So many requests to one endpoint are under way at once from one process. */
const mostAtOnce = 8
/** How long after the claim a request may begin. What a slow receiver has not taken by then goes back: how the others went is to be known soon. */
const freshMs = 5_000

/** Sends what was claimed, so many at once, and one more for every success: what a failing or slow receiver or a stopping service leaves goes back untried. */
export async function sendClaimed(parts: SendingParts, parcel: Parcel, { stopping, breakingOff }: SendingSignals): Promise<Tried> {
  const freshUntil = parts.clock() + freshMs
  const outcomes: (readonly [DeliveryId, Outcome])[] = []
  const waiting = parcel.claimed.deliveries.values()
  const sendInLine = async () => {
    for (const delivery of waiting) {
      const outcome = await send(parts, parcel, delivery, breakingOff)
      outcomes.push([delivery.id, outcome])
      if (!succeeded(outcome) || stopping.aborted || parts.clock() >= freshUntil) return
    }
  }
  await Promise.all(Array.from({ length: mostAtOnce }, sendInLine))
  for (const { id } of waiting) outcomes.push([id, { kind: 'interrupted' }])
  return { lease: parcel.claimed.lease, outcomes }
}

/** One request as the Standard Webhooks specification has it. */
async function send(
  { outbound, findResource }: SendingParts,
  { projectId, project, claimed: { endpoint, now } }: Parcel,
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
