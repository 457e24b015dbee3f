import { sql } from 'kysely'
import type { Sight } from '../../../actions/caller.ts'
import type { Db } from '../../../database/engine.ts'
import { prepared } from '../../../database/prepared.ts'
import { orderBy } from '../../../lists/sort-terms.ts'
import { pendingEditColumn, visiblePosts } from '../../../lists/visible-posts.ts'
import type { PostId, ProjectId } from '../../../values/ids.ts'
import type { PostPlan } from '../list/plan-query.ts'
import { cutPosts, type PageShape, type PageValues, type PostKeys, postTerms } from '../list/post-page-store.ts'
import { withNames } from '../post-body-store.ts'

/** A post in a list: its version, what it shows that changes without it, and the columns that lists sort and filter by. */
export type PostRef = Awaited<ReturnType<ReturnType<typeof refs>['execute']>>[number]

const postColumns = [
  'posts.id',
  'posts.version',
  'posts.status',
  'posts.author_id',
  'posts.category_id',
  'posts.title',
  'posts.title_folded',
  'posts.slug',
  'posts.published_at',
  'posts.scheduled_for',
  'posts.created_at',
  'posts.updated_at',
] as const

/** A post with the slugs of its tags. */
export interface TaggedRef {
  readonly ref: PostRef
  readonly tags: readonly string[]
}

/** The posts on a page, in order. */
export const refsOnPage = prepared((db, values: PageValues, shape: PageShape) =>
  refs(db, cutPosts(db, values, shape), { ...shape, projectId: values.projectId }).orderBy(orderBy(postTerms(shape))),
)

type Visible = { readonly projectId: ProjectId; readonly most: number }
interface Shape {
  readonly drafts: boolean
}

/** Posts of one statement. More would hold the event loop for some milliseconds. */
const postsAtOnce = 1_000

/** All visible posts by id, some at a time; nothing if there are more than `most`. */
export async function* readAllRefs(db: Db, { projectId, drafts }: Sight, most: number): AsyncGenerator<readonly TaggedRef[]> {
  // A join would double the time of the statement.
  const authors = await allAuthors(db, { projectId, most: most + 1 })
  const categories = await allCategories(db, { projectId, most: most + 1 })
  if (authors.length > most || categories.length > most) return
  const authorOf = new Map(authors.map((author) => [author.id, author]))
  const categoryOf = new Map(categories.map((category) => [category.id, category]))
  for (let after = ''; ; ) {
    const posts = await somePosts(db, { projectId, after, most: postsAtOnce }, { drafts })
    const last = posts.at(-1)?.id
    if (last === undefined) return
    const tags = await tagsBetween(db, { projectId, after, last })
    const tagsOf = new Map<string, string[]>()
    for (const { post_id, slug } of tags) tagsOf.set(post_id, [...(tagsOf.get(post_id) ?? []), slug])
    yield posts.map((post) => {
      const author = post.author_id === null ? undefined : authorOf.get(post.author_id)
      const category = post.category_id === null ? undefined : categoryOf.get(post.category_id)
      const names = { author_name: author?.name ?? null, category_name: category?.name ?? null, category_slug: category?.slug ?? null }
      return { ref: { ...post, ...names }, tags: tagsOf.get(post.id) ?? [] }
    })
    after = last
  }
}

/** The ids of all visible posts in order. */
export async function readOrder(db: Db, { projectId, drafts }: Sight, sort: PostPlan['sort']): Promise<readonly PostId[]> {
  const rows = await allIds(db, { projectId }, { drafts, sort })
  return rows.map(({ id }) => id)
}

const somePosts = prepared((db, { projectId, after, most }: Visible & { readonly after: string }, { drafts }: Shape) =>
  visiblePosts(db, { projectId, drafts, emails: false })
    .where(sql<boolean>`posts.id > ${after}`)
    .select([...postColumns, pendingEditColumn({ projectId, drafts })])
    .orderBy('posts.id')
    .limit(most),
)

const allAuthors = prepared((db, { projectId, most }: Visible) =>
  db.selectFrom('authors').select(['id', 'name']).where('project_id', '=', projectId).limit(most),
)

const allCategories = prepared((db, { projectId, most }: Visible) =>
  db.selectFrom('categories').select(['id', 'name', 'slug']).where('project_id', '=', projectId).limit(most),
)

const tagsBetween = prepared(
  (db, { projectId, after, last }: { readonly projectId: ProjectId; readonly after: string; readonly last: string }) =>
    db
      .selectFrom('post_tags')
      .innerJoin('tags', (join) => join.on('tags.project_id', '=', projectId).onRef('tags.id', '=', 'post_tags.tag_id'))
      .select(['post_tags.post_id', 'tags.slug'])
      .where('post_tags.project_id', '=', projectId)
      .where(sql<boolean>`post_tags.post_id > ${after} and post_tags.post_id <= ${last}`),
)

const allIds = prepared((db, { projectId }: Pick<Visible, 'projectId'>, { drafts, sort }: Shape & Pick<PostPlan, 'sort'>) =>
  visiblePosts(db, { projectId, drafts, emails: false })
    .select('posts.id')
    .orderBy(orderBy(postTerms({ sort }))),
)

function refs(db: Db, page: PostKeys, { projectId, drafts, ranked }: Pick<PageShape, 'drafts' | 'ranked'> & Pick<Visible, 'projectId'>) {
  return withNames(db, page, { projectId, ranked }).select([...postColumns, pendingEditColumn({ projectId, drafts })])
}
