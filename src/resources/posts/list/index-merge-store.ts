import { type SelectQueryBuilder, sql } from 'kysely'
import type { Sight } from '../../../actions/caller.ts'
import type { Db } from '../../../database/engine.ts'
import { type Cut, cutRows } from '../../../lists/page-query.ts'
import type { OrderTerm } from '../../../lists/sort-terms.ts'
import { type Posts, statusesInSight } from '../../../lists/visible-posts.ts'
import type { PostId, ProjectId } from '../../../values/ids.ts'
import type { Post } from '../post.ts'
import type { MergeKey } from './plan-query.ts'
import { filteredPosts, type PostConditions } from './post-filter-store.ts'

/** One index walk: the posts of one status and, perhaps, of one author, category or tag. */
type Walk = Omit<PostConditions, 'status' | 'tag'> & {
  readonly status: readonly [Post['status']]
  readonly tag?: readonly [string] | undefined
  /** Tags of earlier walks, which already find the posts with both tags. */
  readonly otherTags?: readonly string[]
}

/** A list as a merge of index walks. `reach` limits it to a page. */
interface Merge {
  readonly by: MergeKey
  readonly reach?: Reach
}

/** The end of a page in an ordered list. */
interface Reach {
  readonly cut: Cut & Older
  readonly terms: readonly OrderTerm[]
}

interface Ranks {
  readonly ranks: readonly Posts[]
  readonly reach: Reach
}

export type Older = {
  /** Restricts a list, ordered by publication, to older posts. */
  readonly olderThan?: string | undefined
}

/**
 * The posts of a list as a merge of index walks ordered by publication, one for each status and each author, category or tag. Engines merge
 * ordered walks without reading them to their ends, so a page costs the same for any number of posts (SQLite: 20 µs for 1,000 and for
 * 1,000,000).
 */
export function mergedPosts(db: Db, sight: Sight, wanted: PostConditions, { by, reach }: Merge) {
  const walks = walksOf(sight, wanted, by)
  const find = (walk: Walk) => (walk.tag ? walkThroughTag(db, sight, walk).as('posts') : walkThroughPosts(db, sight, walk).as('posts'))
  if (reach && !db.engine.mergesWhole) return merge(walks.map((walk) => limitTo(db, db.selectFrom(find(walk)).selectAll('posts'), reach)))
  if (by === 'tag') return merge(walks.map((walk) => walkThroughTag(db, sight, walk)))
  return merge(walks.map((walk) => walkThroughPosts(db, sight, walk)))
}

/** The matches of words, the best field first. The planner reads each field by the index of words or in the order of the list. */
export function mergedRanks(db: Db, sight: Sight, wanted: PostConditions, { ranks, reach }: Ranks) {
  const walk = (posts: Posts) => filteredPosts(db, sight, wanted, posts).select(['posts.project_id', 'posts.id', 'posts.published_at'])
  return merge(ranks.map((posts) => limitTo(db, walk(posts).select(sql<number>`field`.as('field')), reach)))
}

/** Limits a walk to the end of the page, all posts of which may come from this walk. */
function limitTo<D, F extends keyof D, R>(db: Db, walk: SelectQueryBuilder<D, F, R>, { cut, terms }: Reach) {
  const { most, skipped, after } = cut
  const end = skipped === undefined ? most : sql<number>`cast(${skipped} as bigint) + cast(${most} as bigint)`
  const first = cutRows(onlyOlder(walk, cut), { most, after }, terms).limit(end)
  return db.selectFrom(first.as('walk')).selectAll('walk')
}

export function onlyOlder<D, F extends keyof D, R>(posts: SelectQueryBuilder<D, F, R>, { olderThan }: Older): SelectQueryBuilder<D, F, R> {
  return olderThan === undefined ? posts : posts.where(sql<boolean>`posts.published_at < ${olderThan}`)
}

function merge<D, F extends keyof D, R>([first, ...others]: readonly SelectQueryBuilder<D, F, R>[]) {
  if (!first) throw new Error('a merge needs at least one walk')
  return others.reduce((merged, walk) => merged.unionAll(walk), first)
}

function walksOf(sight: Sight, wanted: PostConditions, by: MergeKey): readonly Walk[] {
  const statuses = (sight.drafts ? wanted.status : undefined) ?? statusesInSight(sight)
  return statuses.flatMap((status) => walksOfStatus({ ...wanted, status: [status] }, by))
}

function walksOfStatus({ author = [], category = [], tag = [], ...walk }: PostConditions & Pick<Walk, 'status'>, by: MergeKey): Walk[] {
  switch (by) {
    case 'status':
      return [walk]
    case 'author':
      return author.map((id) => ({ ...walk, author: [id] }))
    case 'category':
      return category.map((slug) => ({ ...walk, category: [slug] }))
    case 'tag':
      return tag.map((slug, i) => ({ ...walk, tag: [slug], otherTags: tag.slice(0, i) }))
  }
}

function walkThroughPosts(db: Db, sight: Sight, walk: Walk) {
  return filteredPosts(db, sight, walk).select(['posts.project_id', 'posts.id', 'posts.published_at'])
}

/** Reads `post_tags` alone, which copies status and date from posts. */
function walkThroughTag(db: Db, { projectId }: Sight, { tag = [''], status: [status], ...walk }: Walk) {
  const { otherTags = [], published_after, published_before } = walk
  let posts = db
    .selectFrom('post_tags')
    .select(['project_id', 'post_id as id', 'published_at'])
    .where('project_id', '=', projectId)
    .where('tag_id', '=', tagIds(db, projectId, tag))
    .where('status', '=', status)
  if (published_after) posts = posts.where('published_at', '>=', published_after)
  if (published_before) posts = posts.where('published_at', '<', published_before).where('published_at', '!=', '')
  return otherTags.length === 0 ? posts : posts.where((eb) => eb.not(eb.exists(tagged(db, projectId, otherTags))))
}

/** Whether the post of the walk has one of these tags. */
function tagged(db: Db, projectId: ProjectId, slugs: readonly string[]) {
  return db
    .selectFrom('post_tags as others')
    .select('others.tag_id')
    .where('others.project_id', '=', projectId)
    .where('others.tag_id', 'in', tagIds(db, projectId, slugs))
    .where('others.post_id', '=', sql.ref<PostId>('post_tags.post_id'))
}

function tagIds(db: Db, projectId: ProjectId, slugs: readonly string[]) {
  return db.selectFrom('tags').select('id').where('project_id', '=', projectId).where('slug', 'in', slugs)
}
