import { newsOf } from '../../actions/change-log/change.ts'
import { type Id, kinds } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import type { Fault } from '../../values/problems.ts'

export type WebhookId = Id<'whk'>

/** The events of resources, as the log has them. */
export const resourceEvents = Object.values(newsOf).flat()

/** Something that the public can see has changed, whatever it was: for those who build the whole site anew. */
export const projectChanged = 'project.changed'
/** Sent when it is asked for, to see whether an endpoint works. */
export const ping = 'webhook.ping'

/** What an endpoint can ask for. `*` is every event of a resource; `project.changed`, which repeats them, is asked for by its name. */
export const eventFilters = ['*', ...kinds.map((kind) => `${kind}.*` as const), ...resourceEvents, projectChanged] as const
export type EventFilter = (typeof eventFilters)[number]

/** The webhooks that one project can have: docs/reference/api.md#limits. */
export const maxWebhooks = 20
/** How long the replaced secret goes on signing beside the new one, unless it is said otherwise. */
export const defaultGraceHours = 24

/** An endpoint that is told of changes. */
export interface Webhook {
  readonly id: WebhookId
  readonly name: string
  readonly url: string
  readonly events: readonly EventFilter[]
  readonly enabled: boolean
  readonly disabledAt: Instant | null
  readonly disabledReason: string | null
  /** When the first of its tries failed after the last that did not. */
  readonly failingSince: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** What it takes to send: how its tries have gone of late, where it stands in the log, and what signs. */
export interface Endpoint extends Webhook {
  /** The last revision of the log that was read for it. */
  readonly logPosition: number
  /** Turns without a success, one after the other. */
  readonly failures: number
  /** Until when it is left alone; `''` where it is not failing. */
  readonly wakeAt: Instant | ''
  readonly secret: string
  readonly oldSecret: string | null
  readonly oldSecretUntil: Instant | null
}

/** Whether an event is among those that were asked for. */
export function wants(events: readonly EventFilter[], type: string): boolean {
  const [kind] = type.split('.')
  return events.some((filter) => filter === type || (type !== projectChanged && (filter === '*' || filter === `${kind}.*`)))
}

/** Switched on it goes on where it stopped, at once and as if it had never failed. */
export function enable(endpoint: Endpoint): Endpoint {
  return { ...endpoint, enabled: true, disabledAt: null, disabledReason: null, failingSince: null, failures: 0, wakeAt: '' }
}

export function disable<E extends Webhook>(endpoint: E, reason: string, now: Instant): E {
  return { ...endpoint, enabled: false, disabledAt: now, disabledReason: reason }
}

/** The secrets that sign at this moment, the new one first. */
export function secretsOf({ secret, oldSecret, oldSecretUntil }: Endpoint, now: Instant): readonly string[] {
  return oldSecret !== null && oldSecretUntil !== null && oldSecretUntil > now ? [secret, oldSecret] : [secret]
}

/** What everybody may be shown of an endpoint. */
export function withoutSecrets({ id, name, url, events, enabled, disabledAt, disabledReason, failingSince, ...more }: Endpoint): Webhook {
  const { createdAt, updatedAt } = more
  return { id, name, url, events, enabled, disabledAt, disabledReason, failingSince, createdAt, updatedAt }
}

/** A project has its number of webhooks already. */
export function tooMany(): Fault {
  return { pointer: '', code: 'too_many', detail: `A project has at most ${maxWebhooks} webhooks; remove one first.` }
}
