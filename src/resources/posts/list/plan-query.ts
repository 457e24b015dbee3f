import type { Sight } from '../../../actions/caller.ts'
import type { EngineAbilities } from '../../../database/engine.ts'
import type { ListPlan } from '../../../lists/list-spec.ts'
import { type WordQuery, wordQuery } from '../../../search/match-store.ts'
import { wordsAskedFor } from '../../../search/tokenizer.ts'
import { fold } from '../../../values/case-fold.ts'
import { codePointLength } from '../../../values/code-points.ts'
import { isId } from '../../../values/ids.ts'
import type { postList } from '../post-schema.ts'

export type PostPlan = ListPlan<typeof postList>
export type FilterName = keyof (typeof postList)['filters']

/** What the store runs for a list. */
export interface QueryPlan {
  /** Run in turn until one fills the page. All find the same posts; the last one finds every one of them. */
  readonly strategies: readonly Strategy[]
  /** Start at a day instead of walking through all the rows before the page. */
  readonly skipsDays: boolean
  readonly total: TotalPlan
  /** What to look for in the index of titles. */
  readonly titles: string | undefined
  /** What to look for in the index of words. */
  readonly words: WordQuery | undefined
}

/** How the posts of a page are found. It decides the SQL, so it is part of what a statement is compiled for. */
export type Strategy =
  /** One query over all posts, planned by the engine. */
  | { readonly kind: 'read' }
  /** Several index walks in the order of publication, merged: one for each status, and for each of these values. */
  | { readonly kind: 'merge'; readonly by: MergeKey }
  /** The first posts in the order of the list, those with the title kept. It may find too few. */
  | { readonly kind: 'walk' }
  /** The matches of a search index, as posts or, cheaper, as rows of `search_posts`. */
  | { readonly kind: 'match'; readonly rows: 'numbers' | 'posts' }

export type MergeKey = 'status' | 'author' | 'category' | 'tag'

export type TotalPlan =
  | { readonly kind: 'none' }
  /** Found out while planning. */
  | { readonly kind: 'known'; readonly total: number }
  /** Added up from the counts that every write keeps. */
  | { readonly kind: 'kept'; readonly dimension: 'all' | 'author' | 'category' | 'tag'; readonly names: readonly string[] }
  | { readonly kind: 'counted'; readonly strategy: Strategy }

/** What the database can do. */
type Abilities = Pick<EngineAbilities, 'invertedIndex'>

/** Titles to count before planning: whether many or few match decides the strategy. */
interface TitleCount {
  readonly titles: string
  /** Counting stops here. */
  readonly most: number | 'all'
}

type Ability =
  /** Merged walks through `posts` honour it. */
  | 'merge'
  /** Merged walks through `post_tags` honour it. */
  | 'mergeByTag'
  /** The kept counts of each day honour it. */
  | 'skipDays'
  /** The kept totals honour it. */
  | 'keptTotal'
  /** Matches in the index of words honour it by the columns of `search_posts` alone. */
  | 'wordRows'
  /** So do matches in the index of titles. */
  | 'titleRows'
  /** The index of titles honours it by itself, and so does a walk in the order of the list. */
  | 'titleIndex'

/** What honours each filter beside a plain read. A new filter does not compile until it has a row here. */
const filterAbilities: Readonly<Record<FilterName, readonly Ability[]>> = {
  status: ['merge', 'mergeByTag', 'skipDays', 'keptTotal', 'wordRows', 'titleRows', 'titleIndex'],
  category: ['merge', 'keptTotal'],
  tag: ['mergeByTag', 'keptTotal'],
  author: ['merge', 'keptTotal'],
  search: ['titleRows', 'titleIndex'],
  q: ['wordRows'],
  published_after: ['merge', 'mergeByTag', 'wordRows', 'titleRows'],
  published_before: ['merge', 'mergeByTag', 'wordRows', 'titleRows'],
  updated_after: [],
  trashed: ['wordRows', 'titleRows'],
}

/** Whether `search_posts` has the column of a sort. A new sort does not compile until it has a row here. */
const isSearchColumn: Readonly<Record<PostPlan['sort'][number]['name'], boolean>> = {
  published_at: true,
  created_at: false,
  updated_at: false,
  scheduled_for: false,
  title: false,
  slug: false,
  status: true,
}

/** Sorts that an index has in this order while nothing else is filtered by. */
const indexedSorts = ['-published_at', 'created_at', '-created_at', 'updated_at', '-updated_at', 'title', '-title']

/** Merging more walks than this is no better than one query over all posts. */
const maxWalks = 16
/** Skipping fewer rows than this costs less than finding the day to start at. */
const minSkippedByDays = 2_000
/** So many matches are fetched and sorted in 4 ms. With more, walking finds a page sooner. */
const fewMatches = 10_000
/** The index of titles has no shorter text. */
const minIndexedLetters = 3
const statusCount = 4

const read: Strategy = { kind: 'read' }

/** Which titles to count before a list is planned; none where nothing depends on it. */
export function titlesToCount(plan: PostPlan, sight: Sight, { invertedIndex }: Abilities): TitleCount | undefined {
  const text = fold(plan.filters.search ?? '')
  if (plan.filters.q !== undefined || invertedIndex !== 'fts5' || codePointLength(text) < minIndexedLetters) return undefined
  return { titles: titleExpression(text, sight, plan), most: titlesAreTotal(plan, sight) ? 'all' : fewMatches + 1 }
}

/** Decides how a list is read. `titleMatches` is the answer to `titlesToCount`, where that asks something. */
export function planQuery(plan: PostPlan, sight: Sight, abilities: Abilities, titleMatches = 0): QueryPlan {
  const words = plan.filters.q === undefined ? undefined : wordQuery(abilities.invertedIndex, wordsAskedFor(plan.filters.q))
  const count = titlesToCount(plan, sight, abilities)
  const strategies = strategiesOf(plan, sight, abilities, count && titleMatches)
  const usesTitles = strategies.some(({ kind }) => kind === 'match') && count !== undefined
  return {
    strategies,
    skipsDays: skipsDays(plan, sight),
    total: totalOf(plan, sight, { strategy: strategies.at(-1) ?? read, titleMatches: count?.most === 'all' ? titleMatches : undefined }),
    titles: usesTitles ? count.titles : undefined,
    words,
  }
}

function strategiesOf(plan: PostPlan, sight: Sight, { invertedIndex }: Abilities, titleMatches: number | undefined): readonly Strategy[] {
  const isShort =
    honours(plan, plan.filters.q === undefined ? 'titleRows' : 'wordRows') && plan.sort.every(({ name }) => isSearchColumn[name])
  const match: Strategy = { kind: 'match', rows: invertedIndex === 'fts5' && isShort ? 'numbers' : 'posts' }
  if (plan.filters.q !== undefined) return [match]
  if (titleMatches === undefined) return [mergeOf(plan, sight) ?? read]
  if (titleMatches <= fewMatches) return [match]
  if (!honours(plan, 'titleIndex')) return [read]
  return indexedSorts.includes(sortText(plan)) ? [{ kind: 'walk' }, match] : [match]
}

/** A merge of walks in the order of publication, where the list is one; posts without a date must come last in every walk. */
function mergeOf(plan: PostPlan, sight: Sight): Strategy | undefined {
  const [first, ...others] = plan.sort
  const isByPublication = first?.name === 'published_at' && others.length === 0 && (first.descending || !sight.drafts)
  return isByPublication ? mergeWithoutOrder(plan, sight) : undefined
}

function mergeWithoutOrder(plan: PostPlan, sight: Sight): Strategy | undefined {
  const { author, category, tag, status } = plan.filters
  if (sight.onlyPost !== undefined || !honours(plan, tag ? 'mergeByTag' : 'merge') || (author && category)) return undefined
  const by: MergeKey = tag ? 'tag' : author ? 'author' : category ? 'category' : 'status'
  const values = tag ?? author?.filter((id) => isId('auth', id)) ?? category ?? (sight.drafts ? status : undefined) ?? ['']
  const statuses = by !== 'status' && sight.drafts ? (status?.length ?? statusCount) : 1
  const walks = values.length * statuses
  // An engine finds a single walk by itself, but not the one through the tags.
  return walks <= maxWalks && (walks > 1 || (tag && walks === 1)) ? { kind: 'merge', by } : undefined
}

function skipsDays(plan: PostPlan, sight: Sight): boolean {
  const { position, limit } = plan
  const isFar = position.kind === 'page' && (position.page - 1) * limit >= minSkippedByDays
  return isFar && sortText(plan) === '-published_at' && sight.onlyPost === undefined && honours(plan, 'skipDays')
}

interface Found {
  readonly strategy: Strategy
  /** How many titles match, where that is the total. */
  readonly titleMatches: number | undefined
}

function totalOf(plan: PostPlan, sight: Sight, { strategy, titleMatches }: Found): TotalPlan {
  if (!plan.total) return { kind: 'none' }
  if (titleMatches !== undefined) return { kind: 'known', total: titleMatches }
  const { author, category, tag } = plan.filters
  // Posts have one author and one category, so these counts add up; a post may have several of the tags.
  const isOneKind = [author, category, tag].filter((names) => names !== undefined).length <= 1 && (tag?.length ?? 1) === 1
  if (isOneKind && sight.onlyPost === undefined && honours(plan, 'keptTotal')) {
    if (author) return { kind: 'kept', dimension: 'author', names: author }
    if (category) return { kind: 'kept', dimension: 'category', names: category }
    return tag ? { kind: 'kept', dimension: 'tag', names: tag } : { kind: 'kept', dimension: 'all', names: [''] }
  }
  return { kind: 'counted', strategy: strategy.kind === 'read' && tag ? (mergeWithoutOrder(plan, sight) ?? read) : strategy }
}

function honours({ filters }: PostPlan, ability: Ability): boolean {
  return (Object.keys(filters) as FilterName[]).every((name) => filterAbilities[name].includes(ability))
}

/** The text itself, without the posts that carry a mark of being out of sight (see the schema). */
function titleExpression(text: string, sight: Sight, plan: PostPlan): string {
  const phrase = `"${text.replaceAll('"', '""')}"`
  if (plan.filters.trashed) return `${phrase} AND "TRA"`
  return `${phrase} NOT ${showsPublishedAlone(plan, sight) ? '"HID"' : '"TRA"'}`
}

function showsPublishedAlone({ filters: { status } }: PostPlan, { drafts }: Sight): boolean {
  return !drafts || (status?.length === 1 && status[0] === 'published')
}

/** Whether the index of titles alone tells how many posts the list has. */
function titlesAreTotal(plan: PostPlan, sight: Sight): boolean {
  const isOneStatus = plan.filters.status === undefined || showsPublishedAlone(plan, sight)
  return plan.total && sight.onlyPost === undefined && isOneStatus && honours(plan, 'titleIndex')
}

function sortText({ sort }: PostPlan): string {
  return sort.map(({ name, descending }) => (descending ? `-${name}` : name)).join()
}
