import { sql } from 'kysely'
import type { Sight } from '../../../actions/caller.ts'
import type { Db } from '../../../database/engine.ts'
import { prepared } from '../../../database/prepared.ts'
import { orderBy } from '../../../lists/sort-terms.ts'
import { visiblePosts } from '../../../lists/visible-posts.ts'
import type { PostId, ProjectId } from '../../../values/ids.ts'
import type { PostPlan } from '../list/plan-query.ts'
import { cutPosts, type PageShape, type PageValues, type PostKeys, postTerms } from '../list/post-page-store.ts'

/** A post of a list: which version of it, what it names, and all that lists sort and filter by. */
export type PostRef = Awaited<ReturnType<ReturnType<typeof refs>['execute']>>[number]

/** A post with the slugs of its tags. */
export interface TaggedRef {
  readonly ref: PostRef
  readonly tags: readonly string[]
}

/** The posts on a page, in order. */
export const refsOnPage = prepared((db, values: PageValues, shape: PageShape) =>
  refs(db, cutPosts(db, values, shape), shape.ranked).orderBy(orderBy(postTerms(shape))),
)

type Visible = { readonly projectId: ProjectId; readonly most: number }
interface Shape {
  readonly drafts: boolean
}

/** All posts in sight, in no order, as they are at a revision; none where there are more than `most`, or the log has moved on. */
export async function readCatalogued(db: Db, sight: Sight, revision: number, most: number): Promise<readonly TaggedRef[] | undefined> {
  const { projectId, drafts } = sight
  const rows = await allRefs(db, { projectId, most: most + 1 }, { drafts })
  if (rows.length > most) return undefined
  const tags = new Map<string, string[]>()
  for (const { post_id, slug } of await allTags(db, { projectId })) {
    const slugs = tags.get(post_id)
    if (slugs) slugs.push(slug)
    else tags.set(post_id, [slug])
  }
  if ((await revisionInSight(db, sight)) !== revision) return undefined
  return rows.map((ref) => ({ ref, tags: tags.get(ref.id) ?? [] }))
}

/** The ids of all posts in sight in the order of a sort, as they are at a revision; none where the log has moved on. */
export async function readOrder(db: Db, sight: Sight, revision: number, sort: PostPlan['sort']): Promise<readonly PostId[] | undefined> {
  const rows = await allIds(db, { projectId: sight.projectId }, { drafts: sight.drafts, sort })
  return (await revisionInSight(db, sight)) === revision ? rows.map(({ id }) => id) : undefined
}

/** The revision never goes back. If it is the same after a statement as before, the statement saw the posts of that revision. */
async function revisionInSight(db: Db, { projectId, drafts }: Sight): Promise<number | undefined> {
  const [row] = await revisions(db, { projectId })
  return row?.[drafts ? 'revision' : 'public_revision']
}

const revisions = prepared((db, { projectId }: Pick<Visible, 'projectId'>) =>
  db.selectFrom('project_state').select(['revision', 'public_revision']).where('project_id', '=', projectId),
)

const allRefs = prepared((db, { projectId, most }: Visible, { drafts }: Shape) =>
  refs(db, visiblePosts(db, { projectId, drafts, emails: false }).select(['posts.project_id', 'posts.id']).limit(most)),
)

const allTags = prepared((db, { projectId }: Pick<Visible, 'projectId'>) =>
  db
    .selectFrom('post_tags')
    .innerJoin('tags', (join) => join.onRef('tags.project_id', '=', 'post_tags.project_id').onRef('tags.id', '=', 'post_tags.tag_id'))
    .select(['post_tags.post_id', 'tags.slug'])
    .where('post_tags.project_id', '=', projectId),
)

const allIds = prepared((db, { projectId }: Pick<Visible, 'projectId'>, { drafts, sort }: Shape & Pick<PostPlan, 'sort'>) =>
  visiblePosts(db, { projectId, drafts, emails: false })
    .select('posts.id')
    .orderBy(orderBy(postTerms({ sort }))),
)

function refs(db: Db, page: PostKeys, ranked?: true) {
  return db
    .selectFrom(page.as('page'))
    .innerJoin('posts', (join) => join.onRef('posts.project_id', '=', 'page.project_id').onRef('posts.id', '=', 'page.id'))
    .leftJoin('authors', (join) => join.onRef('authors.project_id', '=', 'posts.project_id').onRef('authors.id', '=', 'posts.author_id'))
    .leftJoin('categories', (join) =>
      join.onRef('categories.project_id', '=', 'posts.project_id').onRef('categories.id', '=', 'posts.category_id'),
    )
    .select(['posts.id', 'posts.version', 'posts.status', 'posts.author_id', 'posts.category_id', 'posts.title', 'posts.title_folded'])
    .select(['posts.slug', 'posts.published_at', 'posts.scheduled_for', 'posts.created_at', 'posts.updated_at'])
    .select(['authors.name as author_name', 'categories.name as category_name', 'categories.slug as category_slug'])
    .$if(ranked === true, (query) => query.select(sql<number>`page.field`.as('field')))
}
