import { sql } from 'kysely'
import type { Db, Tx } from '../database/engine.ts'
import type { ProjectId } from '../ids.ts'
import type { Instant } from '../instant.ts'
import type { Delivery, DeliveryId } from './delivery.ts'
import { deliveries, type Recipient, toDelivery } from './delivery-store.ts'
import { ping, projectChanged, type WebhookId } from './webhook.ts'

/** An endpoint for which there is something to do. */
export interface Waiting extends Recipient {
  /** The project's slug. */
  readonly project: string
  readonly isFailing: boolean
}

/** A row of the log, as far as it can be told of. */
export interface LogEntry {
  readonly seq: number
  readonly thingId: string
  readonly news: readonly string[]
  readonly isPublic: boolean
  readonly at: Instant
}

/** Endpoints that have not been told of the whole log, or have deliveries that are due; those that work first. */
export async function listWaiting(db: Db, now: Instant, most: number): Promise<readonly Waiting[]> {
  const rows = await db
    .selectFrom('webhooks')
    .innerJoin('project_state', 'project_state.project_id', 'webhooks.project_id')
    .innerJoin('projects', 'projects.id', 'webhooks.project_id')
    .select(['webhooks.project_id', 'webhooks.id', 'webhooks.failures', 'projects.slug'])
    .where((eb) =>
      eb.or([
        eb('webhooks.enabled', '=', 1).and(eb('webhooks.log_position', '<', eb.ref('project_state.revision'))),
        eb.exists(
          eb
            .selectFrom('webhook_deliveries as due')
            .select('due.id')
            .whereRef('due.project_id', '=', 'webhooks.project_id')
            .whereRef('due.webhook_id', '=', 'webhooks.id')
            .where('due.status', 'in', ['waiting', 'sending'])
            .where('due.next_try_at', '<=', now)
            .where((on) => on.or([on('due.type', '=', ping), on('webhooks.enabled', '=', 1).and(on('webhooks.wake_at', '<=', now))])),
        ),
      ]),
    )
    .orderBy('webhooks.failures')
    .limit(most)
    .execute()
  return rows.map((row) => ({ projectId: row.project_id, webhookId: row.id, project: row.slug, isFailing: row.failures > 0 }))
}

/** How much is still to be sent to endpoints that are not disabled, and since when the oldest of it is there. */
export async function countOpen(db: Db): Promise<{ readonly deliveries: number; readonly oldest: Instant | undefined }> {
  const row = await db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', (join) =>
      join.onRef('webhooks.project_id', '=', 'webhook_deliveries.project_id').onRef('webhooks.id', '=', 'webhook_deliveries.webhook_id'),
    )
    .select((eb) => [eb.fn.countAll<number | string>().as('deliveries'), eb.fn.min('webhook_deliveries.created_at').as('oldest')])
    .where('webhook_deliveries.status', 'in', ['waiting', 'sending'])
    .where('webhooks.enabled', '=', 1)
    .executeTakeFirstOrThrow()
  return { deliveries: Number(row.deliveries), oldest: row.oldest ?? undefined }
}

/** What the log says after a revision, in its order. */
export async function listLog(db: Db, projectId: ProjectId, after: number, most: number): Promise<readonly LogEntry[]> {
  const rows = await db
    .selectFrom('changes')
    .select(['seq', 'entity_id', 'news', 'public_before', 'public_after', 'at'])
    .where('project_id', '=', projectId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(most)
    .execute()
  return rows.map((row) => ({
    seq: row.seq,
    thingId: row.entity_id,
    news: row.news === '' ? [] : row.news.split(' '),
    isPublic: row.public_before === 1 || row.public_after === 1,
    at: row.at,
  }))
}

/** Takes a `project.changed` away that waits, so that a newer one takes its place: one is pending at most. Returns how it had gone. */
export async function takeBackProjectChanged(tx: Tx, recipient: Recipient): Promise<Delivery | undefined> {
  const waiting = deliveries(tx, recipient).where('type', '=', projectChanged).where('status', '=', 'waiting').orderBy('revision')
  const rows = await waiting.execute()
  for (const { id } of rows) await ofOne(tx.deleteFrom('webhook_deliveries'), recipient, id).execute()
  const [last] = rows.slice(-1)
  return last && toDelivery(last)
}

/** Lets a delivery wait and count as its predecessor did. */
export async function inherit(tx: Tx, recipient: Recipient, id: DeliveryId, from: Delivery): Promise<void> {
  await ofOne(tx.updateTable('webhook_deliveries'), recipient, id)
    .set({ tries: from.tries, first_tried_at: from.firstTriedAt, next_try_at: from.nextTryAt })
    .execute()
}

export interface ClaimTerms {
  readonly most: number
  readonly now: Instant
  readonly until: Instant
  /** The mark of this claim. */
  readonly lease: string
  /** How far in the log the endpoint has been told: what a replay comes to again is not sent before its time. */
  readonly logPosition: number
  /** Whether what was tried least comes first, instead of what happened first. */
  readonly freshFirst: boolean
  readonly onlyPings: boolean
}

/** Takes deliveries that are due, so that nobody else sends them meanwhile; of one thing only the first that is not yet through. */
export async function claimDue(tx: Tx, recipient: Recipient, terms: ClaimTerms): Promise<readonly Delivery[]> {
  const found = deliveries(tx, recipient)
    .where('status', 'in', ['waiting', 'sending'])
    .where('next_try_at', '<=', terms.now)
    .where('revision', '<=', terms.logPosition)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('webhook_deliveries as earlier').select('earlier.id').where(isEarlier))))
    .$if(terms.onlyPings, (query) => query.where('type', '=', ping))
    .$if(terms.freshFirst, (query) => query.orderBy('tries'))
    .orderBy('revision')
    .orderBy('part')
    .limit(terms.most)
  const rows = await (tx.engine.skipsLockedRows ? found.forUpdate().skipLocked() : found).execute()
  if (rows.length === 0) return []
  await tx
    .updateTable('webhook_deliveries')
    .set({ status: 'sending', lease: terms.lease, next_try_at: terms.until })
    .where('project_id', '=', recipient.projectId)
    .where('webhook_id', '=', recipient.webhookId)
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
  return rows.map(toDelivery)
}

/** The deliveries of a claim, but for those that somebody else has taken over since. */
export async function listClaimed(tx: Tx, recipient: Recipient, lease: string): Promise<readonly Delivery[]> {
  const rows = await deliveries(tx, recipient).where('lease', '=', lease).where('status', '=', 'sending').execute()
  return rows.map(toDelivery)
}

/** Writes how a delivery went, and gives it back. */
export async function saveTried(tx: Tx, recipient: Recipient, delivery: Delivery): Promise<void> {
  await ofOne(tx.updateTable('webhook_deliveries'), recipient, delivery.id)
    .set({
      status: delivery.status,
      tries: delivery.tries,
      first_tried_at: delivery.firstTriedAt,
      last_tried_at: delivery.lastTriedAt,
      next_try_at: delivery.nextTryAt,
      lease: null,
      last_status: delivery.lastStatus,
      last_duration_ms: delivery.lastDurationMs,
      last_error: delivery.lastError,
    })
    .execute()
}

const isEarlier = sql<boolean>`
  earlier.project_id = webhook_deliveries.project_id and earlier.webhook_id = webhook_deliveries.webhook_id
  and earlier.thing_id = webhook_deliveries.thing_id and earlier.status in ('waiting', 'sending')
  and (earlier.revision < webhook_deliveries.revision
    or (earlier.revision = webhook_deliveries.revision and earlier.part < webhook_deliveries.part))`

/** One delivery, as the end of a statement that changes it. */
function ofOne<
  Q extends { where(column: 'project_id', is: '=', value: ProjectId): Q } & {
    where(column: 'webhook_id', is: '=', value: WebhookId): Q
  } & { where(column: 'id', is: '=', value: DeliveryId): Q },
>(query: Q, { projectId, webhookId }: Recipient, id: DeliveryId): Q {
  return query.where('project_id', '=', projectId).where('webhook_id', '=', webhookId).where('id', '=', id)
}
