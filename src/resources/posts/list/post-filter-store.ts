import { sql } from 'kysely'
import type { Sight } from '../../../actions/caller.ts'
import { trashHorizon } from '../../../actions/retention.ts'
import type { Db } from '../../../database/engine.ts'
import { containing } from '../../../lists/page-query.ts'
import { everyPost, type Posts, trashedAmong, visibleAmong } from '../../../lists/visible-posts.ts'
import { type AuthorId, isId, type ProjectId } from '../../../values/ids.ts'
import type { Instant } from '../../../values/instant.ts'
import { fold } from '../../../values/letters/case-fold.ts'
import type { Post } from '../post.ts'
import type { FilterName, PostPlan } from './plan-query.ts'

type Filters = PostPlan['filters']

/** The values that statements bind for each filter. */
interface Bound {
  readonly status: readonly Post['status'][]
  /** Without invalid ids, so it may be empty. */
  readonly author: readonly AuthorId[]
  readonly category: readonly string[]
  readonly tag: readonly string[]
  /** A `like` pattern for folded titles. */
  readonly search: string
  readonly q: undefined
  readonly published_after: Instant
  readonly published_before: Instant
  readonly updated_after: Instant
  /** Posts deleted before it have expired. */
  readonly trashed: Instant
}

/** The bound filters of a list. Their presence and the lengths of their lists decide the statement. */
export type PostConditions = { readonly [F in FilterName]?: Bound[F] | undefined }

interface Condition<F extends FilterName> {
  bind(value: NonNullable<Filters[F]>, now: Instant): Bound[F]
  where(posts: Posts, value: Bound[F], at: { readonly db: Db; readonly projectId: ProjectId }): Posts
}

const asGiven = <T>(value: T): T => value

/** A new filter does not compile until it has a condition. */
const conditions: { readonly [F in FilterName]: Condition<F> } = {
  status: { bind: asGiven, where: (posts, statuses) => posts.where('posts.status', 'in', statuses) },
  author: {
    bind: (texts) => texts.filter((text): text is AuthorId => isId('auth', text)),
    where: (posts, ids) => (ids.length > 0 ? posts.where('posts.author_id', 'in', ids) : posts.where((eb) => eb.lit(false))),
  },
  category: { bind: asGiven, where: (posts, slugs, { db, projectId }) => inCategories(db, projectId, posts, slugs) },
  tag: { bind: asGiven, where: (posts, slugs, { db, projectId }) => posts.where('posts.id', 'in', taggedPosts(db, projectId, slugs)) },
  search: { bind: (text) => containing(fold(text)), where: withTitle },
  // The word index finds the posts.
  q: { bind: () => undefined, where: asGiven },
  published_after: { bind: asGiven, where: (posts, from) => posts.where('posts.published_at', '>=', from) },
  published_before: {
    bind: asGiven,
    where: (posts, end) => posts.where('posts.published_at', '<', end).where('posts.published_at', '!=', ''),
  },
  updated_after: { bind: asGiven, where: (posts, from) => posts.where('posts.updated_at', '>=', from) },
  // `filteredPosts` applies it.
  trashed: { bind: (_, now) => trashHorizon(now), where: asGiven },
}
const filterNames = Object.keys(conditions) as readonly FilterName[]

export function conditionsOf(filters: Filters, now: Instant): PostConditions {
  return Object.fromEntries(filterNames.map((name) => [name, bound(name, filters, now)]))
}

function bound<F extends FilterName>(name: F, filters: Filters, now: Instant): Bound[F] | undefined {
  const value = filters[name]
  return value === undefined ? undefined : conditions[name].bind(value, now)
}

/** The posts that pass the filters, unordered, out of `all`. */
export function filteredPosts(db: Db, sight: Sight, wanted: PostConditions, all = everyPost(db)): Posts {
  const posts = wanted.trashed ? trashedAmong(all, sight, wanted.trashed) : visibleAmong(all, sight)
  return filterNames.reduce((found, name) => filtered(found, name, wanted, { db, projectId: sight.projectId }), posts)
}

function filtered<F extends FilterName>(posts: Posts, name: F, wanted: PostConditions, at: Parameters<Condition<F>['where']>[2]): Posts {
  const value = wanted[name]
  return value === undefined ? posts : conditions[name].where(posts, value, at)
}

/** Takes a `like` pattern for folded titles. */
export function withTitle(posts: Posts, pattern: string): Posts {
  return posts.where(sql<boolean>`posts.title_folded like ${pattern} escape '\\'`)
}

/** For a single category the engine can use an index. */
function inCategories(db: Db, projectId: ProjectId, posts: Posts, slugs: readonly string[]): Posts {
  const ids = db.selectFrom('categories').select('id').where('project_id', '=', projectId).where('slug', 'in', slugs)
  return posts.where('posts.category_id', slugs.length === 1 ? '=' : 'in', ids)
}

/** The ids of posts with any of these tags, in any status. */
function taggedPosts(db: Db, projectId: ProjectId, slugs: readonly string[]) {
  return db
    .selectFrom('tags')
    .innerJoin('post_tags', (join) => join.on('post_tags.project_id', '=', projectId).onRef('post_tags.tag_id', '=', 'tags.id'))
    .select('post_tags.post_id')
    .where('tags.project_id', '=', projectId)
    .where('tags.slug', 'in', slugs)
}
