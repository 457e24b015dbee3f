import { askEveryProject } from '../../../actions/every-project.ts'
import type { Db, Tx } from '../../../database/engine.ts'
import type { ProjectId } from '../../../values/ids.ts'
import type { Instant } from '../../../values/instant.ts'
import type { Delivery, DeliveryId } from '../delivery.ts'
import { deliveries, isOpen, type Recipient, toDelivery } from '../delivery-store.ts'
import { ping, projectChanged, type WebhookId } from '../webhook.ts'

/** An endpoint with work to do. */
export interface Waiting extends Recipient {
  /** The project's slug. */
  readonly project: string
  readonly isFailing: boolean
}

/** A row of the log, with what events need. */
export interface LogEntry {
  readonly seq: number
  readonly resourceId: string
  readonly news: readonly string[]
  readonly isPublic: boolean
  readonly at: Instant
}

/** Endpoints behind the log or with due deliveries, those that are not failing first. */
export async function listWaiting(db: Db, now: Instant, most: number): Promise<readonly Waiting[]> {
  const { found } = await askEveryProject(db, (projectId) => endpointsWithWork(db, now, most, projectId))
  if (found.length === 0) return []
  const rows = [...found].sort((a, b) => a.failures - b.failures).slice(0, most)
  const slugs = await slugsOf(db, new Set(rows.map((row) => row.project_id)))
  return rows.map((row) => ({
    projectId: row.project_id,
    webhookId: row.id,
    project: slugs.get(row.project_id) ?? '',
    isFailing: row.failures > 0,
  }))
}

async function slugsOf(db: Db, ids: ReadonlySet<ProjectId>): Promise<ReadonlyMap<ProjectId, string>> {
  const rows = await db
    .selectFrom('projects')
    .select(['id', 'slug'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, slug }) => [id, slug]))
}

/** Of all projects, or of one. */
function endpointsWithWork(db: Db, now: Instant, most: number, projectId?: ProjectId) {
  return db
    .selectFrom('webhooks')
    .innerJoin('project_state', (join) =>
      projectId ? join.on('project_state.project_id', '=', projectId) : join.onRef('project_state.project_id', '=', 'webhooks.project_id'),
    )
    .select(['webhooks.project_id', 'webhooks.id', 'webhooks.failures'])
    .$if(projectId !== undefined, (query) => query.where('webhooks.project_id', '=', projectId as ProjectId))
    .where((eb) =>
      eb.or([
        eb('webhooks.enabled', '=', 1).and(eb('webhooks.log_position', '<', eb.ref('project_state.revision'))),
        eb.exists(
          eb
            .selectFrom('webhook_deliveries as due')
            .select('due.id')
            .where((on) => (projectId ? on('due.project_id', '=', projectId) : on('due.project_id', '=', on.ref('webhooks.project_id'))))
            .whereRef('due.webhook_id', '=', 'webhooks.id')
            .where(isOpen('due'))
            .where('due.next_try_at', '<=', now)
            .where((on) => on.or([on('due.type', '=', ping), on('webhooks.enabled', '=', 1).and(on('webhooks.wake_at', '<=', now))])),
        ),
      ]),
    )
    .orderBy('webhooks.failures')
    .limit(most)
    .execute()
}

/** How many deliveries are open to enabled endpoints, and when the oldest was created. */
export async function countOpen(db: Db): Promise<{ readonly deliveries: number; readonly oldest: Instant | undefined }> {
  const { found } = await askEveryProject(db, (projectId) => openDeliveries(db, projectId))
  return {
    deliveries: found.reduce((sum, row) => sum + Number(row.deliveries), 0),
    oldest: found.flatMap(({ oldest }) => oldest ?? []).sort()[0],
  }
}

/** Of all projects, or of one. */
function openDeliveries(db: Db, projectId?: ProjectId) {
  return db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', (join) =>
      (projectId
        ? join.on('webhooks.project_id', '=', projectId)
        : join.onRef('webhooks.project_id', '=', 'webhook_deliveries.project_id')
      ).onRef('webhooks.id', '=', 'webhook_deliveries.webhook_id'),
    )
    .select((eb) => [eb.fn.countAll<number | string>().as('deliveries'), eb.fn.min('webhook_deliveries.created_at').as('oldest')])
    .where(isOpen('webhook_deliveries'))
    .where('webhooks.enabled', '=', 1)
    .$if(projectId !== undefined, (query) => query.where('webhook_deliveries.project_id', '=', projectId as ProjectId))
    .execute()
}

/** The entries of the log after a revision, in order. */
export async function listLog(db: Db, projectId: ProjectId, after: number, most: number): Promise<readonly LogEntry[]> {
  const rows = await db
    .selectFrom('changes')
    .select(['seq', 'resource_id', 'news', 'public_before', 'public_after', 'at'])
    .where('project_id', '=', projectId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(most)
    .execute()
  return rows.map((row) => ({
    seq: row.seq,
    resourceId: row.resource_id,
    news: row.news === '' ? [] : row.news.split(' '),
    isPublic: row.public_before === 1 || row.public_after === 1,
    at: row.at,
  }))
}

/** Deletes a waiting `project.changed`, so that at most one is pending, and returns it. */
export async function takeBackProjectChanged(tx: Tx, recipient: Recipient): Promise<Delivery | undefined> {
  const open = deliveries(tx, recipient).where(isOpen('webhook_deliveries'))
  const rows = await open.where('type', '=', projectChanged).where('status', '=', 'waiting').orderBy('revision').execute()
  for (const { id } of rows) await ofOne(tx.deleteFrom('webhook_deliveries'), recipient, id).execute()
  const [last] = rows.slice(-1)
  return last && toDelivery(last)
}

/** Gives a delivery the tries and the time of its predecessor. */
export async function inherit(tx: Tx, recipient: Recipient, id: DeliveryId, from: Delivery): Promise<void> {
  await ofOne(tx.updateTable('webhook_deliveries'), recipient, id)
    .set({ tries: from.tries, first_tried_at: from.firstTriedAt, next_try_at: from.nextTryAt })
    .execute()
}

/** Restricts a statement to one delivery. */
function ofOne<
  Q extends { where(column: 'project_id', is: '=', value: ProjectId): Q } & {
    where(column: 'webhook_id', is: '=', value: WebhookId): Q
  } & { where(column: 'id', is: '=', value: DeliveryId): Q },
>(query: Q, { projectId, webhookId }: Recipient, id: DeliveryId): Q {
  return query.where('project_id', '=', projectId).where('webhook_id', '=', webhookId).where('id', '=', id)
}
