import type { Sight } from '../../../actions/caller.ts'
import type { EngineAbilities } from '../../../database/engine.ts'
import type { ListPlan } from '../../../lists/list-spec.ts'
import { type Amount, fewWorded, type WordQuery, wordQuery } from '../../../search/match-store.ts'
import { wordsAskedFor } from '../../../search/tokenizer.ts'
import { codePointLength } from '../../../values/code-points.ts'
import { isId } from '../../../values/ids.ts'
import { fold } from '../../../values/letters/case-fold.ts'
import type { postList } from '../post-schema.ts'

export type PostPlan = ListPlan<typeof postList>
export type FilterName = keyof (typeof postList)['filters']

/** How a list is read. */
export interface QueryPlan {
  /** Tried in turn until one fills the page. Only the last one always finds all posts. None if there are no posts to find. */
  readonly strategies: readonly Strategy[]
  /** Skips whole days by their counts instead of walking through the rows before the page. */
  readonly skipsDays: boolean
  readonly total: TotalPlan
  /** A query for the title index. */
  readonly titles: string | undefined
  /** Queries for the word index. */
  readonly words: WordQuery | undefined
}

/** How the posts of a page are found. Part of the shape of statements. */
export type Strategy =
  /** One query over all posts, planned by the engine. */
  | { readonly kind: 'read' }
  /** Merged index walks ordered by publication, one for each status and each of these values. */
  | { readonly kind: 'merge'; readonly by: MergeKey }
  /** Tests the titles of the first posts in order. It may find too few. */
  | { readonly kind: 'walk' }
  /** The matches of a search index, as posts or (cheaper) as rows of `search_posts`. */
  | { readonly kind: 'match'; readonly rows: 'numbers' | 'posts'; readonly isFew?: boolean }
  /** The matches of words in each field, up to the end of the page. */
  | { readonly kind: 'ranks'; readonly amounts: readonly Amount[] }
  /** Of matches of words, all but hidden posts. Only for totals. */
  | { readonly kind: 'unhidden' }

export type MergeKey = 'status' | 'author' | 'category' | 'tag'

export type TotalPlan =
  | { readonly kind: 'none' }
  /** Counted while planning. */
  | { readonly kind: 'known'; readonly total: number }
  /** Summed from `post_counts`. */
  | { readonly kind: 'summed'; readonly dimension: 'all' | 'author' | 'category' | 'tag'; readonly names: readonly string[] }
  | { readonly kind: 'counted'; readonly strategy: Strategy }

type Abilities = Pick<EngineAbilities, 'invertedIndex'>

/** Title matches to count before planning: their number decides the strategy. */
interface TitleCount {
  readonly titles: string
  /** Stops counting here. */
  readonly most: number | 'all'
}

/** Words whose matches to count before planning, in each rank or in all posts: their number decides the strategy. */
interface WordCount {
  readonly words: readonly string[]
  readonly by: 'rank' | 'post'
}

type Ability =
  /** Merged walks through `posts` apply it. */
  | 'merge'
  /** Merged walks through `post_tags` apply it. */
  | 'mergeByTag'
  /** The counts per day in `post_counts` apply it. */
  | 'skipDays'
  /** The totals in `post_counts` apply it. */
  | 'countedTotal'
  /** Word matches apply it with the columns of `search_posts` alone. */
  | 'wordRows'
  /** Title matches apply it with the columns of `search_posts` alone. */
  | 'titleRows'
  /** The title index applies it, and so does a walk. */
  | 'titleIndex'

/** What can apply each filter beside a plain read. A new filter does not compile until it has a row here. */
const filterAbilities: Readonly<Record<FilterName, readonly Ability[]>> = {
  status: ['merge', 'mergeByTag', 'skipDays', 'countedTotal', 'wordRows', 'titleRows', 'titleIndex'],
  category: ['merge', 'countedTotal'],
  tag: ['mergeByTag', 'countedTotal'],
  author: ['merge', 'countedTotal'],
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

/** Sorts that an index has when there is no filter. */
const indexedSorts = ['-published_at', 'created_at', '-created_at', 'updated_at', '-updated_at', 'title', '-title']

/** Merging more walks than this is no better than one query over all posts. */
const maxWalks = 16
/** Skipping fewer rows than this costs less than reading the counts per day. */
const minSkippedByDays = 2_000
/** Skipping this many rows takes less than a millisecond. */
const maxSkippedAtOnce = 1_000
/** This many matches of titles are fetched and sorted in 4 ms on SQLite. With more, a walk is faster. */
const fewMatches = 10_000
/** The title index is made of trigrams. */
const minIndexedLetters = 3
const statusCount = 4

const read: Strategy = { kind: 'read' }

/** The title matches to count before planning; undefined if nothing depends on them. */
export function titlesToCount(plan: PostPlan, sight: Sight, { invertedIndex }: Abilities): TitleCount | undefined {
  const text = fold(plan.filters.search ?? '')
  if (plan.filters.q !== undefined || invertedIndex !== 'fts5' || codePointLength(text) < minIndexedLetters) return undefined
  return { titles: titleExpression(text, sight, plan), most: titlesAreTotal(plan, sight) ? 'all' : fewMatches + 1 }
}

/** The words whose matches to count before planning; undefined if nothing depends on them. */
export function wordsToCount({ filters: { q }, ranked }: PostPlan, { invertedIndex }: Abilities): WordCount | undefined {
  return q === undefined || invertedIndex === 'fts5' ? undefined : { words: wordsAskedFor(q), by: ranked ? 'rank' : 'post' }
}

/** Matches that were counted before planning. */
interface MatchCounts {
  /** Of `titlesToCount`. */
  readonly titles?: number | undefined
  /** Of `wordsToCount`: one of each rank, or one of all posts. */
  readonly words?: readonly number[] | undefined
}

/** Decides how a list is read. */
export function planQuery(plan: PostPlan, sight: Sight, abilities: Abilities, counted: MatchCounts): QueryPlan {
  const counts = seesAll(sight) ? counted : { ...counted, words: counted.words?.map((count) => Math.max(count, 1)) }
  const words = plan.filters.q === undefined ? undefined : wordQuery(abilities.invertedIndex, wordsAskedFor(plan.filters.q))
  const count = titlesToCount(plan, sight, abilities)
  const strategies = strategiesOf(plan, sight, abilities, counts)
  const usesTitles = strategies.some(({ kind }) => kind === 'match') && count !== undefined
  const strategy = words && abilities.invertedIndex !== 'fts5' ? wordCountOf(plan, sight, counts) : (strategies.at(-1) ?? read)
  return {
    strategies,
    skipsDays: skipsDays(plan, sight),
    total: totalOf(plan, sight, { strategy, known: count?.most === 'all' ? counts.titles : isNone(counts.words) ? 0 : undefined }),
    titles: usesTitles ? count.titles : undefined,
    words,
  }
}

function strategiesOf(plan: PostPlan, sight: Sight, { invertedIndex }: Abilities, { titles, words }: MatchCounts): readonly Strategy[] {
  const fitsSearchRows =
    applies(plan, plan.filters.q === undefined ? 'titleRows' : 'wordRows') && plan.sort.every(({ name }) => isSearchColumn[name])
  if (isNone(words)) return []
  if (words) return [plan.ranked ? { kind: 'ranks', amounts: words.map(amountOf) } : wordMatch(words)]
  const match: Strategy = { kind: 'match', rows: invertedIndex === 'fts5' && fitsSearchRows ? 'numbers' : 'posts' }
  if (plan.filters.q !== undefined) return [match]
  if (titles === undefined) return [mergeOf(plan, sight) ?? read]
  if (titles <= fewMatches) return [match]
  if (!applies(plan, 'titleIndex')) return [read]
  return indexedSorts.includes(sortText(plan)) ? [{ kind: 'walk' }, match] : [match]
}

/** A merge of index walks, if the list is ordered by publication. */
function mergeOf(plan: PostPlan, sight: Sight): Strategy | undefined {
  return isByPublication(plan, sight) ? mergeWithoutOrder(plan, sight) : undefined
}

/** Whether the list is ordered by publication, and posts without a date come last in every index walk. */
function isByPublication({ sort }: PostPlan, { drafts }: Sight): boolean {
  const [first, ...others] = sort
  return first?.name === 'published_at' && others.length === 0 && (first.descending || !drafts)
}

function mergeWithoutOrder(plan: PostPlan, sight: Sight): Strategy | undefined {
  const { by, walks } = walksOf(plan, sight) ?? { walks: 0 }
  // Engines choose a single walk themselves, except through the tags.
  return by && walks <= maxWalks && (walks > 1 || (by === 'tag' && walks === 1)) ? { kind: 'merge', by } : undefined
}

/** How many index walks make the list; undefined if it is none of them. */
function walksOf(plan: PostPlan, sight: Sight): { readonly by: MergeKey; readonly walks: number } | undefined {
  const { author, category, tag, status } = plan.filters
  const by = mergeKeyOf(plan)
  if (sight.onlyPost !== undefined || !applies(plan, tag ? 'mergeByTag' : 'merge') || (author && category)) return undefined
  const values = tag ?? author?.filter((id) => isId('auth', id)) ?? category ?? (sight.drafts ? status : undefined) ?? ['']
  const statuses = by !== 'status' && sight.drafts ? (status?.length ?? statusCount) : 1
  return { by, walks: values.length * statuses }
}

function mergeKeyOf({ filters: { tag, author, category } }: PostPlan): MergeKey {
  if (tag) return 'tag'
  if (author) return 'author'
  return category ? 'category' : 'status'
}

/**
 * Whether a list takes about the same, short time for any number of posts: a few steps of index walks, and a total that is kept. All other
 * lists are read beside the event loop.
 */
export function isBounded(plan: PostPlan, sight: Sight): boolean {
  const { position, limit, filters } = plan
  if (position.kind === 'page' && (position.page - 1) * limit > maxSkippedAtOnce) return false
  // A walk through a tag passes over all posts that an earlier tag has found.
  if (Object.keys(filters).some((name) => name === 'q' || name === 'search' || name === 'trashed') || (filters.tag?.length ?? 0) > 1)
    return false
  if (totalOf(plan, sight, { strategy: read, known: undefined }).kind === 'counted') return false
  if (isByPublication(plan, sight)) return (walksOf(plan, sight)?.walks ?? Number.POSITIVE_INFINITY) <= maxWalks
  // Without drafts, such a walk would pass over them.
  return sight.drafts && Object.keys(filters).length === 0 && indexedSorts.includes(sortText(plan))
}

function skipsDays(plan: PostPlan, sight: Sight): boolean {
  const { position, limit } = plan
  const isFar = position.kind === 'page' && (position.page - 1) * limit >= minSkippedByDays
  return isFar && sortText(plan) === '-published_at' && sight.onlyPost === undefined && applies(plan, 'skipDays')
}

interface Found {
  readonly strategy: Strategy
  /** The total, if it was counted before planning. */
  readonly known: number | undefined
}

function totalOf(plan: PostPlan, sight: Sight, { strategy, known }: Found): TotalPlan {
  if (!plan.total) return { kind: 'none' }
  if (known !== undefined) return { kind: 'known', total: known }
  const { author, category, tag } = plan.filters
  // A post has one author and one category, so their counts add up. Counts of tags do not.
  const isOneKind = [author, category, tag].filter((names) => names !== undefined).length <= 1 && (tag?.length ?? 1) === 1
  if (isOneKind && sight.onlyPost === undefined && applies(plan, 'countedTotal')) {
    if (author) return { kind: 'summed', dimension: 'author', names: author }
    if (category) return { kind: 'summed', dimension: 'category', names: category }
    return tag ? { kind: 'summed', dimension: 'tag', names: tag } : { kind: 'summed', dimension: 'all', names: [''] }
  }
  return { kind: 'counted', strategy: strategy.kind === 'read' && tag ? (mergeWithoutOrder(plan, sight) ?? read) : strategy }
}

/** How matches of words are counted without FTS5. */
function wordCountOf({ filters }: PostPlan, { onlyPost }: Sight, { words = [] }: MatchCounts): Strategy {
  return onlyPost === undefined && Object.keys(filters).length === 1 ? { kind: 'unhidden' } : wordMatch(words)
}

/** Whether no post is hidden. For others no query may be left out where nothing has their words: the time would tell whether a hidden post has. */
function seesAll({ drafts, onlyPost }: Sight): boolean {
  return drafts && onlyPost === undefined
}

function isNone(counts: readonly number[] | undefined): boolean {
  return counts?.every((count) => count === 0) ?? false
}

function amountOf(count: number): Amount {
  return count === 0 ? 'none' : count <= fewWorded ? 'few' : 'many'
}

/** The matches of words without FTS5, given how many each rank has. */
function wordMatch(counts: readonly number[]): Strategy {
  return { kind: 'match', rows: 'posts', isFew: amountOf(counts.reduce((sum, count) => sum + count, 0)) !== 'many' }
}

function applies({ filters }: PostPlan, ability: Ability): boolean {
  return (Object.keys(filters) as FilterName[]).every((name) => filterAbilities[name].includes(ability))
}

/** Matches the text, and excludes posts marked as hidden or in the trash (see the schema). */
function titleExpression(text: string, sight: Sight, plan: PostPlan): string {
  const phrase = `"${text.replaceAll('"', '""')}"`
  if (plan.filters.trashed) return `${phrase} AND "TRA"`
  return `${phrase} NOT ${showsPublishedAlone(plan, sight) ? '"HID"' : '"TRA"'}`
}

function showsPublishedAlone({ filters: { status } }: PostPlan, { drafts }: Sight): boolean {
  return !drafts || (status?.length === 1 && status[0] === 'published')
}

/** Whether the number of title matches is the total. */
function titlesAreTotal(plan: PostPlan, sight: Sight): boolean {
  const isOneStatus = plan.filters.status === undefined || showsPublishedAlone(plan, sight)
  return plan.total && sight.onlyPost === undefined && isOneStatus && applies(plan, 'titleIndex')
}

function sortText({ sort }: PostPlan): string {
  return sort.map(({ name, descending }) => (descending ? `-${name}` : name)).join()
}
