import { findActorNames } from '../../../actions/actor-name-store.ts'
import type { Sight } from '../../../actions/caller.ts'
import type { Db } from '../../../database/engine.ts'
import type { ListPlan } from '../../../lists/list-spec.ts'
import { listPage, type Page } from '../../../lists/page-query.ts'
import { orderTerms, type SortColumns } from '../../../lists/sort-terms.ts'
import { visiblePosts } from '../../../lists/visible-posts.ts'
import { isId, type PostId, type ProjectId } from '../../../values/ids.ts'
import type { Instant } from '../../../values/instant.ts'
import type { Post } from '../post.ts'
import { contentInTurn } from '../post-body-store.ts'
import { changedFields, type PostSnapshot } from './post-revision.ts'
import type { PostRevision, revisionList } from './post-revision-schema.ts'

/** What is the same in all versions of a post. */
export interface RevisedPost {
  readonly id: PostId
  readonly createdAt: Instant
}

const sortColumns: SortColumns<'version'> = { version: [{ column: 'version', type: 'number' }] }

/** The post with this id or slug, if the caller may see its revisions. */
export async function findRevisedPost(db: Db, sight: Sight, idOrSlug: string): Promise<RevisedPost | undefined> {
  const column = isId('post', idOrSlug) ? 'posts.id' : 'posts.slug'
  return visiblePosts(db, sight).where(column, '=', idOrSlug).select(['posts.id', 'posts.created_at as createdAt']).executeTakeFirst()
}

/** The post as it was in this version, if there is one. */
export async function findRevision(
  db: Db,
  { projectId }: Sight,
  { id, createdAt }: RevisedPost,
  version: number,
): Promise<Post | undefined> {
  const row = await db
    .selectFrom('post_revisions')
    .select(['snapshot', 'created_at', 'content_hash'])
    .where('project_id', '=', projectId)
    .where('post_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  if (!row) return undefined
  const content = await contentInTurn(db, { project_id: projectId, id, content_hash: row.content_hash })
  return content === undefined
    ? undefined
    : { ...toSnapshot(row.snapshot), id, version, content, createdAt, updatedAt: row.created_at, hasPendingEdit: false }
}

/** A page of a post's revisions, each with the fields that it changed. */
export async function listRevisions(
  db: Db,
  { projectId }: Sight,
  id: PostId,
  plan: ListPlan<typeof revisionList>,
): Promise<Page<PostRevision>> {
  const found = db.selectFrom(revisionsWithBefore(db, projectId, id).as('revisions')).selectAll()
  const page = await listPage(found, plan, orderTerms('revisions', plan.sort, sortColumns), (row) => ({
    version: row.version,
    createdAt: row.created_at,
    actor: row.actor,
    client: row.client,
    changed: changedFields(
      row.snapshot_before === null ? undefined : { ...toSnapshot(row.snapshot_before), content: row.content_hash_before ?? '' },
      { ...toSnapshot(row.snapshot), content: row.content_hash },
    ),
  }))
  const names = await findActorNames(
    db,
    page.items.map(({ actor }) => actor),
  )
  return {
    ...page,
    items: page.items.map(({ client, changed, ...item }) => ({ ...item, actorName: names.get(item.actor) ?? null, client, changed })),
  }
}

/** The revisions of a post, each beside the one before it. */
function revisionsWithBefore(db: Db, projectId: ProjectId, id: PostId) {
  return db
    .selectFrom('post_revisions as revision')
    .leftJoin('post_revisions as before', (join) =>
      join
        .on('before.project_id', '=', projectId)
        .onRef('before.post_id', '=', 'revision.post_id')
        .on((eb) => eb('before.version', '=', eb('revision.version', '-', 1))),
    )
    .select([
      'revision.post_id as id',
      'revision.version',
      'revision.created_at',
      'revision.actor',
      'revision.client',
      'revision.snapshot',
      'revision.content_hash',
    ])
    .select(['before.snapshot as snapshot_before', 'before.content_hash as content_hash_before'])
    .where('revision.project_id', '=', projectId)
    .where('revision.post_id', '=', id)
}

/** Who created a post. */
export async function findFirstActor(db: Db, projectId: ProjectId, id: PostId): Promise<string | undefined> {
  const first = db.selectFrom('post_revisions').select('actor').where('project_id', '=', projectId).where('post_id', '=', id)
  return (await first.where('version', '=', 1).executeTakeFirst())?.actor
}

/** The author and category of a past version with their current names; `null` if they were deleted since. */
export async function findReferences(db: Db, { projectId }: Sight, { authorId, categoryId }: Post) {
  const author =
    authorId &&
    (await db
      .selectFrom('authors')
      .select(['id', 'name'])
      .where('project_id', '=', projectId)
      .where('id', '=', authorId)
      .executeTakeFirst())
  const category =
    categoryId &&
    (await db
      .selectFrom('categories')
      .select(['id', 'name', 'slug'])
      .where('project_id', '=', projectId)
      .where('id', '=', categoryId)
      .executeTakeFirst())
  return { author: author || null, category: category || null }
}

function toSnapshot(text: string): PostSnapshot {
  return JSON.parse(text) as PostSnapshot
}
