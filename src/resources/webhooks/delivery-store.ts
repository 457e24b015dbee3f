import { type Insertable, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '../../database/engine.ts'
import type { WebhookDeliveryTable } from '../../database/tables/webhook-tables.ts'
import type { ListPlan } from '../../lists/list-spec.ts'
import { listPage, type Page } from '../../lists/page-query.ts'
import { orderTerms, type SortColumns } from '../../lists/sort-terms.ts'
import { isId, type ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import type { Delivery } from './delivery.ts'
import type { deliveryList } from './delivery-schema.ts'
import type { WebhookId } from './webhook.ts'

/** The webhook that deliveries are for. */
export interface Recipient {
  readonly projectId: ProjectId
  readonly webhookId: WebhookId
}

/** A new delivery, never tried. */
export type NewDelivery = Pick<Delivery, 'id' | 'type' | 'revision' | 'part' | 'resourceId' | 'happenedAt'>

const sortColumns: SortColumns<(typeof deliveryList)['sorts'][number]> = { created_at: [{ column: 'created_at', type: 'text' }] }

export async function findDelivery(db: Db, recipient: Recipient, id: string): Promise<Delivery | undefined> {
  if (!isId('evt', id)) return undefined
  const row = await deliveries(db, recipient).where('id', '=', id).executeTakeFirst()
  return row && toDelivery(row)
}

export async function listDeliveries(db: Db, recipient: Recipient, plan: ListPlan<typeof deliveryList>): Promise<Page<Delivery>> {
  const { status, type } = plan.filters
  let found = deliveries(db, recipient)
  if (status) found = found.where('status', 'in', status)
  if (type) found = found.where('type', 'in', type)
  return listPage(found, plan, orderTerms('webhook_deliveries', plan.sort, sortColumns), toDelivery)
}

const untried = {
  status: 'waiting',
  tries: 0,
  firstTriedAt: null,
  lastTriedAt: null,
  lastStatus: null,
  lastDurationMs: null,
  lastError: null,
} as const

/** Adds deliveries, due now. A finished one starts again; one that is still open stays as it is. */
export async function addDeliveries(tx: Tx, recipient: Recipient, added: readonly NewDelivery[], now: Instant): Promise<void> {
  if (added.length === 0) return
  const rows = added.map((each) => toRow(recipient, { ...untried, ...each, nextTryAt: now, createdAt: now }))
  await tx
    .insertInto('webhook_deliveries')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'webhook_id', 'id'])
        .doUpdateSet({ status: 'waiting', tries: 0, first_tried_at: null, next_try_at: now, lease: null, created_at: now })
        .where('webhook_deliveries.status', 'in', ['delivered', 'failed']),
    )
    .execute()
}

/** Makes all waiting deliveries of an endpoint due now. `resetTries` counts their tries from zero. */
export async function wakeDeliveries(tx: Tx, { projectId, webhookId }: Recipient, now: Instant, resetTries: boolean): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ next_try_at: now, ...(resetTries && { tries: 0, first_tried_at: null }) })
    .where('project_id', '=', projectId)
    .where('webhook_id', '=', webhookId)
    .where(isOpen('webhook_deliveries'))
    .where('status', '=', 'waiting')
    .$if(!resetTries, (query) => query.where('next_try_at', '>', now))
    .execute()
}

/** Makes one delivery due now and resets its tries, unless it is being sent. */
export async function rearm(tx: Tx, { projectId, webhookId }: Recipient, id: Delivery['id'], now: Instant): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ status: 'waiting', tries: 0, first_tried_at: null, next_try_at: now, created_at: now })
    .where('project_id', '=', projectId)
    .where('webhook_id', '=', webhookId)
    .where('id', '=', id)
    .where('status', '!=', 'sending')
    .execute()
}

/** Deletes finished deliveries created before an instant, and returns how many. */
export async function pruneDeliveries(tx: Tx, projectId: ProjectId, before: Instant, most: number): Promise<number> {
  const old = await tx
    .selectFrom('webhook_deliveries')
    .select(['webhook_id', 'id'])
    .where('project_id', '=', projectId)
    .where('status', 'in', ['delivered', 'failed'])
    .where('created_at', '<', before)
    .limit(most)
    .execute()
  for (const { webhook_id, id } of old) {
    await tx
      .deleteFrom('webhook_deliveries')
      .where('project_id', '=', projectId)
      .where('webhook_id', '=', webhook_id)
      .where('id', '=', id)
      .execute()
  }
  return old.length
}

export function deliveries(db: Db, { projectId, webhookId }: Recipient) {
  return db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_deliveries.project_id', '=', projectId)
    .where('webhook_deliveries.webhook_id', '=', webhookId)
}

/** Deliveries still to be sent. The words are those of the partial indexes: with parameters, neither engine would use them. */
export function isOpen(table: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(`${table}.status`)} in ('waiting', 'sending')`
}

export function toDelivery(row: Selectable<WebhookDeliveryTable>): Delivery {
  return {
    id: row.id,
    type: row.type,
    revision: row.revision,
    part: row.part,
    resourceId: row.resource_id,
    happenedAt: row.happened_at,
    status: row.status,
    tries: row.tries,
    firstTriedAt: row.first_tried_at,
    lastTriedAt: row.last_tried_at,
    nextTryAt: row.next_try_at,
    lastStatus: row.last_status,
    lastDurationMs: row.last_duration_ms,
    lastError: row.last_error,
    createdAt: row.created_at,
  }
}

/** The row of a delivery without a lease. */
export function toRow({ projectId, webhookId }: Recipient, delivery: Delivery): Insertable<WebhookDeliveryTable> {
  return {
    project_id: projectId,
    webhook_id: webhookId,
    id: delivery.id,
    type: delivery.type,
    revision: delivery.revision,
    part: delivery.part,
    resource_id: delivery.resourceId,
    happened_at: delivery.happenedAt,
    status: delivery.status,
    tries: delivery.tries,
    first_tried_at: delivery.firstTriedAt,
    last_tried_at: delivery.lastTriedAt,
    next_try_at: delivery.nextTryAt,
    lease: null,
    last_status: delivery.lastStatus,
    last_duration_ms: delivery.lastDurationMs,
    last_error: delivery.lastError,
    created_at: delivery.createdAt,
  }
}
