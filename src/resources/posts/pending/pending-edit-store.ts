import type { Selectable } from 'kysely'
import { findActorNames } from '../../../actions/actor-name-store.ts'
import type { Sight } from '../../../actions/caller.ts'
import { type Db, type Tx, WriteConflict } from '../../../database/engine.ts'
import { insertRows } from '../../../database/insert-rows.ts'
import { prepared } from '../../../database/prepared.ts'
import { withHash } from '../../../database/row-hash.ts'
import type { PendingEditTable } from '../../../database/tables/pending-edit-table.ts'
import type { PostId, ProjectId } from '../../../values/ids.ts'
import type { Post } from '../post.ts'
import type { NamedPost } from '../post-body-store.ts'
import { findTagsNamed } from '../post-tag-store.ts'
import { findReferences, findRevision } from '../revisions/post-revision-store.ts'
import { type ClockProblem, conflictsIn, type FieldValues, type PendingEdit, type WouldBe, withEdits } from './pending-edit.ts'

type Key = { readonly projectId: ProjectId; readonly postId: PostId }

/** The pending edit of this post, if it has one. */
export async function findPendingEdit(db: Db, projectId: ProjectId, postId: PostId): Promise<PendingEdit | undefined> {
  const [row] = await pendingEditOf(db, { projectId, postId })
  return row && toPendingEdit(row)
}

const pendingEditOf = prepared((db, { projectId, postId }: Key) =>
  db.selectFrom('pending_edits').selectAll().where('project_id', '=', projectId).where('post_id', '=', postId),
)

export async function insertPendingEdit(tx: Tx, projectId: ProjectId, edit: PendingEdit): Promise<void> {
  await insertRows(tx, 'pending_edits', [toRow(projectId, edit)])
}

/** Saves a changed pending edit; `WriteConflict` if its version is no longer the one that was read. */
export async function savePendingEdit(tx: Tx, projectId: ProjectId, before: PendingEdit, after: PendingEdit): Promise<void> {
  const updated = await updatedEdit(tx, { ...toRow(projectId, after), versionBefore: before.version })
  if (updated.length === 0) throw new WriteConflict('pending edit')
}

const updatedEdit = prepared(
  (tx: Tx, { project_id, post_id, versionBefore, ...row }: ReturnType<typeof toRow> & { versionBefore: number }) =>
    tx
      .updateTable('pending_edits')
      .set(row)
      .where('project_id', '=', project_id)
      .where('post_id', '=', post_id)
      .where('version', '=', versionBefore)
      .returning('post_id'),
)

/** Deletes a pending edit; `WriteConflict` if its version is no longer the one that was read. */
export async function deletePendingEdit(tx: Tx, projectId: ProjectId, { postId, version }: PendingEdit): Promise<void> {
  const deleted = await tx
    .deleteFrom('pending_edits')
    .where('project_id', '=', projectId)
    .where('post_id', '=', postId)
    .where('version', '=', version)
    .executeTakeFirst()
  if (deleted.numDeletedRows === 0n) throw new WriteConflict('pending edit')
}

/** The version of the post that the edit is based on, which its revision keeps. */
export async function findBase(db: Db, sight: Sight, post: Post, basedOn: number): Promise<Post | undefined> {
  return basedOn === post.version ? post : findRevision(db, sight, post, basedOn)
}

/** Puts a pending edit over its post. Nothing is written: tags that do not exist yet are shown with the slugs that they would get. */
export async function lookAhead(
  db: Db,
  sight: Sight,
  { post, names }: NamedPost,
  { basedOn, edits, actor }: PendingEdit,
): Promise<WouldBe> {
  const base = await findBase(db, sight, post, basedOn)
  const tags = edits.tags && (await findTagsNamed(db, sight.projectId, edits.tags))
  const ahead = withEdits(post, edits, tags)
  const isRenamed = edits.authorId !== undefined || edits.categoryId !== undefined
  return {
    post: ahead,
    names: isRenamed ? await findReferences(db, sight, ahead) : names,
    conflicts: base ? conflictsIn(post, base, edits) : [],
    actorName: (await findActorNames(db, [actor])).get(actor) ?? null,
  }
}

function toRow(projectId: ProjectId, { edits: { content, ...edits }, ...edit }: PendingEdit) {
  return withHash('pending_edits', {
    project_id: projectId,
    post_id: edit.postId,
    version: edit.version,
    based_on: edit.basedOn,
    edits: JSON.stringify(edits),
    content: content ?? null,
    actor: edit.actor,
    created_at: edit.createdAt,
    updated_at: edit.updatedAt,
    scheduled_for: edit.scheduledFor ?? '',
    problem: edit.problem && JSON.stringify(edit.problem),
  })
}

function toPendingEdit(row: Selectable<PendingEditTable>): PendingEdit {
  return {
    postId: row.post_id,
    version: row.version,
    basedOn: row.based_on,
    edits: { ...(JSON.parse(row.edits) as FieldValues), ...(row.content !== null && { content: row.content }) },
    actor: row.actor,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    scheduledFor: row.scheduled_for || null,
    problem: row.problem === null ? null : (JSON.parse(row.problem) as ClockProblem),
  }
}
