import { type AliasableExpression, sql } from 'kysely'
import type { Sight } from '../../../actions/caller.ts'
import type { Db } from '../../../database/engine.ts'
import { prepared } from '../../../database/prepared.ts'
import { type Cut, counting, cutRows } from '../../../lists/page-query.ts'
import { type OrderTerm, orderTerms, type SortColumns } from '../../../lists/sort-terms.ts'
import { hiddenPosts, type Posts } from '../../../lists/visible-posts.ts'
import { matchedPosts, matchesExcept, rankedPosts } from '../../../search/match-store.ts'
import type { PostId, ProjectId } from '../../../values/ids.ts'
import type { postList } from '../post-schema.ts'
import { mergedPosts, mergedRanks, type Older, onlyOlder } from './index-merge-store.ts'
import type { PostPlan, QueryPlan, Strategy } from './plan-query.ts'
import { filteredPosts, type PostConditions, withTitle } from './post-filter-store.ts'

/** Decides the statement of a page, together with the presence of values. */
export interface PageShape {
  readonly sort: PostPlan['sort']
  readonly ranked?: true | undefined
  readonly drafts: boolean
  readonly strategy: Strategy
}

/** The values that a statement binds. */
export type FoundValues = PostConditions & {
  readonly projectId: ProjectId
  readonly onlyPost: PostId | undefined
  /** A query for the title index. */
  readonly titles: QueryPlan['titles']
  /** Queries for the word index. */
  readonly words: readonly string[] | undefined
}
export type PageValues = FoundValues & Cut & Older
/** A query for the keys of posts. */
export type PostKeys = AliasableExpression<{ project_id: ProjectId; id: PostId }>

/** Posts that a walk tests. There may be matches after them. */
const maxWalked = 5_000

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

/** Ranks matches by the best field that contains all words. */
const byField: OrderTerm = { expression: sql.ref('field'), type: 'number', descending: false, valueOf: ({ field }) => field as number }

export function postTerms({ sort, ranked }: Pick<PageShape, 'sort' | 'ranked'>): readonly OrderTerm[] {
  const terms = orderTerms('posts', sort, sortColumns)
  return ranked ? [byField, ...terms] : terms
}

/** The posts on a page, and one more if there is a next page. They are cut from an index before anything is joined. */
export function cutPosts(db: Db, values: PageValues, shape: PageShape): PostKeys {
  const { drafts, strategy } = shape
  const { terms, cut } = orderOf(values, shape)
  if (strategy.kind === 'merge') {
    const merged = mergedPosts(db, sightIn(values, drafts), values, { by: strategy.by, reach: { cut, terms } })
    const posts = onlyOlder(db.selectFrom(merged.as('posts')), values)
    // SQLite merges walks only by columns that the statement selects.
    return cutRows(posts, cut, terms).select(['posts.project_id', 'posts.id', 'posts.published_at'])
  }
  if (strategy.kind === 'ranks') {
    const ranks = rankedPosts(db, { projectId: values.projectId, words: values.words ?? [] }, strategy.amounts)
    const merged = mergedRanks(db, sightIn(values, drafts), values, { ranks, reach: { cut, terms } })
    return cutRows(db.selectFrom(merged.as('posts')), cut, terms).select(['posts.project_id', 'posts.id', 'posts.field'])
  }
  const found = strategy.kind === 'walk' ? walkedPosts(db, cut, { terms, drafts }) : foundPosts(db, values, { drafts, strategy })
  const page = cutRows(onlyOlder(found, values), cut, terms).select(['posts.project_id', 'posts.id'])
  return shape.ranked ? page.select(sql<number>`field`.as('field')) : page
}

/** The total of a list. */
export const countFound = prepared((db, values: FoundValues, { drafts, strategy }: Pick<PageShape, 'drafts' | 'strategy'>) => {
  if (strategy.kind === 'unhidden')
    return counting(matchesExcept(db, { projectId: values.projectId, words: values.words ?? [] }, hiddenPosts(db, { ...values, drafts })))
  if (strategy.kind !== 'merge') return counting(foundPosts(db, values, { drafts, strategy }))
  return counting(db.selectFrom(mergedPosts(db, sightIn(values, drafts), values, { by: strategy.by }).as('posts')))
})

/** Without drafts every post has a date. Leaves out the term that sorts empty dates last, so that an index has the order. */
function orderOf(
  values: PageValues,
  { sort, ranked, drafts }: PageShape,
): { readonly terms: readonly OrderTerm[]; readonly cut: PageValues } {
  const terms = postTerms({ sort, ranked })
  if (drafts || sort[0]?.name !== 'published_at' || sort[0].descending) return { terms, cut: values }
  return { terms: terms.slice(1), cut: { ...values, after: values.after?.slice(1) } }
}

function foundPosts(db: Db, values: FoundValues, { drafts, strategy }: Pick<PageShape, 'drafts' | 'strategy'>) {
  const sight = sightIn(values, drafts)
  if (strategy.kind !== 'match') return filteredPosts(db, sight, values)
  // The title index has already matched the title.
  const wanted = values.titles === undefined ? values : { ...values, search: undefined }
  return filteredPosts(db, sight, wanted, matchedPosts(db, values, strategy))
}

/** Those of the first posts in order whose title matches. */
function walkedPosts(db: Db, values: PageValues, { terms, drafts }: { terms: readonly OrderTerm[]; drafts: boolean }) {
  const { search, after } = values
  const first = cutRows(filteredPosts(db, sightIn(values, drafts), { ...values, search: undefined }), { most: maxWalked, after }, terms)
  return withTitle(db.selectFrom(first.selectAll('posts').as('posts')) as unknown as Posts, search ?? '')
}

function sightIn({ projectId, onlyPost }: FoundValues, drafts: boolean): Sight {
  return { projectId, drafts, emails: false, ...(onlyPost !== undefined && { onlyPost }) }
}
