import type { Caller, Sight } from '../actions/caller.ts'
import type { Db, Tx } from '../database/engine.ts'
import { visiblePosts } from '../lists/visible-posts.ts'
import { isPublic, type Post } from '../resources/posts/post.ts'
import { takeAliases } from '../resources/posts/post-alias-store.ts'
import { contentHash, toPost, toRow } from '../resources/posts/post-fields.ts'
import { withContent } from '../resources/posts/post-store.ts'
import { tagPosts } from '../resources/posts/post-tag-store.ts'
import { indexWords } from '../search/word-index-store.ts'
import type { PostId, ProjectId } from '../values/ids.ts'

/** Many posts in a few statements, for imports. */

/** The existing posts with these ids, by id. */
export async function findPosts(db: Db, sight: Sight, ids: readonly PostId[]): Promise<ReadonlyMap<PostId, Post>> {
  if (ids.length === 0) return new Map()
  const rows = await withContent(visiblePosts(db, sight), sight.projectId).where('posts.id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, toPost(row)]))
}

/** Inserts new posts, and ends redirects from the slugs of the public ones. Fails if a slug is taken. */
export async function insertPosts(tx: Tx, projectId: ProjectId, posts: readonly Post[]): Promise<void> {
  if (posts.length === 0) return
  const rows = posts.map((post) => toRow(projectId, post))
  await tx.insertInto('posts').values(rows).execute()
  const hashed = posts.map((post, i) => ({ ...post, contentHash: rows[i]?.content_hash ?? contentHash(post.content) }))
  await tx
    .insertInto('contents')
    .values(hashed.map(({ id, content, contentHash: hash }) => ({ project_id: projectId, post_id: id, hash, body: content })))
    .execute()
  await tagPosts(tx, projectId, posts)
  await takeAliases(tx, projectId, posts)
  await indexWords(tx, tx.engine.invertedIndex, projectId, hashed)
  const slugs = posts.filter(isPublic).map(({ slug }) => slug)
  if (slugs.length > 0) await tx.deleteFrom('old_slugs').where('project_id', '=', projectId).where('slug', 'in', slugs).execute()
}

/** Those of these slugs that a post has or has had, other than the one that wants it. `wanted`: the post, where there is one already. */
export async function findTakenSlugs(
  db: Db,
  projectId: ProjectId,
  wanted: ReadonlyMap<string, PostId | undefined>,
): Promise<ReadonlySet<string>> {
  if (wanted.size === 0) return new Set()
  const slugs = [...wanted.keys()]
  const rows = await db
    .selectFrom('posts')
    .select(['slug', 'id'])
    .where('project_id', '=', projectId)
    .where('deleted_at', 'is', null)
    .where('slug', 'in', slugs)
    .unionAll((eb) =>
      eb.selectFrom('old_slugs').select(['slug', 'post_id as id']).where('project_id', '=', projectId).where('slug', 'in', slugs),
    )
    .execute()
  return new Set(rows.flatMap(({ slug, id }) => (wanted.get(slug) === id ? [] : slug)))
}

/** The last version of each post that was not written by the schedule; none if there is no such version. */
export async function lastTouches(db: Db, projectId: ProjectId, ids: readonly PostId[]): Promise<ReadonlyMap<PostId, number>> {
  if (ids.length === 0) return new Map()
  const clock: Caller['actor'] = 'schedule'
  const rows = await db
    .selectFrom('post_revisions')
    .select((eb) => ['post_id', eb.fn.max('version').as('version')])
    .where('project_id', '=', projectId)
    .where('post_id', 'in', ids)
    .where('actor', '!=', clock)
    .groupBy('post_id')
    .execute()
  return new Map(rows.map((row) => [row.post_id, Number(row.version)]))
}
