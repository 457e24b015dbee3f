import { defer, runDeferred } from '../../database/deferred-writes.ts'
import type { Db, Tx } from '../../database/engine.ts'
import { insertRows } from '../../database/insert-rows.ts'
import { prepared } from '../../database/prepared.ts'
import type { ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import type { Caller } from '../caller.ts'
import type { Change } from './change.ts'

/** A change and who made it. */
interface Made {
  readonly caller: Caller
  readonly change: Change
}

/**
 * Writes a change into its project's log under the next revision, gap-free in commit order. It is the last thing that a transaction does:
 * the counter's lock, which every writer of the project needs, is then held for this alone.
 */
export async function recordChange(tx: Tx, caller: Caller, change: Change): Promise<void> {
  await recordChanges(tx, caller, [change])
}

/** The same for several changes, one or more, in their order. */
export async function recordChanges(tx: Tx, caller: Caller, changes: readonly Change[]): Promise<void> {
  await defer(tx, writeLogs, { projectId: caller.projectId, made: changes.map((change) => ({ caller, change })) })
}

async function writeLogs(tx: Tx, written: readonly { readonly projectId: ProjectId; readonly made: readonly Made[] }[]): Promise<void> {
  for (const projectId of new Set(written.map((each) => each.projectId))) {
    const made = written.flatMap((each) => (each.projectId === projectId ? each.made : []))
    await writeLog(tx, projectId, made)
  }
}

async function writeLog(tx: Tx, projectId: ProjectId, made: readonly Made[]): Promise<void> {
  const seen = made.filter(({ change }) => isPublic(change)).length
  const [counters] = await countedUp(tx, { projectId, by: made.length, seen })
  if (!counters) throw new Error('the project has no counters')
  const { revision, public_revision } = counters
  let seq = revision - made.length
  let publicSeq = public_revision - seen
  const rows = made.map(({ caller, change }) => toRow(caller, change, { seq: ++seq, public_seq: isPublic(change) ? ++publicSeq : null }))
  await insertRows(tx, 'changes', rows)
}

const countedUp = prepared(
  (tx: Tx, { projectId, by, seen }: { readonly projectId: ProjectId; readonly by: number; readonly seen: number }) =>
    tx
      .updateTable('project_state')
      .set((eb) => ({ revision: eb('revision', '+', by), public_revision: eb('public_revision', '+', seen) }))
      .where('project_id', '=', projectId)
      .returning(['revision', 'public_revision']),
)

/**
 * Deletes the oldest changes up to the first that is younger than `horizon`, `most` at most, and returns how many there were. The last change
 * of all stays: it is where the counters stand.
 */
export async function deleteOldChanges(tx: Tx, projectId: ProjectId, horizon: Instant, most: number): Promise<number> {
  await runDeferred(tx)
  const oldest = await tx
    .selectFrom('changes')
    .select(['seq', 'at'])
    .where('project_id', '=', projectId)
    .orderBy('seq')
    .limit(most + 1)
    .execute()
  const young = oldest.findIndex(({ at }) => at > horizon)
  const old = young < 0 ? oldest.slice(0, -1) : oldest.slice(0, Math.min(young, most))
  const last = old.at(-1)
  if (last) await tx.deleteFrom('changes').where('project_id', '=', projectId).where('seq', '<=', last.seq).execute()
  return old.length
}

/** Whether the log knows of a resource, be it there or gone; of what was gone before the log begins it does not. */
export async function wasEver(db: Db, projectId: ProjectId, id: Change['id']): Promise<boolean> {
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

/** How far the log of a project is, and when it goes on by itself. */
export interface LogProgress {
  readonly projectId: ProjectId
  readonly revision: number
  readonly publicRevision: number
  /** When the next post is due. */
  readonly nextDueAt: Instant | null
  /** When this was read, by the clock that counts. */
  readonly now: Instant
}

export async function listProgress(db: Db, projectIds: readonly ProjectId[]): Promise<readonly LogProgress[]> {
  const rows = await db
    .selectFrom('project_state')
    .selectAll()
    .select(db.engine.nowSql(db.engine.clock()).as('now'))
    .select((eb) =>
      eb
        .selectFrom('posts')
        .select((on) => on.fn.min('posts.scheduled_for').as('due'))
        .whereRef('posts.project_id', '=', 'project_state.project_id')
        .where('posts.status', '=', 'scheduled')
        .where('posts.deleted_at', 'is', null)
        .as('next_due_at'),
    )
    .where('project_id', 'in', projectIds)
    .execute()
  return rows.map((row) => ({
    projectId: row.project_id,
    revision: row.revision,
    publicRevision: row.public_revision,
    nextDueAt: row.next_due_at || null,
    now: row.now,
  }))
}

/** Whether a public key can see that something changed. */
function isPublic({ publicBefore, publicAfter }: Change): boolean {
  return publicBefore || publicAfter
}

function toRow({ projectId, actor, now }: Caller, change: Change, numbers: { readonly seq: number; readonly public_seq: number | null }) {
  return {
    project_id: projectId,
    ...numbers,
    kind: change.kind,
    resource_id: change.id,
    version: change.version,
    news: change.news.join(' '),
    public_before: change.publicBefore ? (1 as const) : (0 as const),
    public_after: change.publicAfter ? (1 as const) : (0 as const),
    actor,
    at: now,
  }
}
