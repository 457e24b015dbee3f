import type { Action } from '../../../actions/action.ts'
import type { Tx } from '../../../database/engine.ts'
import type { ProjectId, Random } from '../../../values/ids.ts'
import { type Instant, later } from '../../../values/instant.ts'
import { afterTry, afterTurn, type Delivery, type DeliveryId, eventId, type Outcome } from '../delivery.ts'
import { addDeliveries, type NewDelivery, type Recipient, wakeDeliveries } from '../delivery-store.ts'
import { openSecret, type SealingKeys } from '../sealed-secret.ts'
import { type Endpoint, type EventFilter, projectChanged, secretsOf, type WebhookId, wants } from '../webhook.ts'
import { holdEndpoint, saveEndpoint } from '../webhook-store.ts'
import { claimDue, listClaimed, saveTried } from './delivery-claim-store.ts'
import { inherit, type LogEntry, listLog, takeBackProjectChanged } from './delivery-queue-store.ts'

/** How many entries of the log one transaction turns into deliveries. */
const mostEntries = 200
/** How long a claim lasts. No request begins later than 5 seconds after the claim or takes longer than 15, so after this time the claimer has died. */
const leaseMs = 60_000
/** How many deliveries of one endpoint a transaction claims; a failing endpoint gets one. */
const mostInTurn = 32

/** Makes deliveries from the entries of the log that this endpoint has not read. False at the end of the log. */
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

/** The outcomes of claimed deliveries. */
export interface Tried {
  readonly lease: string
  readonly outcomes: readonly (readonly [DeliveryId, Outcome])[]
}

export interface Claimed {
  readonly url: string
  /** The secrets that sign, the new one first. */
  readonly secrets: readonly string[]
  readonly deliveries: readonly Delivery[]
  readonly lease: string
  readonly now: Instant
}

interface Turn {
  readonly webhookId: WebhookId
  readonly keys: SealingKeys
  readonly tried?: Tried
  /** What to claim. */
  readonly next: 'all' | 'pings' | 'nothing'
}

/** The saved outcomes of a round, and the next claim if something is due. */
export interface Taken {
  readonly tried: readonly Delivery[]
  readonly disabled: boolean
  readonly claimed?: Claimed
}

/** Saves the outcomes of the last round of tries, and claims deliveries for the next one. */
export const takeTurn: Action<Turn, Taken> = {
  name: 'webhooks.take-turn',
  async run(tx, { projectId, now }, { webhookId, keys, tried, next }, random) {
    const before = await holdEndpoint(tx, projectId, webhookId)
    if (!before) return { tried: [], disabled: false }
    const recipient: Recipient = { projectId, webhookId }
    const known = tried ? await outcomesOf(tx, recipient, tried) : []
    const written = known.map(({ delivery, outcome }) => afterTry(delivery, outcome, now, random))
    await saveTried(tx, recipient, written)
    const endpoint = afterTurn(
      before,
      known.map(({ outcome }) => outcome),
      now,
      random,
    )
    if (endpoint !== before) await saveEndpoint(tx, projectId, endpoint)
    if (before.failures > 0 && endpoint.failures === 0) await wakeDeliveries(tx, recipient, now, false)
    const news = {
      tried: written.filter((_, i) => known[i]?.outcome.kind !== 'interrupted'),
      disabled: before.enabled && !endpoint.enabled,
    }
    if (next === 'nothing') return news
    const lease = newLease(random)
    const deliveries = await claimDue(tx, recipient, { ...termsFor(endpoint, next, now), lease })
    if (deliveries.length === 0) return news
    return { ...news, claimed: { url: endpoint.url, secrets: openSecrets(keys, recipient, endpoint, now), deliveries, lease, now } }
  },
}

/** The outcomes of deliveries that are still claimed under this lease. */
async function outcomesOf(tx: Tx, recipient: Recipient, { lease, outcomes }: Tried) {
  const byId = new Map(outcomes)
  const claimed = await listClaimed(tx, recipient, lease, [...byId.keys()])
  return claimed.flatMap((delivery) => {
    const outcome = byId.get(delivery.id)
    return outcome ? [{ delivery, outcome }] : []
  })
}

/** Throws where no key opens the present secret, so that another node, which has the key, can claim the deliveries. */
function openSecrets(keys: SealingKeys, recipient: Recipient, endpoint: Endpoint, now: Instant): readonly string[] {
  const [secret, ...old] = secretsOf(endpoint, now).map((each) => openSecret(keys, recipient, each))
  if (secret === undefined) throw new Error(`the secret of the webhook ${endpoint.id} was sealed with a key that this node does not have`)
  return [secret, ...old.filter((each) => each !== undefined)]
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
