import type { Sight } from '../../../actions/caller.ts'
import type { Db } from '../../../database/engine.ts'
import { prepared } from '../../../database/prepared.ts'
import { orderBy } from '../../../lists/sort-terms.ts'
import { visiblePosts } from '../../../lists/visible-posts.ts'
import type { ProjectId } from '../../../values/ids.ts'
import { taggedPosts } from '../list/post-filter-store.ts'
import { type PostPlan, postTerms } from '../list/post-page-store.ts'
import { findKeptTotal } from '../list/post-total-store.ts'
import { Catalogue, type Members, type Order } from './post-index.ts'

/** More posts, or authors, or categories are not catalogued: it takes two microseconds a post, and keeps others waiting. */
const mostPosts = 20_000
const mostNamed = 2_000

type Values = { readonly projectId: ProjectId; readonly most: number }
interface Shape {
  readonly drafts: boolean
}

/** All posts in sight at a revision that whoever sees them may know of; none where there are too many, or the log moved meanwhile. */
export async function readCatalogue(db: Db, sight: Sight, revision: number): Promise<Catalogue | undefined> {
  const { projectId, drafts } = sight
  if (((await findKeptTotal(db, sight, {})) ?? 0) > mostPosts) return undefined
  const [before] = await log(db, { projectId })
  if (before?.[drafts ? 'revision' : 'public_revision'] !== revision) return undefined
  const rows = await everyPost(db, { projectId, most: mostPosts + 1 }, { drafts })
  const authors = await everyAuthor(db, { projectId, most: mostNamed + 1 })
  const categories = await everyCategory(db, { projectId, most: mostNamed + 1 })
  const isSmall = rows.length <= mostPosts && authors.length <= mostNamed && categories.length <= mostNamed
  if (!isSmall || (await revisionNow(db, projectId)) !== before.revision) return undefined
  return new Catalogue(before.revision, rows, { authors, categories })
}

/** The order of a sort; none where the log has moved since the catalogue was made. */
export async function readOrder(db: Db, { projectId, drafts }: Sight, sort: PostPlan['sort'], of: Catalogue): Promise<Order | undefined> {
  const rows = await everyId(db, { projectId, most: mostPosts + 1 }, { drafts, sort })
  return (await revisionNow(db, projectId)) === of.logRevision ? of.toOrder(rows.map(({ id }) => id)) : undefined
}

/** The posts with any of these tags; none where the log has moved. */
export async function readTagged(db: Db, { projectId }: Sight, tags: readonly string[], of: Catalogue): Promise<Members | undefined> {
  const rows = await tagged(db, { projectId, tags })
  return (await revisionNow(db, projectId)) === of.logRevision ? of.membersAmong(rows.map(({ post_id }) => post_id)) : undefined
}

/** It never goes back: where it is after a statement what it was before, the statement saw what was there then. */
async function revisionNow(db: Db, projectId: ProjectId): Promise<number | undefined> {
  const [row] = await log(db, { projectId })
  return row?.revision
}

const log = prepared((db, { projectId }: Pick<Values, 'projectId'>) =>
  db.selectFrom('project_state').select(['revision', 'public_revision']).where('project_id', '=', projectId),
)

const everyPost = prepared((db, { projectId, most }: Values, { drafts }: Shape) =>
  visiblePosts(db, { projectId, drafts, emails: false })
    .select(['posts.id', 'posts.version', 'posts.status', 'posts.author_id', 'posts.category_id', 'posts.published_at', 'posts.updated_at'])
    .limit(most),
)

const everyAuthor = prepared((db, { projectId, most }: Values) =>
  db.selectFrom('authors').select(['id', 'name']).where('project_id', '=', projectId).limit(most),
)

const everyCategory = prepared((db, { projectId, most }: Values) =>
  db.selectFrom('categories').select(['id', 'name', 'slug']).where('project_id', '=', projectId).limit(most),
)

const everyId = prepared((db, { projectId, most }: Values, { drafts, sort }: Shape & Pick<PostPlan, 'sort'>) =>
  visiblePosts(db, { projectId, drafts, emails: false })
    .select('posts.id')
    .orderBy(orderBy(postTerms({ sort })))
    .limit(most),
)

const tagged = prepared((db, { projectId, tags }: { readonly projectId: ProjectId; readonly tags: readonly string[] }) =>
  taggedPosts(db, projectId, tags),
)
