import type { Action } from '../../../actions/action.ts'
import type { Tx } from '../../../database/engine.ts'
import type { ProjectId, Random } from '../../../values/ids.ts'
import { type Instant, later } from '../../../values/instant.ts'
import { afterTry, afterTurn, type Delivery, type DeliveryId, eventId, type Outcome } from '../delivery.ts'
import { addDeliveries, type NewDelivery, type Recipient, wakeDeliveries } from '../delivery-store.ts'
import { type Endpoint, type EventFilter, projectChanged, type WebhookId, wants } from '../webhook.ts'
import { holdEndpoint, saveEndpoint } from '../webhook-store.ts'
import { claimDue, listClaimed, saveTried } from './delivery-claim-store.ts'
import { inherit, type LogEntry, listLog, takeBackProjectChanged } from './delivery-queue-store.ts'

/** As much of the log as one transaction turns into deliveries. */
const mostEntries = 200
/** How long a delivery is its claimer's: none is begun later than 5 seconds after the claim, and a request takes 15 at most. Beyond it the claimer has died. */
const leaseMs = 60_000
/** As many deliveries of one endpoint as one transaction takes, and the next one writes down; of a failing one a single one. */
const mostInTurn = 32

/** Makes deliveries of what the log says since it was last read for this endpoint. False where the end of the log was reached. */
export const readLog: Action<{ readonly webhookId: WebhookId }, boolean> = {
  name: 'webhooks.read-log',
  async run(tx, { projectId, now }, { webhookId }) {
    const endpoint = await holdEndpoint(tx, projectId, webhookId)
    if (!endpoint?.enabled) return false
    const entries = await listLog(tx, projectId, endpoint.logPosition, mostEntries)
    const last = entries.at(-1)
    if (last === undefined) return false
    const recipient: Recipient = { projectId, webhookId }
    await addDeliveries(
      tx,
      recipient,
      entries.flatMap((entry) => eventsOf(projectId, endpoint.events, entry)),
      now,
    )
    const seen = entries.findLast(({ isPublic }) => isPublic)
    if (seen && wants(endpoint.events, projectChanged)) {
      const before = await takeBackProjectChanged(tx, recipient)
      const made = toDelivery(projectId, seen, projectChanged, 0)
      await addDeliveries(tx, recipient, [made], now)
      if (before) await inherit(tx, recipient, made.id, before)
    }
    await saveEndpoint(tx, projectId, { ...endpoint, logPosition: last.seq })
    return entries.length === mostEntries
  },
}

/** How the tries of claimed deliveries went. */
export interface Tried {
  readonly lease: string
  readonly outcomes: readonly (readonly [DeliveryId, Outcome])[]
}

export interface Claimed {
  readonly endpoint: Endpoint
  readonly deliveries: readonly Delivery[]
  readonly lease: string
  readonly now: Instant
}

interface Turn {
  readonly webhookId: WebhookId
  readonly tried?: Tried
  /** What is to be taken. */
  readonly next: 'all' | 'pings' | 'nothing'
}

/** What a turn wrote down, and what it took; nothing of that where nothing is due. */
export interface Taken {
  readonly tried: readonly Delivery[]
  readonly disabled: boolean
  readonly claimed?: Claimed
}

/** Writes down how the last turn of tries went and takes what the next one sends. */
export const takeTurn: Action<Turn, Taken> = {
  name: 'webhooks.take-turn',
  async run(tx, { projectId, now }, { webhookId, tried, next }, random) {
    const before = await holdEndpoint(tx, projectId, webhookId)
    if (!before) return { tried: [], disabled: false }
    const recipient: Recipient = { projectId, webhookId }
    const told = tried ? await outcomesOf(tx, recipient, tried) : []
    const written = told.map(({ delivery, outcome }) => afterTry(delivery, outcome, now, random))
    await saveTried(tx, recipient, written)
    const endpoint = afterTurn(
      before,
      told.map(({ outcome }) => outcome),
      now,
      random,
    )
    if (endpoint !== before) await saveEndpoint(tx, projectId, endpoint)
    if (before.failures > 0 && endpoint.failures === 0) await wakeDeliveries(tx, recipient, now, false)
    const news = { tried: written.filter((_, i) => told[i]?.outcome.kind !== 'interrupted'), disabled: before.enabled && !endpoint.enabled }
    if (next === 'nothing') return news
    const lease = newLease(random)
    const deliveries = await claimDue(tx, recipient, { ...termsFor(endpoint, next, now), lease })
    return deliveries.length > 0 ? { ...news, claimed: { endpoint, deliveries, lease, now } } : news
  },
}

/** What is known of deliveries that are still the claimer's. */
async function outcomesOf(tx: Tx, recipient: Recipient, { lease, outcomes }: Tried) {
  const known = new Map(outcomes)
  const claimed = await listClaimed(tx, recipient, lease, [...known.keys()])
  return claimed.flatMap((delivery) => {
    const outcome = known.get(delivery.id)
    return outcome ? [{ delivery, outcome }] : []
  })
}

function termsFor({ enabled, failures, wakeAt, logPosition }: Endpoint, next: Turn['next'], now: Instant) {
  const isFailing = failures > 0
  return {
    most: isFailing ? 1 : mostInTurn,
    now,
    until: later(now, leaseMs),
    logPosition,
    freshFirst: isFailing,
    onlyPings: next === 'pings' || !enabled || wakeAt > now,
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

function newLease(random: Random): string {
  return Buffer.from(random(9)).toString('base64url')
}
