import { sql } from 'kysely'
import type { Sight } from '../caller.ts'
import type { Db } from '../database/engine.ts'
import { isId } from '../ids.ts'
import type { Instant } from '../instant.ts'
import { containing } from '../listing/list-query.ts'
import type { ListPlan } from '../listing/list-spec.ts'
import { trashedPosts, visiblePosts } from '../listing/visible-posts.ts'
import { fold } from '../text/fold.ts'
import { trashHorizon } from '../trash.ts'
import type { postList } from './post-schema.ts'

export type Posts = ReturnType<typeof visiblePosts>

/** The posts of a list on all its pages, in no order. */
export function filteredPosts(db: Db, sight: Sight, { filters }: Pick<ListPlan<typeof postList>, 'filters'>, now: Instant): Posts {
  let posts = filters.trashed ? trashedPosts(db, sight, trashHorizon(now)) : visiblePosts(db, sight)
  const { projectId } = sight
  if (filters.status) posts = posts.where('posts.status', 'in', filters.status)
  if (filters.author) posts = by(posts, filters.author)
  if (filters.category) posts = posts.where('posts.category_id', 'in', categoryIds(db, projectId, filters.category))
  if (filters.tag) posts = posts.where('posts.id', 'in', taggedPosts(db, projectId, filters.tag))
  if (filters.search) posts = posts.where(sql<boolean>`posts.title_folded like ${containing(fold(filters.search))} escape '\\'`)
  if (filters.published_after) posts = posts.where('posts.published_at', '>=', filters.published_after)
  if (filters.published_before)
    posts = posts.where('posts.published_at', '<', filters.published_before).where('posts.published_at', '!=', '')
  if (filters.updated_after) posts = posts.where('posts.updated_at', '>=', filters.updated_after)
  return posts
}

function by(posts: Posts, authors: readonly string[]): Posts {
  const ids = authors.filter((id) => isId('auth', id))
  return ids.length > 0 ? posts.where('posts.author_id', 'in', ids) : posts.where((eb) => eb.lit(false))
}

function categoryIds(db: Db, projectId: Sight['projectId'], slugs: readonly string[]) {
  return db.selectFrom('categories').select('id').where('project_id', '=', projectId).where('slug', 'in', slugs)
}

function taggedPosts(db: Db, projectId: Sight['projectId'], slugs: readonly string[]) {
  return db
    .selectFrom('tags')
    .innerJoin('post_tags', (join) => join.onRef('post_tags.project_id', '=', 'tags.project_id').onRef('post_tags.tag_id', '=', 'tags.id'))
    .select('post_tags.post_id')
    .where('tags.project_id', '=', projectId)
    .where('tags.slug', 'in', slugs)
}
