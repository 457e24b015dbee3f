import { sql } from 'kysely'
import type { Tx } from '../../../database/engine.ts'
import type { Instant } from '../../../values/instant.ts'
import type { Delivery, DeliveryId } from '../delivery.ts'
import { deliveries, isOpen, type Recipient, toDelivery, toRow } from '../delivery-store.ts'
import { ping } from '../webhook.ts'

interface ClaimTerms {
  readonly most: number
  readonly now: Instant
  readonly until: Instant
  /** Identifies this claim. */
  readonly lease: string
  /** The position of the endpoint in the log. Deliveries after it wait until a replay reaches them. */
  readonly logPosition: number
  /** Whether to claim the least tried first instead of the oldest. */
  readonly freshFirst: boolean
  readonly onlyPings: boolean
}

/** Claims due deliveries, so that no other process sends them. Of each resource only the first open one is claimed. */
export async function claimDue(tx: Tx, recipient: Recipient, terms: ClaimTerms): Promise<readonly Delivery[]> {
  const found = deliveries(tx, recipient)
    .where(isOpen('webhook_deliveries'))
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

/** The deliveries of a claim, without those that another process has taken over since. */
export async function listClaimed(tx: Tx, recipient: Recipient, lease: string, ids: readonly DeliveryId[]): Promise<readonly Delivery[]> {
  if (ids.length === 0) return []
  const claimed = deliveries(tx, recipient).where('id', 'in', ids).where('lease', '=', lease).where('status', '=', 'sending')
  return (await claimed.execute()).map(toDelivery)
}

/** Saves the outcomes of deliveries in one statement and releases them. */
export async function saveTried(tx: Tx, recipient: Recipient, tried: readonly Delivery[]): Promise<void> {
  if (tried.length === 0) return
  await tx
    .insertInto('webhook_deliveries')
    .values(tried.map((delivery) => toRow(recipient, delivery)))
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'webhook_id', 'id']).doUpdateSet((eb) => ({
        status: eb.ref('excluded.status'),
        tries: eb.ref('excluded.tries'),
        first_tried_at: eb.ref('excluded.first_tried_at'),
        last_tried_at: eb.ref('excluded.last_tried_at'),
        next_try_at: eb.ref('excluded.next_try_at'),
        lease: null,
        last_status: eb.ref('excluded.last_status'),
        last_duration_ms: eb.ref('excluded.last_duration_ms'),
        last_error: eb.ref('excluded.last_error'),
      })),
    )
    .execute()
}

const isEarlier = sql<boolean>`
  earlier.project_id = webhook_deliveries.project_id and earlier.webhook_id = webhook_deliveries.webhook_id
  and earlier.resource_id = webhook_deliveries.resource_id and earlier.status in ('waiting', 'sending')
  and (earlier.revision < webhook_deliveries.revision
    or (earlier.revision = webhook_deliveries.revision and earlier.part < webhook_deliveries.part))`
