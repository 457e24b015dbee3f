import type { Action } from '../../../actions/action.ts'
import type { Tx } from '../../../database/engine.ts'
import type { ProjectId } from '../../../values/ids.ts'
import { type Instant, later } from '../../../values/instant.ts'
import { afterFailures, afterOutcome, afterTry, type Delivery, type DeliveryId, eventId, type Outcome } from '../delivery.ts'
import { addDeliveries, type NewDelivery, type Recipient, wakeDeliveries } from '../delivery-store.ts'
import { openSecret, type SealingKeys } from '../sealed-secret.ts'
import { type Endpoint, type EventFilter, projectChanged, secretsOf, type WebhookId, wants } from '../webhook.ts'
import { holdEndpoint, saveEndpoint } from '../webhook-store.ts'
import { claimDue, extendClaim, releaseClaim, saveTried } from './delivery-claim-store.ts'
import { inherit, type LogEntry, listLog, takeBackProjectChanged } from './delivery-queue-store.ts'
import type { Contact } from './send-delivery.ts'

/** How many entries of the log one transaction turns into deliveries. */
const mostEntries = 200
/** How long a claim lasts unless it is renewed. After this time the claimer has died or stands still, and others take over. */
export const leaseMs = 10_000
/** How many deliveries of one endpoint a transaction claims; a failing endpoint gets one. */
const mostInClaim = 32

/** Makes deliveries from the entries of the log that this endpoint has not read. False at the end of the log. */
export const readLog: Action<{ readonly webhookId: WebhookId }, boolean> = {
  name: 'webhooks.read-log',
  async run(tx, { projectId, now }, { webhookId }) {
    const endpoint = await holdEndpoint(tx, projectId, webhookId)
    if (!endpoint?.enabled) return false
    const { position, more } = await readEntries(tx, projectId, endpoint, now)
    if (position > endpoint.logPosition) await saveEndpoint(tx, projectId, { ...endpoint, logPosition: position })
    return more
  },
}

/** Makes deliveries from the next entries of the log, and returns the position after them. */
export async function readEntries(
  tx: Tx,
  projectId: ProjectId,
  { id: webhookId, events, logPosition }: Pick<Endpoint, 'id' | 'events' | 'logPosition'>,
  now: Instant,
): Promise<{ readonly position: number; readonly more: boolean }> {
  const entries = await listLog(tx, projectId, logPosition, mostEntries)
  const recipient: Recipient = { projectId, webhookId }
  await addDeliveries(
    tx,
    recipient,
    entries.flatMap((entry) => eventsOf(projectId, events, entry)),
    now,
  )
  const seen = entries.findLast(({ isPublic }) => isPublic)
  if (seen && wants(events, projectChanged)) {
    const before = await takeBackProjectChanged(tx, recipient)
    const made = toDelivery(projectId, seen, projectChanged, 0)
    await addDeliveries(tx, recipient, [made], now)
    if (before) await inherit(tx, recipient, made.id, before)
  }
  return { position: entries.at(-1)?.seq ?? logPosition, more: entries.length === mostEntries }
}

/** A claim of deliveries of one endpoint. */
interface Claiming {
  readonly webhookId: WebhookId
  readonly lease: string
}

/** Claimed deliveries, and what sending needs. */
export interface Claimed {
  readonly contact: Contact
  readonly deliveries: readonly Delivery[]
  readonly now: Instant
}

interface Opening {
  /** Open the secrets that sign. */
  readonly keys: SealingKeys
}

/**
 * Claims what is due. Undefined if nothing is. Throws where no key opens the present secret, so that another node, which has the key, can claim
 * the deliveries.
 */
export const claim: Action<Claiming & Opening & { readonly what: 'all' | 'pings' }, Claimed | undefined> = {
  name: 'webhooks.claim',
  async run(tx, { projectId, now }, { webhookId, lease, keys, what }) {
    const endpoint = await holdEndpoint(tx, projectId, webhookId)
    if (!endpoint) return undefined
    const recipient: Recipient = { projectId, webhookId }
    const deliveries = await claimDue(tx, recipient, { ...termsFor(endpoint, what, now), lease })
    if (deliveries.length === 0) return undefined
    const contact = contactOf(keys, recipient, endpoint, now)
    if (!contact) throw new Error(`the secret of the webhook ${webhookId} was sealed with a key that this node does not have`)
    return { contact, deliveries, now }
  },
}

/** Extends a claim, and returns the deliveries that are still its own. */
export const renewClaim: Action<Claiming & { readonly ids: readonly DeliveryId[] }, readonly DeliveryId[]> = {
  name: 'webhooks.renew-claim',
  run: (tx, { projectId, now }, { webhookId, ...claim }) => extendClaim(tx, { projectId, webhookId }, claim, later(now, leaseMs)),
}

/** The saved outcome of a try. */
export interface Recorded {
  /** None if another process has taken the delivery over: its outcome counts. */
  readonly tried?: Delivery
  /** The endpoint was disabled by this outcome. */
  readonly disabled: boolean
  /** Where the next try goes, since the endpoint may have been edited. None if this node has no more to send to it. */
  readonly contact: Contact | undefined
}

/** Saves the outcome of one try. A success ends the rest of a failing endpoint; 410 disables it. */
export const recordTry: Action<Claiming & Opening & { readonly delivery: Delivery; readonly outcome: Outcome }, Recorded> = {
  name: 'webhooks.record-try',
  async run(tx, { projectId, now }, { webhookId, lease, keys, delivery, outcome }, random) {
    const before = await holdEndpoint(tx, projectId, webhookId)
    if (!before) return { disabled: false, contact: undefined }
    const recipient: Recipient = { projectId, webhookId }
    const contactNow = (endpoint: Endpoint) => (endpoint.enabled ? contactOf(keys, recipient, endpoint, now) : undefined)
    const tried = afterTry(delivery, outcome, now, random)
    if (!(await saveTried(tx, recipient, lease, tried))) return { disabled: false, contact: contactNow(before) }
    const endpoint = afterOutcome(before, outcome, now)
    if (endpoint !== before) await saveEndpoint(tx, projectId, endpoint)
    if (before.failures > 0 && endpoint.failures === 0) await wakeDeliveries(tx, recipient, now, false)
    return { tried, disabled: before.enabled && !endpoint.enabled, contact: contactNow(endpoint) }
  },
}

/** Ends a turn: releases what was not tried, and lets an endpoint rest that only failed. `failed`: the outcomes of a turn without success. */
export const endTurn: Action<
  Claiming & { readonly untried: readonly DeliveryId[]; readonly failed: readonly Outcome[] },
  Pick<Recorded, 'disabled'>
> = {
  name: 'webhooks.end-turn',
  async run(tx, { projectId, now }, { webhookId, lease, untried, failed }, random) {
    const before = await holdEndpoint(tx, projectId, webhookId)
    if (!before) return { disabled: false }
    if (untried.length > 0) await releaseClaim(tx, { projectId, webhookId }, { lease, ids: untried }, now)
    const endpoint = afterFailures(before, failed, now, random)
    if (endpoint !== before) await saveEndpoint(tx, projectId, endpoint)
    return { disabled: before.enabled && !endpoint.enabled }
  },
}

/** None where no key opens the present secret. */
function contactOf(keys: SealingKeys, recipient: Recipient, endpoint: Endpoint, now: Instant): Contact | undefined {
  const [secret, ...old] = secretsOf(endpoint, now).map((each) => openSecret(keys, recipient, each))
  return secret === undefined ? undefined : { url: endpoint.url, secrets: [secret, ...old.filter((each) => each !== undefined)] }
}

function termsFor({ enabled, failures, wakeAt, logPosition }: Endpoint, what: 'all' | 'pings', now: Instant) {
  const isFailing = failures > 0
  return {
    most: isFailing ? 1 : mostInClaim,
    now,
    until: later(now, leaseMs),
    logPosition,
    freshFirst: isFailing,
    onlyPings: what === 'pings' || !enabled || wakeAt > now,
  }
}

function eventsOf(projectId: ProjectId, events: readonly EventFilter[], entry: LogEntry): readonly NewDelivery[] {
  return entry.news.flatMap((type, part) => (wants(events, type) ? [toDelivery(projectId, entry, type, part)] : []))
}

function toDelivery(projectId: ProjectId, { seq, resourceId, at }: LogEntry, type: string, part: number): NewDelivery {
  return {
    id: eventId(projectId, seq, type, at),
    type,
    revision: seq,
    part,
    resourceId: type === projectChanged ? 'project' : resourceId,
    happenedAt: at,
  }
}
