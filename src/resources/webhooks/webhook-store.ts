import type { Selectable } from 'kysely'
import { askEveryProject } from '../../actions/every-project.ts'
import { runDeferred } from '../../database/deferred-writes.ts'
import type { Db, Tx } from '../../database/engine.ts'
import type { WebhookTable } from '../../database/tables/webhook-tables.ts'
import type { ListPlan } from '../../lists/list-spec.ts'
import { listPage, type Page } from '../../lists/page-query.ts'
import { orderTerms, type SortColumns } from '../../lists/sort-terms.ts'
import { isId, type ProjectId } from '../../values/ids.ts'
import { type SealedSecret, sealedWith } from './sealed-secret.ts'
import { type Endpoint, type EventFilter, eventFilters, type Webhook, withoutSecrets } from './webhook.ts'
import type { webhookList } from './webhook-schema.ts'

const sortColumns: SortColumns<(typeof webhookList)['sorts'][number]> = {
  name: [{ column: 'name', type: 'text' }],
  created_at: [{ column: 'created_at', type: 'text' }],
}

export async function findWebhook(db: Db, projectId: ProjectId, id: string): Promise<Webhook | undefined> {
  if (!isId('whk', id)) return undefined
  const row = await webhooks(db, projectId).where('id', '=', id).executeTakeFirst()
  return row && withoutSecrets(toEndpoint(row))
}

/** An endpoint, locked until the end of the transaction, so that changes to it happen one after another. */
export async function holdEndpoint(tx: Tx, projectId: ProjectId, id: string): Promise<Endpoint | undefined> {
  if (!isId('whk', id)) return undefined
  const found = webhooks(tx, projectId).where('id', '=', id)
  const row = await (tx.engine.skipsLockedRows ? found.forUpdate() : found).executeTakeFirst()
  return row && toEndpoint(row)
}

export async function listWebhooks(db: Db, projectId: ProjectId, plan: ListPlan<typeof webhookList>): Promise<Page<Webhook>> {
  const terms = orderTerms('webhooks', plan.sort, sortColumns)
  return listPage(webhooks(db, projectId), plan, terms, (row) => withoutSecrets(toEndpoint(row)))
}

/** How many webhooks the project has. */
export async function countWebhooks(db: Db, projectId: ProjectId): Promise<number> {
  const row = await db
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll<number | string>().as('total'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  return Number(row.total)
}

/** The last revision of the project's log. */
export async function findRevision(db: Db, projectId: ProjectId): Promise<number> {
  await runDeferred(db)
  const row = await db.selectFrom('project_state').select('revision').where('project_id', '=', projectId).executeTakeFirstOrThrow()
  return row.revision
}

/** The endpoints of a project, locked until the end of the transaction. */
export async function holdEndpoints(tx: Tx, projectId: ProjectId): Promise<readonly Endpoint[]> {
  const found = webhooks(tx, projectId).orderBy('id')
  return (await (tx.engine.skipsLockedRows ? found.forUpdate() : found).execute()).map(toEndpoint)
}

/** The ids of the keys that have sealed the secrets of all projects. */
export async function listSealingKeyIds(db: Db): Promise<ReadonlySet<string>> {
  const { found: rows } = await askEveryProject(db, (projectId) =>
    db
      .selectFrom('webhooks')
      .select(['secret', 'old_secret'])
      .$if(projectId !== undefined, (query) => query.where('project_id', '=', projectId as ProjectId))
      .execute(),
  )
  const secrets = rows.flatMap((row) => (row.old_secret === null ? [row.secret] : [row.secret, row.old_secret]))
  return new Set(secrets.map((secret) => sealedWith(secret as SealedSecret)))
}

export async function insertEndpoint(tx: Tx, projectId: ProjectId, endpoint: Endpoint): Promise<void> {
  await tx
    .insertInto('webhooks')
    .values({ project_id: projectId, id: endpoint.id, created_at: endpoint.createdAt, ...toRow(endpoint) })
    .execute()
}

/** Saves an endpoint that this transaction has locked. */
export async function saveEndpoint(tx: Tx, projectId: ProjectId, endpoint: Endpoint): Promise<void> {
  await tx.updateTable('webhooks').set(toRow(endpoint)).where('project_id', '=', projectId).where('id', '=', endpoint.id).execute()
}

/** Deletes an endpoint and all its deliveries. */
export async function deleteEndpoint(tx: Tx, projectId: ProjectId, { id }: Endpoint): Promise<void> {
  await tx.deleteFrom('webhook_deliveries').where('project_id', '=', projectId).where('webhook_id', '=', id).execute()
  await tx.deleteFrom('webhooks').where('project_id', '=', projectId).where('id', '=', id).execute()
}

function webhooks(db: Db, projectId: ProjectId) {
  return db.selectFrom('webhooks').selectAll().where('webhooks.project_id', '=', projectId)
}

function toEndpoint(row: Selectable<WebhookTable>): Endpoint {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    events: row.events.split(' ').filter((name): name is EventFilter => (eventFilters as readonly string[]).includes(name)),
    enabled: row.enabled === 1,
    disabledAt: row.disabled_at,
    disabledReason: row.disabled_reason,
    failingSince: row.failing_since,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    logPosition: row.log_position,
    failures: row.failures,
    wakeAt: row.wake_at,
    secret: row.secret as SealedSecret,
    oldSecret: row.old_secret as SealedSecret | null,
    oldSecretUntil: row.old_secret_until,
  }
}

function toRow(endpoint: Endpoint) {
  return {
    name: endpoint.name,
    url: endpoint.url,
    events: endpoint.events.join(' '),
    enabled: endpoint.enabled ? (1 as const) : (0 as const),
    disabled_at: endpoint.disabledAt,
    disabled_reason: endpoint.disabledReason,
    failing_since: endpoint.failingSince,
    updated_at: endpoint.updatedAt,
    log_position: endpoint.logPosition,
    failures: endpoint.failures,
    wake_at: endpoint.wakeAt,
    secret: endpoint.secret,
    old_secret: endpoint.oldSecret,
    old_secret_until: endpoint.oldSecretUntil,
  }
}
