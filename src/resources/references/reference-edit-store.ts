import type { Caller } from '../../actions/caller.ts'
import type { Change } from '../../actions/change-log/change.ts'
import { type Tx, WriteConflict } from '../../database/engine.ts'
import { withHash } from '../../database/row-hash.ts'
import type { PendingEditTable } from '../../database/tables/pending-edit-table.ts'
import type { PostId, ProjectId } from '../../values/ids.ts'
import { type Reference, snapshotFields } from './reference.ts'

/** How many pending edits are read at a time. What was saved before the last save has content, too. */
const batch = 50

/** Pending edits that name an author or category name `to` instead, also once their last save is undone. Each is a change with its own version. */
export async function reassignInEdits(tx: Tx, { projectId }: Caller, from: Reference, to: Reference): Promise<readonly Change[]> {
  const edits = await tx.selectFrom('pending_edits').select('post_id').where('project_id', '=', projectId).orderBy('post_id').execute()
  const ids = edits.map((edit) => edit.post_id)
  const changes: Change[] = []
  for (let start = 0; start < ids.length; start += batch) {
    for (const edit of await editsNaming(tx, projectId, from, ids.slice(start, start + batch))) {
      const version = edit.version + 1
      await saveEdit(tx, edit, { ...edit, edits: renamed(edit.edits), previous: edit.previous && renamed(edit.previous), version })
      changes.push({ kind: 'pending_edit', id: edit.post_id, version, news: [], publicBefore: false, publicAfter: false })
    }
    await tx.engine.pause()
  }
  return changes

  function renamed(json: string): string {
    return json.replaceAll(naming(from), naming(to))
  }
}

function editsNaming(tx: Tx, projectId: ProjectId, from: Reference, ids: readonly PostId[]) {
  const pattern = `%${naming(from)}%`
  return tx
    .selectFrom('pending_edits')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('post_id', 'in', ids)
    .where((eb) => eb.or([eb('edits', 'like', pattern), eb('previous', 'like', pattern)]))
    .orderBy('post_id')
    .execute()
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
