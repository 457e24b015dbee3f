import { defer, runDeferred } from '../../database/deferred-writes.ts'
import type { Db, Tx } from '../../database/engine.ts'
import { insertRows } from '../../database/insert-rows.ts'
import { prepared } from '../../database/prepared.ts'
import { withHash } from '../../database/row-hash.ts'
import type { ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import type { Caller } from '../caller.ts'
import { nextDue, nextDueIn } from '../next-due-store.ts'
import type { Change } from './change.ts'

/** How many changes are logged between two pauses. */
const batch = 100

/** Changes by one author, in their order. There can be very many: a copy of them all would hold up the event loop. */
interface Logged {
  readonly caller: Caller
  readonly changes: readonly Change[]
}

/**
 * Logs a change under the next revision of its project. Revisions have no gaps and follow the order of commits. The write is deferred to the
 * end of the transaction, because it locks the counter that every writer of the project needs.
 */
export async function recordChange(tx: Tx, caller: Caller, change: Change): Promise<void> {
  await recordChanges(tx, caller, [change])
}

/** Logs changes in their order. */
export async function recordChanges(tx: Tx, caller: Caller, changes: readonly Change[]): Promise<void> {
  if (changes.length > 0) await defer(tx, writeLogs, { caller, changes })
}

async function writeLogs(tx: Tx, written: readonly Logged[]): Promise<void> {
  for (const projectId of new Set(written.map(({ caller }) => caller.projectId))) {
    const ofProject = written.filter(({ caller }) => caller.projectId === projectId)
    await writeLog(tx, projectId, ofProject)
  }
}

async function writeLog(tx: Tx, projectId: ProjectId, written: readonly Logged[]): Promise<void> {
  const by = written.reduce((sum, { changes }) => sum + changes.length, 0)
  const publicChanges = written.reduce((sum, { changes }) => sum + changes.filter(isPublic).length, 0)
  const [counters] = await addToCounters(tx, { projectId, by, publicChanges })
  if (!counters) throw new Error('the project has no counters')
  let seq = counters.revision - by
  let publicSeq = counters.public_revision - publicChanges
  let rows: ReturnType<typeof toRow>[] = []
  for (const { caller, changes } of written)
    for (const change of changes) {
      rows.push(toRow(caller, change, { seq: ++seq, public_seq: isPublic(change) ? ++publicSeq : null }))
      if (rows.length < batch) continue
      await insertRows(tx, 'changes', rows)
      rows = []
      await tx.engine.pause()
    }
  await insertRows(tx, 'changes', rows)
}

const addToCounters = prepared(
  (tx: Tx, { projectId, by, publicChanges }: { readonly projectId: ProjectId; readonly by: number; readonly publicChanges: number }) =>
    tx
      .updateTable('project_state')
      .set((eb) => ({ revision: eb('revision', '+', by), public_revision: eb('public_revision', '+', publicChanges) }))
      .where('project_id', '=', projectId)
      .returning(['revision', 'public_revision']),
)

/** Deletes at most `most` changes made at `horizon` or before, and returns their number. The latest change stays: the counters refer to it. */
export async function deleteOldChanges(tx: Tx, projectId: ProjectId, horizon: Instant, most: number): Promise<number> {
  await runDeferred(tx)
  const oldest = await tx
    .selectFrom('changes')
    .select(['seq', 'at'])
    .where('project_id', '=', projectId)
    .orderBy('seq')
    .limit(most + 1)
    .execute()
  const firstYoung = oldest.findIndex(({ at }) => at > horizon)
  const old = firstYoung < 0 ? oldest.slice(0, -1) : oldest.slice(0, Math.min(firstYoung, most))
  const last = old.at(-1)
  if (last) await tx.deleteFrom('changes').where('project_id', '=', projectId).where('seq', '<=', last.seq).execute()
  return old.length
}

/** Whether the log has a change of this resource. It has none of resources that were deleted before the log begins. */
export async function isInLog(db: Db, projectId: ProjectId, id: Change['id']): Promise<boolean> {
  await runDeferred(db)
  const row = await db
    .selectFrom('changes')
    .select('seq')
    .where('project_id', '=', projectId)
    .where('resource_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The version after the last change of this kind and resource in the log; 1 if the log has none. */
export async function findNextVersion(db: Db, projectId: ProjectId, { kind, id }: Pick<Change, 'kind' | 'id'>): Promise<number> {
  await runDeferred(db)
  const row = await db
    .selectFrom('changes')
    .select('version')
    .where('project_id', '=', projectId)
    .where('resource_id', '=', id)
    .where('kind', '=', kind)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? row.version + 1 : 1
}

/** The versions of the last changes of these resources in the log, by id. */
export async function findLastVersions(
  db: Db,
  projectId: ProjectId,
  { kind, ids }: { readonly kind: Change['kind']; readonly ids: readonly Change['id'][] },
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map()
  await runDeferred(db)
  const rows = await db
    .selectFrom('changes')
    .select((eb) => ['resource_id', eb.fn.max('version').as('version')])
    .where('project_id', '=', projectId)
    .where('kind', '=', kind)
    .where('resource_id', 'in', ids)
    .groupBy('resource_id')
    .execute()
  return new Map(rows.map((row) => [row.resource_id, Number(row.version)]))
}

/** Locks a project until the end of the transaction: what it has is counted and added to by one transaction at a time. */
export async function lockProject(tx: Tx, projectId: ProjectId): Promise<void> {
  await runDeferred(tx)
  const row = tx.selectFrom('project_state').select('project_id').where('project_id', '=', projectId)
  await (tx.engine.skipsLockedRows ? row.forUpdate() : row).execute()
}

/** The latest revisions of a project's log, and when its next post is due. */
export interface LogProgress {
  readonly projectId: ProjectId
  readonly revision: number
  readonly publicRevision: number
  readonly nextDueAt: Instant | null
  /** When this was read, by the engine's clock. */
  readonly now: Instant
}

/** The progress of these projects. Of a sharded database, projects whose server is away are left out. */
export async function listProgress(db: Db, projectIds: readonly ProjectId[]): Promise<readonly LogProgress[]> {
  const { servers } = db.engine
  if (servers) {
    const read = await Promise.allSettled(projectIds.map((id) => servers.ask(id, () => findProgress(db, id))))
    return read.flatMap((each) => (each.status === 'fulfilled' && each.value ? [each.value] : []))
  }
  const rows = await db
    .selectFrom('project_state')
    .selectAll()
    .select(db.engine.nowSql(db.engine.clock()).as('now'))
    .select(nextDue('project_state.project_id').as('next_due_at'))
    .where('project_id', 'in', projectIds)
    .execute()
  return rows.map(toProgress)
}

/** The progress of one project, from the server that has it. */
export async function findProgress(db: Db, projectId: ProjectId): Promise<LogProgress | undefined> {
  const [row] = await progressOf(db, { projectId, clock: db.engine.clock() })
  return row && toProgress(row)
}

const progressOf = prepared((db, { projectId, clock }: { readonly projectId: ProjectId; readonly clock: Instant }) =>
  db
    .selectFrom('project_state')
    .selectAll()
    .select(db.engine.nowSql(clock).as('now'))
    .select(nextDueIn(projectId).as('next_due_at'))
    .where('project_id', '=', projectId),
)

function toProgress(row: Awaited<ReturnType<typeof progressOf>>[number]): LogProgress {
  return {
    projectId: row.project_id,
    revision: row.revision,
    publicRevision: row.public_revision,
    nextDueAt: row.next_due_at || null,
    now: row.now,
  }
}

/** Whether a public key can see the change. */
function isPublic({ publicBefore, publicAfter }: Change): boolean {
  return publicBefore || publicAfter
}

function toRow(
  { projectId, actor, client, now }: Caller,
  change: Change,
  numbers: { readonly seq: number; readonly public_seq: number | null },
) {
  return withHash('changes', {
    project_id: projectId,
    ...numbers,
    kind: change.kind,
    resource_id: change.id,
    version: change.version,
    news: change.news.join(' '),
    public_before: change.publicBefore ? (1 as const) : (0 as const),
    public_after: change.publicAfter ? (1 as const) : (0 as const),
    actor,
    client: client ?? null,
    at: now,
  })
}
