import type { Caller } from '../../actions/caller.ts'
import type { Change } from '../../actions/change-log/change.ts'
import { type Tx, WriteConflict } from '../../database/engine.ts'
import { withHash } from '../../database/row-hash.ts'
import type { PendingEditTable } from '../../database/tables/pending-edit-table.ts'
import type { PostId, ProjectId } from '../../values/ids.ts'
import { type Reference, snapshotFields } from './reference.ts'

/** How many pending edits are searched at a time. */
const batch = 50

/** Pending edits that name an author or category name `to` instead, also once their last save is undone. Each is a change with its own version. */
export async function reassignInEdits(tx: Tx, { projectId }: Caller, from: Reference, to: Reference): Promise<readonly Change[]> {
  const all = await tx.selectFrom('pending_edits').select('post_id').where('project_id', '=', projectId).orderBy('post_id').execute()
  const ids = all.map((edit) => edit.post_id)
  const changes: Change[] = []
  for (let start = 0; start < ids.length; start += batch) {
    for (const id of await findNaming(tx, projectId, from, ids.slice(start, start + batch))) {
      changes.push(await reassignInEdit(tx, projectId, id, (json) => json.replaceAll(naming(from), naming(to))))
      await tx.engine.pause()
    }
    await tx.engine.pause()
  }
  return changes
}

/** They are read one by one: an edit can be large. What was saved before the last save has content, too. */
async function reassignInEdit(tx: Tx, projectId: ProjectId, id: PostId, renamed: (json: string) => string): Promise<Change> {
  const ofPost = tx.selectFrom('pending_edits').selectAll().where('project_id', '=', projectId).where('post_id', '=', id)
  const edit = await ofPost.executeTakeFirst()
  if (!edit) throw new WriteConflict('pending edit')
  const version = edit.version + 1
  await saveEdit(tx, edit, { ...edit, edits: renamed(edit.edits), previous: edit.previous && renamed(edit.previous), version })
  return { kind: 'pending_edit', id, version, news: [], publicBefore: false, publicAfter: false }
}

/** Those of the pending edits that name an author or category. */
async function findNaming(tx: Tx, projectId: ProjectId, from: Reference, ids: readonly PostId[]): Promise<readonly PostId[]> {
  const pattern = `%${naming(from)}%`
  const rows = await tx
    .selectFrom('pending_edits')
    .select('post_id')
    .where('project_id', '=', projectId)
    .where('post_id', 'in', ids)
    .where((eb) => eb.or([eb('edits', 'like', pattern), eb('previous', 'like', pattern)]))
    .orderBy('post_id')
    .execute()
  return rows.map((row) => row.post_id)
}

/** How JSON names an author or category. It escapes the quotes within texts, so no text contains this. */
function naming({ kind, id }: Reference): string {
  return `"${snapshotFields[kind]}":"${id}"`
}

/** `WriteConflict` if the version of the edit is no longer the one that was read. */
async function saveEdit(tx: Tx, before: PendingEditTable, { row_hash: _, ...after }: PendingEditTable): Promise<void> {
  const saved = await tx
    .updateTable('pending_edits')
    .set(withHash('pending_edits', after))
    .where('project_id', '=', before.project_id)
    .where('post_id', '=', before.post_id)
    .where('version', '=', before.version)
    .executeTakeFirst()
  if (saved.numUpdatedRows === 0n) throw new WriteConflict('pending edit')
}
