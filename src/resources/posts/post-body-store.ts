import { sql } from 'kysely'
import type { Sight } from '../../actions/caller.ts'
import type { Db } from '../../database/engine.ts'
import { prepared } from '../../database/prepared.ts'
import { type Page, toPage } from '../../lists/page-query.ts'
import { orderBy } from '../../lists/sort-terms.ts'
import { visiblePosts } from '../../lists/visible-posts.ts'
import { isId, type PostId, type ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import { leap } from './list/day-offset-store.ts'
import { countPosts, cutPosts, type PageShape, type PageValues, type PostPlan, pageValues, postTerms } from './list/post-page-store.ts'
import { findWays } from './list/search-plan-store.ts'
import { revisionOf } from './list-cache/post-version-store.ts'
import type { Post } from './post.ts'
import { pick, represent, toPost } from './post-fields.ts'
import { type ListedPost, type Post as PostBody, postList } from './post-schema.ts'

/** One post as its representation, by id or slug; none where the caller may not see it. */
export async function findPostBody(db: Db, { projectId, onlyPost, drafts }: Sight, idOrSlug: string): Promise<PostBody | undefined> {
  const column = isId('post', idOrSlug) ? 'id' : 'slug'
  const [row] = await bodyOf(db, { projectId, onlyPost, idOrSlug }, { drafts, column })
  return row && toBody(row)
}

/** Of the posts with these ids those that are in sight, in no order. */
export async function findPostBodies(db: Db, sight: Sight, ids: readonly string[]): Promise<readonly PostBody[]> {
  const { projectId, onlyPost, drafts } = sight
  const rows = await bodiesOf(db, { projectId, onlyPost, ids: filledUp(ids as readonly PostId[]) }, { drafts, withContent: true })
  return rows.map(toBody)
}

/** A page of posts. The page is cut from an index first; what else a post has is looked up for its rows alone. */
export async function listPosts(db: Db, sight: Sight, plan: PostPlan, now: Instant): Promise<Page<ListedPost>> {
  const search = await findWays(db, sight, plan)
  const values = await leap(db, sight, plan, pageValues(sight, plan, search, now))
  const withContent = plan.fields?.includes('content') ?? true
  let rows: readonly BodyRow[] = []
  for (const way of search.ways) {
    rows = await bodiesOnPage(db, values, { sort: plan.sort, ranked: plan.ranked, drafts: sight.drafts, way, withContent })
    if (rows.length === values.most) break
  }
  const total = await countPosts(db, sight, plan, search, now)
  return toPage(rows, plan, postTerms(plan), {
    total,
    toItem: (row) => pick(toBody(row), (plan.fields ?? postList.fields) as readonly (keyof PostBody)[]),
  })
}

interface Seen {
  readonly drafts: boolean
}

type SightValues = { readonly projectId: ProjectId; readonly onlyPost: PostId | undefined }

const bodyOf = prepared(
  (
    db,
    { idOrSlug, ...sight }: SightValues & { readonly idOrSlug: string },
    { drafts, column }: Seen & { readonly column: 'id' | 'slug' },
  ) => bodies(db, sight.projectId, inSight(db, sight, drafts).where(`posts.${column}`, '=', idOrSlug), { withContent: true }),
)

/** Everything of the posts with these ids, in no order. */
export const bodiesOf = prepared(
  (
    db,
    { ids, ...sight }: SightValues & { readonly ids: readonly PostId[] },
    { drafts, withContent }: Seen & { readonly withContent: boolean },
  ) => bodies(db, sight.projectId, inSight(db, sight, drafts).where('posts.id', 'in', ids), { withContent }),
)

/** Everything of the posts on a page, in order. */
export const bodiesOnPage = prepared((db, values: PageValues, { withContent, ...shape }: PageShape & { readonly withContent: boolean }) =>
  bodies(db, values.projectId, cutPosts(db, values, shape), { withContent, ranked: shape.ranked }).orderBy(orderBy(postTerms(shape))),
)

function inSight(db: Db, { projectId, onlyPost }: SightValues, drafts: boolean) {
  const sight = { projectId, drafts, emails: false, ...(onlyPost !== undefined && { onlyPost }) }
  return visiblePosts(db, sight).select(['posts.project_id', 'posts.id'])
}

/** As many ids as a statement is compiled for: some are there twice rather than each number having a statement of its own. */
export function filledUp<I>(ids: readonly I[]): readonly I[] {
  const size = [1, 5, 20, 50, 101].find((each) => each >= ids.length) ?? ids.length
  const last = ids.at(-1)
  return last === undefined ? ids : [...ids, ...Array.from({ length: size - ids.length }, () => last)]
}

/** What decides which columns are read. */
interface BodyShape {
  readonly withContent: boolean
  readonly ranked?: true | undefined
}

/** Everything a representation shows of the posts on a page, and how far the log of their project was. */
function bodies(db: Db, projectId: ProjectId, page: ReturnType<typeof cutPosts>, { withContent, ranked }: BodyShape) {
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
    .$if(ranked === true, (query) => query.select(sql<number>`page.field`.as('field')))
    .select(['authors.name as author_name', 'categories.name as category_name', 'categories.slug as category_slug'])
    .select(revisionOf(db, projectId))
}

type NameRow = Partial<Pick<BodyRow, 'author_name' | 'category_name' | 'category_slug'>> & Pick<BodyRow, 'author_id' | 'category_id'>
export type BodyRow = Awaited<ReturnType<ReturnType<typeof bodies>['execute']>>[number]

export function toBody(row: BodyRow): PostBody {
  return represent(toPost(row), namesIn(row))
}

/** What a post names, as it is called now. */
export function namesIn(row: NameRow): Pick<PostBody, 'author' | 'category'> {
  return {
    author: row.author_id && { id: row.author_id, name: row.author_name ?? '' },
    category: row.category_id && { id: row.category_id, name: row.category_name ?? '', slug: row.category_slug ?? '' },
  }
}

/** The representation of a post that was just written; none where it shows an author or a category, whose names are not known here. */
export function toBodyAlone(post: Post): PostBody | undefined {
  return post.authorId === null && post.categoryId === null ? represent(post, { author: null, category: null }) : undefined
}
