import { sql } from 'kysely'
import type { Sight } from '../caller.ts'
import type { Db } from '../database/engine.ts'
import { isId, type PostId } from '../ids.ts'
import type { Instant } from '../instant.ts'
import { containing, countAsked, onPage, orderBy, orderTerms, type Page, type SortColumns, toPage } from '../listing/list-query.ts'
import type { ListPlan } from '../listing/list-spec.ts'
import { trashedPosts, visiblePosts } from '../listing/visible-posts.ts'
import { fold } from '../text/fold.ts'
import { trashHorizon } from '../trash.ts'
import type { ListedPost, Post as PostBody, postList } from './post-schema.ts'
import { toSeo } from './post-store.ts'

type PostPlan = ListPlan<typeof postList>

const sortColumns: SortColumns<(typeof postList)['sorts'][number]> = {
  published_at: [{ column: 'published_at', type: 'text', mayBeEmpty: true }],
  created_at: [{ column: 'created_at', type: 'text' }],
  updated_at: [{ column: 'updated_at', type: 'text' }],
  scheduled_for: [{ column: 'scheduled_for', type: 'text', mayBeEmpty: true }],
  title: [
    { column: 'title_folded', type: 'text' },
    { column: 'title', type: 'text' },
  ],
  slug: [{ column: 'slug', type: 'text' }],
  status: [{ column: 'status', type: 'text' }],
}

/** One post as its representation, by id or slug; none where the caller may not see it. */
export async function findPostBody(db: Db, sight: Sight, idOrSlug: string): Promise<PostBody | undefined> {
  const column = isId('post', idOrSlug) ? 'posts.id' : 'posts.slug'
  const row = await bodies(
    db,
    visiblePosts(db, sight).where(column, '=', idOrSlug).select(['posts.project_id', 'posts.id']),
    true,
  ).executeTakeFirst()
  return row && toBody(row)
}

/** Of the posts with these ids those that are in sight, in no order. */
export async function findPostBodies(db: Db, sight: Sight, ids: readonly string[]): Promise<readonly PostBody[]> {
  const these = visiblePosts(db, sight).where('posts.id', 'in', ids as readonly PostId[])
  const rows = await bodies(db, these.select(['posts.project_id', 'posts.id']), true).execute()
  return rows.map(toBody)
}

/** A page of posts. The page is cut from an index first; what else a post has is looked up for its rows alone. */
export async function listPosts(db: Db, sight: Sight, plan: PostPlan, now: Instant): Promise<Page<ListedPost>> {
  const terms = orderTerms('posts', plan.sort, sortColumns)
  const found = filtered(db, sight, plan, now)
  const page = onPage(found, plan, terms).select(['posts.project_id', 'posts.id'])
  const rows = await bodies(db, page, plan.fields?.includes('content') ?? true)
    .orderBy(orderBy(terms))
    .execute()
  return toPage(rows, plan, terms, { total: await countAsked(found, plan), toItem: (row) => pick(toBody(row), plan.fields) })
}

type Posts = ReturnType<typeof visiblePosts>

function filtered(db: Db, sight: Sight, { filters }: PostPlan, now: Instant): Posts {
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

/** Everything a representation shows of the posts on a page. */
function bodies(db: Db, page: ReturnType<typeof pageShape>, withContent: boolean) {
  return db
    .selectFrom(page.as('page'))
    .innerJoin('posts', (join) => join.onRef('posts.project_id', '=', 'page.project_id').onRef('posts.id', '=', 'page.id'))
    .leftJoin('authors', (join) => join.onRef('authors.project_id', '=', 'posts.project_id').onRef('authors.id', '=', 'posts.author_id'))
    .leftJoin('categories', (join) =>
      join.onRef('categories.project_id', '=', 'posts.project_id').onRef('categories.id', '=', 'posts.category_id'),
    )
    .$if(withContent, (query) =>
      query
        .innerJoin('contents', (join) =>
          join
            .onRef('contents.project_id', '=', 'posts.project_id')
            .onRef('contents.post_id', '=', 'posts.id')
            .onRef('contents.hash', '=', 'posts.content_hash'),
        )
        .select('contents.body'),
    )
    .selectAll('posts')
    .select(['authors.name as author_name', 'categories.name as category_name', 'categories.slug as category_slug'])
}

function pageShape(posts: Posts) {
  return posts.select(['posts.project_id', 'posts.id'])
}

type BodyRow = Awaited<ReturnType<ReturnType<typeof bodies>['execute']>>[number]

function toBody(row: BodyRow): PostBody {
  return {
    id: row.id,
    title: row.title,
    slug: row.slug,
    content: row.body ?? '',
    excerpt: row.excerpt,
    status: row.status,
    publishedAt: row.published_at || null,
    scheduledFor: row.scheduled_for || null,
    author: row.author_id && { id: row.author_id, name: row.author_name ?? '' },
    category: row.category_id && { id: row.category_id, name: row.category_name ?? '', slug: row.category_slug ?? '' },
    tags: JSON.parse(row.tags) as string[],
    seo: toSeo(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  }
}

function pick(post: PostBody, fields: readonly string[] | undefined): ListedPost {
  if (!fields) return post
  return Object.fromEntries(Object.entries(post).filter(([name]) => fields.includes(name))) as ListedPost
}
