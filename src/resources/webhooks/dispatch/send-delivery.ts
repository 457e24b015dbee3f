import { kindOf, type ProjectId } from '../../../values/ids.ts'
import type { Instant } from '../../../values/instant.ts'
import { version } from '../../../values/version.ts'
import type { Delivery, Outcome } from '../delivery.ts'
import type { Outbound, OutboundRequest } from './http-client.ts'
import { sign } from './signature.ts'

export interface SendingParts {
  readonly outbound: Outbound
  /** A resource as it is now; none if it is gone. */
  findResource(projectId: ProjectId, resourceId: string): Promise<object | undefined>
}

/** Where an endpoint is at one moment, and what signs for it. */
export interface Contact {
  readonly url: string
  /** The secrets that sign, the new one first. */
  readonly secrets: readonly string[]
}

/** Where a delivery goes; `project` is the slug of its project. */
export interface Destination extends Contact {
  readonly projectId: ProjectId
  readonly project: string
}

/** What may stop a try: `mayBegin` is asked when the connection is there, and the signal aborts a request under way. */
type Limits = Pick<OutboundRequest, 'mayBegin' | 'signal'>

/** Sends one request as the Standard Webhooks specification defines it. `now` is the time of this try. */
export async function sendDelivery(
  { outbound, findResource }: SendingParts,
  { projectId, project, url, secrets }: Destination,
  { delivery, now }: { readonly delivery: Delivery; readonly now: Instant },
  limits: Limits,
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
  return outbound.post({ url, headers, body, ...limits })
}

function toPayload({ type, happenedAt, revision }: Delivery, project: string, data: object) {
  return { type, timestamp: happenedAt, project, revision, data }
}

function secondsOf(instant: Instant): number {
  return Math.floor(Date.parse(instant) / 1_000)
}
