import type { Sight } from '../actions/caller.ts'
import type { Db } from '../database/engine.ts'
import type { PostTable } from '../database/tables.ts'
import type { Instant } from '../values/instant.ts'

type Status = PostTable['status']
const statuses: readonly Status[] = ['draft', 'scheduled', 'published', 'archived']

/** Every post of every project, or those of them that something else has found. To be shown to nobody as it is. */
export type Posts = ReturnType<typeof everyPost>

export function everyPost(db: Db) {
  return db.selectFrom('posts')
}

/**
 * The posts that exist for a caller. Every read of posts, and every count of them, begins here: what is unpublished is kept from those
 * who may not know of it in this one place.
 */
export function visiblePosts(db: Db, sight: Sight): Posts {
  return visibleAmong(everyPost(db), sight)
}

export function visibleAmong(all: Posts, sight: Sight): Posts {
  const { projectId, onlyPost } = sight
  const posts = all.where('posts.project_id', '=', projectId).where('posts.deleted_at', 'is', null)
  if (onlyPost !== undefined) return posts.where('posts.id', '=', onlyPost)
  return sight.drafts ? posts : posts.where('posts.status', '=', 'published')
}

/** The statuses of posts that exist for a caller, of those asked for, for what is kept by status apart from the posts themselves. */
export function statusesInSight({ drafts }: Sight, asked: readonly Status[] = statuses): readonly Status[] {
  return drafts ? asked : asked.filter((status) => status === 'published')
}

/** The posts in the trash that can still be brought back, deleted after `horizon`; none for those who may not see what is unpublished. */
export function trashedPosts(db: Db, sight: Sight, horizon: Instant): Posts {
  return trashedAmong(everyPost(db), sight, horizon)
}

export function trashedAmong(all: Posts, sight: Sight, horizon: Instant): Posts {
  const posts = all.where('posts.project_id', '=', sight.projectId).where('posts.deleted_at', '>', horizon)
  return sight.drafts && sight.onlyPost === undefined ? posts : posts.where((eb) => eb.lit(false))
}
