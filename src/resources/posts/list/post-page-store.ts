import { type AliasableExpression, sql } from 'kysely'
import type { Sight } from '../../../actions/caller.ts'
import type { Db } from '../../../database/engine.ts'
import { prepared } from '../../../database/prepared.ts'
import type { ListPlan } from '../../../lists/list-spec.ts'
import { type Cut, counting, cutOf, cutRows } from '../../../lists/page-query.ts'
import { type OrderTerm, orderTerms, type SortColumns } from '../../../lists/sort-terms.ts'
import type { Posts } from '../../../lists/visible-posts.ts'
import { matchedPosts } from '../../../search/match-store.ts'
import type { PostId, ProjectId } from '../../../values/ids.ts'
import type { Instant } from '../../../values/instant.ts'
import type { postList } from '../post-schema.ts'
import { mergedPosts, type Older, olderOf } from './index-merge-store.ts'
import { conditionsOf, filteredPosts, type PostConditions, withTitle } from './post-filter-store.ts'
import { findKeptTotal } from './post-total-store.ts'
import { type Search, type Way, walked } from './search-plan-store.ts'

export type PostPlan = ListPlan<typeof postList>

/** What decides the statement of a page beside the values that it binds. */
export interface PageShape {
  readonly sort: PostPlan['sort']
  readonly ranked?: true | undefined
  readonly drafts: boolean
  readonly way: Way
}

type Found = PostConditions & {
  readonly projectId: ProjectId
  readonly onlyPost: PostId | undefined
  readonly match: Search['match']
  readonly wanted: Search['wanted']
}
export type PageValues = Found & Cut & Older
type PostKeys = AliasableExpression<{ project_id: ProjectId; id: PostId }>

export const sortColumns: SortColumns<(typeof postList)['sorts'][number]> = {
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

/** Of posts found by their words the best field that holds them all comes first, where no other order is asked for. */
const byField: OrderTerm = { expression: sql.ref('field'), type: 'number', descending: false, valueOf: ({ field }) => field as number }

export function postTerms({ sort, ranked }: Pick<PostPlan, 'sort'> & { readonly ranked?: true | undefined }): readonly OrderTerm[] {
  const terms = orderTerms('posts', sort, sortColumns)
  return ranked ? [byField, ...terms] : terms
}

/** What the statement of a page binds. */
export function pageValues(sight: Sight, plan: PostPlan, search: Search, now: Instant): PageValues {
  return { ...foundValues(sight, plan, search, now), ...cutOf(plan, postTerms(plan)) }
}

/** The posts on a page and one more where there is more; it is cut from an index before anything else is looked up. */
export function cutPosts(db: Db, values: PageValues, shape: PageShape): PostKeys {
  const { drafts, way } = shape
  const { terms, cut } = orderOf(values, shape)
  const merged = way === 'read' && isByPublication(shape) ? mergedPosts(db, sightIn(values, drafts), values, { cut, terms }) : undefined
  // SQLite merges only what a statement sorts by and shows.
  if (merged) {
    const posts = olderOf(db.selectFrom(merged.as('posts')), values)
    return cutRows(posts, cut, terms).select(['posts.project_id', 'posts.id', 'posts.published_at'])
  }
  const found = way === 'walk' ? firstFound(db, cut, { terms, drafts }) : foundPosts(db, values, { drafts, way })
  const page = cutRows(olderOf(found, values), cut, terms).select(['posts.project_id', 'posts.id'])
  return shape.ranked ? page.select(sql<number>`field`.as('field')) : page
}

/** Without drafts nothing is without a date: what sorts the empty last is left out, and an index will do. */
function orderOf(
  values: PageValues,
  { sort, ranked, drafts }: PageShape,
): { readonly terms: readonly OrderTerm[]; readonly cut: PageValues } {
  const terms = postTerms({ sort, ranked })
  if (drafts || sort[0]?.name !== 'published_at' || sort[0].descending) return { terms, cut: values }
  return { terms: terms.slice(1), cut: { ...values, after: values.after?.slice(1) } }
}

/** Whether walks in the order of publication can be merged: all that have no date are the last of theirs, in one direction as in the other. */
function isByPublication({ sort: [first, ...others], drafts }: PageShape): boolean {
  return first?.name === 'published_at' && others.length === 0 && (first.descending || !drafts)
}

const count = prepared((db, values: Found, shape: Pick<PageShape, 'drafts' | 'way'>) => {
  const tagged = values.tag && shape.way === 'read' && mergedPosts(db, sightIn(values, shape.drafts), values)
  return tagged ? counting(db.selectFrom(tagged.as('posts'))) : counting(foundPosts(db, values, shape))
})

/** How many posts a list has on all its pages, where the plan asks for it. */
export async function countPosts(db: Db, sight: Sight, plan: PostPlan, search: Search, now: Instant): Promise<number | undefined> {
  if (!plan.total) return undefined
  const kept = search.total ?? (await findKeptTotal(db, sight, plan.filters))
  if (kept !== undefined) return kept
  const shape = { drafts: sight.drafts, way: search.ways.at(-1) ?? 'read' }
  const [row] = await count(db, foundValues(sight, plan, { ...search, wanted: search.counted }, now), shape)
  return Number(row?.total)
}

function foundValues({ projectId, onlyPost }: Sight, plan: PostPlan, { match, wanted }: Search, now: Instant): Found {
  return { projectId, onlyPost, match, wanted, ...conditionsOf(plan.filters, now) }
}

function foundPosts(db: Db, values: Found, { drafts, way }: Pick<PageShape, 'drafts' | 'way'>) {
  const sight = sightIn(values, drafts)
  if (way === 'read' || way === 'walk') return filteredPosts(db, sight, values)
  // A title that is in the index need not be looked at.
  const wanted = values.match === undefined ? values : { ...values, title: undefined }
  return filteredPosts(db, sight, wanted, matchedPosts(db, values, way))
}

/** Of the first posts in the order of the list those with the title. */
function firstFound(db: Db, values: PageValues, { terms, drafts }: { terms: readonly OrderTerm[]; drafts: boolean }) {
  const { title, after } = values
  const first = cutRows(filteredPosts(db, sightIn(values, drafts), { ...values, title: undefined }), { most: walked, after }, terms)
  return withTitle(db.selectFrom(first.selectAll('posts').as('posts')) as unknown as Posts, title ?? '')
}

function sightIn({ projectId, onlyPost }: Found, drafts: boolean): Sight {
  return { projectId, drafts, emails: false, ...(onlyPost !== undefined && { onlyPost }) }
}
