import type { Caller } from '../caller.ts'
import type { Db, Tx } from '../database/engine.ts'
import type { ProjectId } from '../ids.ts'
import type { Change } from './change.ts'

/**
 * Writes a change into its project's log and returns its revision, gap-free in commit order. It is the last thing an action does:
 * the counter's lock, which every writer of the project needs, is then held for this alone.
 */
export async function recordChange(tx: Tx, caller: Caller, change: Change): Promise<number> {
  const seen = change.publicBefore || change.publicAfter
  const { revision } = await tx
    .updateTable('project_state')
    .set((eb) => ({ revision: eb('revision', '+', 1), public_revision: eb('public_revision', '+', seen ? 1 : 0) }))
    .where('project_id', '=', caller.projectId)
    .returning('revision')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('changes')
    .values({
      project_id: caller.projectId,
      seq: revision,
      kind: change.kind,
      entity_id: change.id,
      version: change.version,
      news: change.news.join(' '),
      public_before: change.publicBefore ? 1 : 0,
      public_after: change.publicAfter ? 1 : 0,
      actor: caller.actor,
      at: caller.now,
    })
    .execute()
  return revision
}

/** Whether the log knows of a thing, be it there or gone. */
export async function wasEver(db: Db, projectId: ProjectId, id: Change['id']): Promise<boolean> {
  const row = await db
    .selectFrom('changes')
    .select('seq')
    .where('project_id', '=', projectId)
    .where('entity_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
