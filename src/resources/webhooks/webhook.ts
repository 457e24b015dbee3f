import { newsOf } from '../../actions/change-log/change.ts'
import { type Id, kinds } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import type { Fault } from '../../values/problems.ts'
import type { SealedSecret } from './sealed-secret.ts'

export type WebhookId = Id<'whk'>

/** The events of resources, as in the log. */
export const resourceEvents = Object.values(newsOf).flat()

/** Something public has changed, whatever it is: for receivers that rebuild a whole site. */
export const projectChanged = 'project.changed'
/** Sent on request, to see whether an endpoint works. */
export const ping = 'webhook.ping'

/** What an endpoint can subscribe to. `*` is every event of a resource; `project.changed`, which repeats them, must be named. */
export const eventFilters = ['*', ...kinds.map((kind) => `${kind}.*` as const), ...resourceEvents, projectChanged] as const
export type EventFilter = (typeof eventFilters)[number]

/** The webhooks that one project can have: docs/reference/api.md#limits. */
export const maxWebhooks = 20
/** Characters of a name. */
export const maxNameLength = 100
/** How long the replaced secret also signs by default. */
export const defaultGraceHours = 24

/** An endpoint that receives events. */
export interface Webhook {
  readonly id: WebhookId
  readonly name: string
  readonly url: string
  readonly events: readonly EventFilter[]
  readonly enabled: boolean
  readonly disabledAt: Instant | null
  readonly disabledReason: string | null
  /** When the first try failed after the last success, or after two days without a try. */
  readonly failingSince: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** A webhook with what sending needs: its recent failures, its position in the log, and its secrets. */
export interface Endpoint extends Webhook {
  /** The last revision of the log read for it. */
  readonly logPosition: number
  /** Consecutive turns without a success. */
  readonly failures: number
  /** No delivery is tried before this instant; `''` if it is not failing. */
  readonly wakeAt: Instant | ''
  readonly secret: SealedSecret
  readonly oldSecret: SealedSecret | null
  readonly oldSecretUntil: Instant | null
}

/** Whether an endpoint has subscribed to an event. */
export function wants(events: readonly EventFilter[], type: string): boolean {
  const [kind] = type.split('.')
  return events.some((filter) => filter === type || (type !== projectChanged && (filter === '*' || filter === `${kind}.*`)))
}

/** Enables an endpoint, or takes up one at another URL: it receives the events that it missed, and its failures are forgotten. */
export function enable(endpoint: Endpoint): Endpoint {
  return { ...endpoint, enabled: true, disabledAt: null, disabledReason: null, failingSince: null, failures: 0, wakeAt: '' }
}

export function disable<E extends Webhook>(endpoint: E, reason: string, now: Instant): E {
  return { ...endpoint, enabled: false, disabledAt: now, disabledReason: reason }
}

/** The secrets that sign now, the new one first. */
export function secretsOf({ secret, oldSecret, oldSecretUntil }: Endpoint, now: Instant): readonly SealedSecret[] {
  return oldSecret !== null && oldSecretUntil !== null && oldSecretUntil > now ? [secret, oldSecret] : [secret]
}

/** An endpoint as the API shows it. */
export function withoutSecrets({ id, name, url, events, enabled, disabledAt, disabledReason, failingSince, ...more }: Endpoint): Webhook {
  const { createdAt, updatedAt } = more
  return { id, name, url, events, enabled, disabledAt, disabledReason, failingSince, createdAt, updatedAt }
}

/** The fault if a project already has the maximum of webhooks. */
export function tooMany(): Fault {
  return { pointer: '', code: 'too_many', detail: `A project has at most ${maxWebhooks} webhooks; remove one first.` }
}
