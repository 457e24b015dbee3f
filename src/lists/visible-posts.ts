import { sql } from 'kysely'
import type { Sight } from '../actions/caller.ts'
import type { Db } from '../database/engine.ts'
import type { PostTable } from '../database/tables.ts'
import type { Instant } from '../values/instant.ts'

type Status = PostTable['status']
const statuses: readonly Status[] = ['draft', 'scheduled', 'published', 'archived']

/** Posts of every project, whether or not the caller may see them. Never show them without `visibleAmong` or `trashedAmong`. */
export type Posts = ReturnType<typeof everyPost>

export function everyPost(db: Db) {
  return db.selectFrom('posts')
}

/**
 * The posts that exist for a caller. Every query for posts, and every count of them, starts here: this is the one place that hides
 * unpublished posts.
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

/** All other posts of the project. */
export function hiddenPosts(db: Db, { projectId, drafts }: Pick<Sight, 'projectId' | 'drafts'>): Posts {
  const posts = everyPost(db).where('posts.project_id', '=', projectId)
  if (drafts) return posts.where('posts.deleted_at', 'is not', null)
  return posts.where((eb) => eb.or([eb('posts.deleted_at', 'is not', null), eb('posts.status', '!=', 'published')]))
}

/** The statuses that a caller sees, of those in the filter. For queries over counts and tags, which repeat the status of posts. */
export function statusesInSight({ drafts }: Sight, asked: readonly Status[] = statuses): readonly Status[] {
  return drafts ? asked : asked.filter((status) => status === 'published')
}

/** The posts in the trash that can still be restored, deleted after `horizon`; none for callers who do not see drafts. */
export function trashedPosts(db: Db, sight: Sight, horizon: Instant): Posts {
  return trashedAmong(everyPost(db), sight, horizon)
}

export function trashedAmong(all: Posts, sight: Sight, horizon: Instant): Posts {
  const posts = all.where('posts.project_id', '=', sight.projectId).where('posts.deleted_at', '>', horizon)
  return sight.drafts && sight.onlyPost === undefined ? posts : posts.where((eb) => eb.lit(false))
}

/** The column that says whether a post has a pending edit. For callers who do not see drafts, no post has one. */
export function pendingEditColumn({ projectId, drafts }: Pick<Sight, 'projectId' | 'drafts'>) {
  const edit = sql`select 1 from pending_edits where pending_edits.project_id = ${projectId} and pending_edits.post_id = posts.id`
  return (drafts ? sql<0 | 1>`case when exists (${edit}) then 1 else 0 end` : sql<0 | 1>`0`).as('has_pending_edit')
}
