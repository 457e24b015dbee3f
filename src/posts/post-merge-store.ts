import type { SelectQueryBuilder } from 'kysely'
import type { Sight } from '../caller.ts'
import type { Db } from '../database/engine.ts'
import { statusesInSight } from '../listing/visible-posts.ts'
import type { Post } from './post.ts'
import { filteredPosts, type PostConditions } from './post-filter-store.ts'

/** Beyond so many walks at once, one through all posts is no worse. */
const maxWalks = 16

/** What one walk finds: the posts of one status and, perhaps, of one author, category or tag. */
type Walk = PostConditions & { readonly status: readonly [Post['status']]; readonly tag?: readonly [string] | undefined }

/**
 * The posts of a list as a merge of walks through indexes in the order of publication, one for each status and each author, category or tag.
 * Engines merge what is in order without reading it to its end: a page costs the same however many posts there are (measured on SQLite: 20 µs
 * at 1,000 as at 1,000,000 posts). None where the list is no such merge, or is one walk that engines find by themselves.
 */
export function mergedPosts(db: Db, sight: Sight, wanted: PostConditions) {
  const walks = walksOf(sight, wanted)
  if (walks.length > maxWalks || (walks.length <= 1 && !wanted.tag)) return undefined
  if (!wanted.tag) return merge(walks.map((walk) => walkThroughPosts(db, sight, walk)))
  const tagged = walks.map((walk) => walkThroughTag(db, sight, walk))
  // A post may have several of the tags, and is one post nevertheless.
  return wanted.tag.length > 1 ? merge(tagged, 'union') : merge(tagged)
}

function merge<D, F extends keyof D, R>(walks: readonly SelectQueryBuilder<D, F, R>[], how: 'union' | 'unionAll' = 'unionAll') {
  const [first, ...others] = walks
  return first && others.reduce((merged, walk) => merged[how](walk), first)
}

function walksOf(sight: Sight, wanted: PostConditions): readonly Walk[] {
  const { author, category, tag, updatedAfter, title, trashedAfter } = wanted
  const isOneKind = [author, category, tag].filter((names) => names !== undefined).length <= 1
  if (!isOneKind || updatedAfter || title || trashedAfter || sight.onlyPost) return []
  const statuses = sight.drafts ? wanted.status : statusesInSight(sight)
  if (!statuses && !author && !category && !tag) return []
  return (statuses ?? statusesInSight(sight)).flatMap((status) => walksOfStatus({ ...wanted, status: [status] }))
}

function walksOfStatus({ author, category, tag, ...walk }: PostConditions & Pick<Walk, 'status'>): readonly Walk[] {
  if (author) return author.map((id) => ({ ...walk, author: [id] }))
  if (category) return category.map((slug) => ({ ...walk, category: [slug] }))
  if (tag) return tag.map((slug) => ({ ...walk, tag: [slug] }))
  return [walk]
}

function walkThroughPosts(db: Db, sight: Sight, walk: Walk) {
  return filteredPosts(db, sight, walk).select(['posts.project_id', 'posts.id', 'posts.published_at'])
}

/** What the tags of posts repeat of them spares a look at each. */
function walkThroughTag(db: Db, { projectId }: Sight, { tag: [slug] = [''], status: [status], publishedAfter, publishedBefore }: Walk) {
  const tag = db.selectFrom('tags').select('id').where('project_id', '=', projectId).where('slug', '=', slug)
  return db
    .selectFrom('post_tags')
    .select(['project_id', 'post_id as id', 'published_at'])
    .where('project_id', '=', projectId)
    .where('tag_id', '=', tag)
    .where('status', '=', status)
    .$if(publishedAfter !== undefined, (posts) => posts.where('published_at', '>=', publishedAfter ?? ''))
    .$if(publishedBefore !== undefined, (posts) => posts.where('published_at', '<', publishedBefore ?? '').where('published_at', '!=', ''))
}
