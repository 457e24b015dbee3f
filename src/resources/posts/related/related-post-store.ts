import { sql } from 'kysely'
import type { Sight } from '../../../actions/caller.ts'
import type { Db } from '../../../database/engine.ts'
import { visiblePosts } from '../../../lists/visible-posts.ts'
import type { PostId, ProjectId, TagId } from '../../../values/ids.ts'
import type { Post } from '../post.ts'
import { bodiesOf, padIds, wholeBodies } from '../post-body-store.ts'
import type { Post as PostBody } from '../post-schema.ts'

interface RelatedRequest {
  readonly projectId: ProjectId
  readonly post: Pick<Post, 'id' | 'categoryId'>
  readonly limit: number
}

/**
 * The published posts that are most related to a post: those that share most tags with it first, then those of its category, then the newest.
 * Nothing unpublished has an influence on them.
 */
export async function listRelatedIds(db: Db, { projectId, post, limit }: RelatedRequest): Promise<readonly PostId[]> {
  // Bound to the statement: with a sub-query, SQLite walks all tags.
  const tagIds = await db
    .selectFrom('post_tags')
    .select('tag_id')
    .where('project_id', '=', projectId)
    .where('post_id', '=', post.id)
    .execute()
  const alike = likePosts(db, { projectId, post, tagIds: tagIds.map(({ tag_id }) => tag_id) })
  const scored = await db
    .selectFrom(alike.as('alike'))
    .select('alike.id')
    .where('alike.id', '!=', post.id)
    .groupBy('alike.id')
    .orderBy((eb) => eb.fn.sum('alike.weight'), 'desc')
    .orderBy((eb) => eb.fn.max('alike.published_at'), 'desc')
    .orderBy('alike.id', 'desc')
    .limit(limit)
    .execute()
  const found = scored.map(({ id }) => id)
  if (found.length === limit) return found
  const newest = await visiblePosts(db, publicSight(projectId))
    .where('posts.id', 'not in', [post.id, ...found])
    .select('posts.id')
    .orderBy('posts.published_at', 'desc')
    .orderBy('posts.id', 'desc')
    .limit(limit - found.length)
    .execute()
  return [...found, ...newest.map(({ id }) => id)]
}

/**
 * Published posts, once for each tag that they share with this post (weight 2) and once if they share its category (weight 1). Two index walks:
 * `post_tags` copies status and date from posts, so none of them is fetched.
 */
function likePosts(
  db: Db,
  { projectId, post, tagIds }: Pick<RelatedRequest, 'projectId' | 'post'> & { readonly tagIds: readonly TagId[] },
) {
  const { categoryId } = post
  const byTag = db
    .selectFrom('post_tags')
    .select(['post_id as id', 'published_at', sql<number>`2`.as('weight')])
    .where('project_id', '=', projectId)
    .where('status', '=', 'published')
    .where((eb) => (tagIds.length > 0 ? eb('tag_id', 'in', tagIds) : eb.lit(false)))
  if (categoryId === null) return byTag
  const byCategory = visiblePosts(db, publicSight(projectId))
    .select(['posts.id', 'posts.published_at', sql<number>`1`.as('weight')])
    .where('posts.category_id', '=', categoryId)
  return byTag.unionAll(byCategory)
}

/** Published posts in the order of their ids. */
export async function findPublished(
  db: Db,
  projectId: ProjectId,
  ids: readonly PostId[],
  withContent: boolean,
): Promise<readonly PostBody[]> {
  if (ids.length === 0) return []
  const rows = await bodiesOf(db, { projectId, onlyPost: undefined, ids: padIds(ids) }, { drafts: false, withContent })
  const bodies = await wholeBodies(db, rows, (post) => post)
  return ids.flatMap((id) => bodies.find((body) => body.id === id) ?? [])
}

function publicSight(projectId: ProjectId): Sight {
  return { projectId, drafts: false, emails: false }
}
