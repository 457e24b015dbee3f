import type { Sight } from '../caller.ts'
import type { Db } from '../database/engine.ts'
import { isId, type PostId } from '../ids.ts'
import type { Instant } from '../instant.ts'
import { countAsked, onPage, orderBy, orderTerms, type Page, type SortColumns, toPage } from '../listing/list-query.ts'
import type { ListPlan } from '../listing/list-spec.ts'
import { visiblePosts } from '../listing/visible-posts.ts'
import { filteredPosts, type Posts } from './post-filter-store.ts'
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
  const found = filteredPosts(db, sight, plan, now)
  const page = onPage(found, plan, terms).select(['posts.project_id', 'posts.id'])
  const rows = await bodies(db, page, plan.fields?.includes('content') ?? true)
    .orderBy(orderBy(terms))
    .execute()
  return toPage(rows, plan, terms, { total: await countAsked(found, plan), toItem: (row) => pick(toBody(row), plan.fields) })
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
