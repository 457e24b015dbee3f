import { sql } from 'kysely'
import type { Tx } from '../../../database/engine.ts'
import type { ProjectId } from '../../../values/ids.ts'
import type { Instant } from '../../../values/instant.ts'
import type { Delivery, DeliveryId } from '../delivery.ts'
import { deliveries, isOpen, type Recipient, toDelivery, toRow } from '../delivery-store.ts'
import { ping } from '../webhook.ts'

/** Deliveries that one process has claimed. */
interface Claim {
  readonly lease: string
  readonly ids: readonly DeliveryId[]
}

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
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('webhook_deliveries as earlier').select('earlier.id').where(isEarlier(recipient.projectId)))),
    )
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

/** Extends a claim, and returns the deliveries that are still its own: another process may have taken some over. */
export async function extendClaim(tx: Tx, recipient: Recipient, claim: Claim, until: Instant): Promise<readonly DeliveryId[]> {
  const rows = await claimed(tx, recipient, claim).set({ next_try_at: until }).returning('id').execute()
  return rows.map(({ id }) => id)
}

/** Releases deliveries of a claim untried. */
export async function releaseClaim(tx: Tx, recipient: Recipient, claim: Claim, now: Instant): Promise<void> {
  await claimed(tx, recipient, claim).set({ status: 'waiting', lease: null, next_try_at: now }).execute()
}

/** Saves a delivery after a try and releases it. False if another process has taken it over since; it then stays as it is. */
export async function saveTried(tx: Tx, recipient: Recipient, lease: string, tried: Delivery): Promise<boolean> {
  const { status, tries, first_tried_at, last_tried_at, next_try_at, last_status, last_duration_ms, last_error } = toRow(recipient, tried)
  const saved = await claimed(tx, recipient, { lease, ids: [tried.id] })
    .set({ status, tries, first_tried_at, last_tried_at, next_try_at, lease: null, last_status, last_duration_ms, last_error })
    .executeTakeFirst()
  return saved.numUpdatedRows > 0n
}

function claimed(tx: Tx, { projectId, webhookId }: Recipient, { lease, ids }: Claim) {
  return tx
    .updateTable('webhook_deliveries')
    .where('project_id', '=', projectId)
    .where('webhook_id', '=', webhookId)
    .where('id', 'in', ids)
    .where('lease', '=', lease)
    .where('status', '=', 'sending')
}

const isEarlier = (projectId: ProjectId) => sql<boolean>`
  earlier.project_id = ${projectId} and earlier.webhook_id = webhook_deliveries.webhook_id
  and earlier.resource_id = webhook_deliveries.resource_id and earlier.status in ('waiting', 'sending')
  and (earlier.revision < webhook_deliveries.revision
    or (earlier.revision = webhook_deliveries.revision and earlier.part < webhook_deliveries.part))`
