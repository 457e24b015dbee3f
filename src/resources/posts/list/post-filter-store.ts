import { sql } from 'kysely'
import type { Sight } from '../../../actions/caller.ts'
import { trashHorizon } from '../../../actions/retention.ts'
import type { Db } from '../../../database/engine.ts'
import type { ListPlan } from '../../../lists/list-spec.ts'
import { containing } from '../../../lists/page-query.ts'
import { everyPost, type Posts, trashedAmong, visibleAmong } from '../../../lists/visible-posts.ts'
import { fold } from '../../../values/case-fold.ts'
import { type AuthorId, isId } from '../../../values/ids.ts'
import type { Instant } from '../../../values/instant.ts'
import type { Post } from '../post.ts'
import type { postList } from '../post-schema.ts'

/** The filters of a list in the values that its statements bind. Which there are, and how many, decides the statement. */
export type PostConditions = {
  readonly status?: readonly Post['status'][] | undefined
  /** Ids. None at all where only names of nobody were asked for. */
  readonly author?: readonly AuthorId[] | undefined
  readonly category?: readonly string[] | undefined
  readonly tag?: readonly string[] | undefined
  /** A pattern for folded titles. */
  readonly title?: string | undefined
  readonly publishedAfter?: Instant | undefined
  readonly publishedBefore?: Instant | undefined
  readonly updatedAfter?: Instant | undefined
  /** The trash since then, instead of what is there. */
  readonly trashedAfter?: Instant | undefined
}

export function conditionsOf(filters: ListPlan<typeof postList>['filters'], now: Instant): PostConditions {
  return {
    status: filters.status,
    author: filters.author?.filter((id): id is AuthorId => isId('auth', id)),
    category: filters.category,
    tag: filters.tag,
    title: filters.search && containing(fold(filters.search)),
    publishedAfter: filters.published_after,
    publishedBefore: filters.published_before,
    updatedAfter: filters.updated_after,
    trashedAfter: filters.trashed && trashHorizon(now),
  }
}

/** The posts of a list on all its pages, in no order; or those that are among some. */
export function filteredPosts(db: Db, sight: Sight, wanted: PostConditions, all = everyPost(db)): Posts {
  const { projectId } = sight
  let posts = wanted.trashedAfter ? trashedAmong(all, sight, wanted.trashedAfter) : visibleAmong(all, sight)
  if (wanted.status) posts = posts.where('posts.status', 'in', wanted.status)
  if (wanted.author) posts = wanted.author.length > 0 ? posts.where('posts.author_id', 'in', wanted.author) : none(posts)
  if (wanted.category) posts = inCategories(db, projectId, posts, wanted.category)
  if (wanted.tag) posts = posts.where('posts.id', 'in', taggedPosts(db, projectId, wanted.tag))
  if (wanted.title) posts = withTitle(posts, wanted.title)
  if (wanted.publishedAfter) posts = posts.where('posts.published_at', '>=', wanted.publishedAfter)
  if (wanted.publishedBefore) posts = posts.where('posts.published_at', '<', wanted.publishedBefore).where('posts.published_at', '!=', '')
  if (wanted.updatedAfter) posts = posts.where('posts.updated_at', '>=', wanted.updatedAfter)
  return posts
}

/** The pattern is one for folded titles. */
export function withTitle(posts: Posts, pattern: string): Posts {
  return posts.where(sql<boolean>`posts.title_folded like ${pattern} escape '\\'`)
}

function none(posts: Posts): Posts {
  return posts.where((eb) => eb.lit(false))
}

/** Said of one category, it is a place in an index; said of several, it is a condition. */
function inCategories(db: Db, projectId: Sight['projectId'], posts: Posts, slugs: readonly string[]): Posts {
  const ids = db.selectFrom('categories').select('id').where('project_id', '=', projectId).where('slug', 'in', slugs)
  return posts.where('posts.category_id', slugs.length === 1 ? '=' : 'in', ids)
}

/** The ids of posts with any of these tags, of whatever status. */
export function taggedPosts(db: Db, projectId: Sight['projectId'], slugs: readonly string[]) {
  return db
    .selectFrom('tags')
    .innerJoin('post_tags', (join) => join.onRef('post_tags.project_id', '=', 'tags.project_id').onRef('post_tags.tag_id', '=', 'tags.id'))
    .select('post_tags.post_id')
    .where('tags.project_id', '=', projectId)
    .where('tags.slug', 'in', slugs)
}
