import { type Selectable, sql } from 'kysely'
import { findActorNames } from '../../../actions/actor-name-store.ts'
import type { Sight } from '../../../actions/caller.ts'
import { type Db, type Tx, WriteConflict } from '../../../database/engine.ts'
import { insertRows } from '../../../database/insert-rows.ts'
import { prepared } from '../../../database/prepared.ts'
import { withHash } from '../../../database/row-hash.ts'
import type { PendingEditTable } from '../../../database/tables/pending-edit-table.ts'
import type { ListPlan } from '../../../lists/list-spec.ts'
import { listPage } from '../../../lists/page-query.ts'
import { orderTerms, type SortColumns } from '../../../lists/sort-terms.ts'
import { visiblePosts } from '../../../lists/visible-posts.ts'
import { type PendingEditId, type PostId, type ProjectId, postOfEdit } from '../../../values/ids.ts'
import type { Instant } from '../../../values/instant.ts'
import type { Post } from '../post.ts'
import { findNamedPost, type NamedPost } from '../post-body-store.ts'
import { represent } from '../post-fields.ts'
import type { Post as PostBody } from '../post-schema.ts'
import { findTagsNamed } from '../post-tag-store.ts'
import { findReferences, findRevision } from '../revisions/post-revision-store.ts'
import {
  type ClockProblem,
  conflictsIn,
  type EditState,
  editsReferences,
  type FieldValues,
  noticeOf,
  type PendingEdit,
  remainingEdits,
  type WouldBe,
  withEdits,
} from './pending-edit.ts'
import type { noticeList, PendingEditNotice } from './pending-edit-schema.ts'

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

/** A post or a pending edit whose time has come. */
export interface Due {
  readonly postId: PostId
  readonly scheduledFor: Instant
  readonly isEdit: boolean
}

/** What is due, in the order in which it is settled: by time, posts before pending edits, by id. */
export async function listDue(db: Db, projectId: ProjectId, now: Instant, most: number): Promise<readonly Due[]> {
  const rows = await dueBy(db, { projectId, now, most })
  return rows.map(({ id, scheduled_for, is_edit }) => ({ postId: id, scheduledFor: scheduled_for as Instant, isEdit: is_edit === 1 }))
}

const dueBy = prepared((db, { projectId, now, most }: { readonly projectId: ProjectId; readonly now: Instant; readonly most: number }) => {
  const present = db.selectFrom('posts').where('posts.project_id', '=', projectId).where('posts.deleted_at', 'is', null)
  const posts = present
    .where('posts.status', '=', 'scheduled')
    .where('posts.scheduled_for', '<=', now)
    .select(['posts.id', 'posts.scheduled_for', sql<0 | 1>`0`.as('is_edit')])
  const edits = present
    .innerJoin('pending_edits', (join) =>
      join.on('pending_edits.project_id', '=', projectId).onRef('pending_edits.post_id', '=', 'posts.id'),
    )
    .where('pending_edits.scheduled_for', '!=', '')
    .where('pending_edits.scheduled_for', '<=', now)
    .select(['posts.id', 'pending_edits.scheduled_for', sql<0 | 1>`1`.as('is_edit')])
  return db.selectFrom(posts.unionAll(edits).as('due')).selectAll().orderBy('scheduled_for').orderBy('is_edit').orderBy('id').limit(most)
})

/** The version of the post that the edit is based on, which its revision keeps. */
export async function findBase(db: Db, sight: Sight, post: Post, basedOn: number): Promise<Post | undefined> {
  if (basedOn >= post.version) return basedOn === post.version ? post : undefined
  return findRevision(db, sight, post, basedOn)
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
  const namesAhead = editsReferences(edits) ? await findReferences(db, sight, ahead) : names
  return {
    post: ahead,
    names: namesAhead,
    conflicts: base ? conflictsIn(post, base, remainingEdits(edits, namesAhead)) : [],
    actorName: (await findActorNames(db, [actor])).get(actor) ?? null,
  }
}

/** The pending edits with these ids, for the changes feed; unordered. */
export async function findNotices(db: Db, sight: Sight, ids: readonly string[]): Promise<readonly PendingEditNotice[]> {
  const postIds = ids.map((id) => postOfEdit(id as PendingEditId))
  const rows = await visibleEdits(db, sight).where('pending_edits.post_id', 'in', postIds).execute()
  return rows.map((row) => noticeOf(toPendingEdit(row)))
}

const sortColumns: SortColumns<'created_at'> = { created_at: [{ column: 'created_at', type: 'text' }] }

/** A page of all pending edits, for the changes feed. */
export async function listNotices(db: Db, sight: Sight, plan: ListPlan<typeof noticeList>) {
  const found = db.selectFrom(visibleEdits(db, sight).select('pending_edits.post_id as id').as('edits')).selectAll()
  return listPage(found, plan, orderTerms('edits', plan.sort, sortColumns), (row) => noticeOf(toPendingEdit(row)))
}

/** The pending edits of posts that the caller may see, if the caller may see any. */
function visibleEdits(db: Db, sight: Sight) {
  return visiblePosts(db, sight)
    .innerJoin('pending_edits', (join) =>
      join.on('pending_edits.project_id', '=', sight.projectId).onRef('pending_edits.post_id', '=', 'posts.id'),
    )
    .where((eb) => eb.lit(sight.drafts))
    .selectAll('pending_edits')
}

/** The representation of a post as a preview shows it: with its pending edit, if it has one. */
export async function findPreviewed(db: Db, sight: Sight, id: string): Promise<PostBody | undefined> {
  const named = await findNamedPost(db, sight, id)
  const edit = named && (await findPendingEdit(db, sight.projectId, named.post.id))
  const { post, names } = named && edit ? await lookAhead(db, sight, named, edit) : (named ?? {})
  return post && names && represent(post, names)
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
    previous: edit.previous && JSON.stringify(edit.previous),
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
    previous: row.previous === null ? null : (JSON.parse(row.previous) as EditState),
  }
}
