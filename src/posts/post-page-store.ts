import type { Sight } from '../caller.ts'
import type { Db } from '../database/engine.ts'
import { prepared } from '../database/prepared.ts'
import type { PostId, ProjectId } from '../ids.ts'
import type { Instant } from '../instant.ts'
import { type Cut, counting, cutOf, cutRows } from '../listing/list-query.ts'
import type { ListPlan } from '../listing/list-spec.ts'
import { type OrderTerm, orderTerms, type SortColumns } from '../listing/order-terms.ts'
import { conditionsOf, filteredPosts, type PostConditions } from './post-filter-store.ts'
import type { postList } from './post-schema.ts'
import { findKeptTotal } from './post-total-store.ts'

export type PostPlan = ListPlan<typeof postList>

/** What decides the statement of a page beside the values that it binds. */
export interface PageShape {
  readonly sort: PostPlan['sort']
  readonly drafts: boolean
}

type Found = PostConditions & { readonly projectId: ProjectId; readonly onlyPost: PostId | undefined }
export type PageValues = Found & Cut

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

export function postTerms({ sort }: Pick<PostPlan, 'sort'>): readonly OrderTerm[] {
  return orderTerms('posts', sort, sortColumns)
}

/** What the statement of a page binds. */
export function pageValues({ projectId, onlyPost }: Sight, plan: PostPlan, terms: readonly OrderTerm[], now: Instant): PageValues {
  return { projectId, onlyPost, ...conditionsOf(plan.filters, now), ...cutOf(plan, terms) }
}

/** The posts on a page and one more where there is more; it is cut from an index before anything else is looked up. */
export function cutPosts(db: Db, values: PageValues, { sort, drafts }: PageShape) {
  const found = filteredPosts(db, sightIn(values, drafts), values)
  return cutRows(found, values, postTerms({ sort })).select(['posts.project_id', 'posts.id'])
}

const count = prepared((db, values: Found, { drafts }: Pick<PageShape, 'drafts'>) =>
  counting(filteredPosts(db, sightIn(values, drafts), values)),
)

/** How many posts a list has on all its pages, where the plan asks for it. */
export async function countPosts(db: Db, sight: Sight, plan: PostPlan, now: Instant): Promise<number | undefined> {
  if (!plan.total) return undefined
  const kept = await findKeptTotal(db, sight, plan.filters)
  if (kept !== undefined) return kept
  const { projectId, onlyPost, drafts } = sight
  const [row] = await count(db, { projectId, onlyPost, ...conditionsOf(plan.filters, now) }, { drafts })
  return Number(row?.total)
}

function sightIn({ projectId, onlyPost }: Found, drafts: boolean): Sight {
  return { projectId, drafts, emails: false, ...(onlyPost !== undefined && { onlyPost }) }
}
