import type { Sight } from '../../../actions/caller.ts'
import type { Db } from '../../../database/engine.ts'
import type { ListPlan } from '../../../lists/list-spec.ts'
import { countMatches, type MatchWay, wantedOf } from '../../../search/match-store.ts'
import { wordsAskedFor } from '../../../search/tokenizer.ts'
import { fold } from '../../../values/case-fold.ts'
import { codePointLength } from '../../../values/code-points.ts'
import type { postList } from '../post-schema.ts'

type Plan = ListPlan<typeof postList>

/**
 * How the posts of a list are come by: by reading those that pass its filters; by walking through the first of them, of which the page may
 * want some at its end; or from the matches in an index.
 */
export type Way = 'read' | 'walk' | MatchWay

export interface Search {
  /** To be gone one after the other until one fills the page. Each finds the same, as far as it goes, and the last all. */
  readonly ways: readonly Way[]
  /** What is looked for in the index of titles, where that is the way. */
  readonly match: string | undefined
  /** And in that of words: the best first. */
  readonly wanted: readonly string[] | undefined
  /** The same where no order matters. */
  readonly counted: readonly string[] | undefined
  /** Where looking for the ways told it. */
  readonly total: number | undefined
}

/** So many posts are walked through; the matches may all be at the other end. */
export const walked = 5_000
/** As many matches are fetched and sorted: it takes 4 ms. Beyond, a page is sooner found by walking. */
const few = 10_000
/** The index knows nothing shorter. */
const minIndexedLetters = 3
/** Sorts that an index has in their order, while nothing else is filtered by. */
const walkable = ['-published_at', 'created_at', '-created_at', 'updated_at', '-updated_at', 'title', '-title']
const numberedSorts = ['published_at', 'status']
const numberedFilters = ['status', 'trashed', 'published_after', 'published_before']
const simpleFilters = ['search', 'status']

/** The ways to the posts of a list. What is found is the same on each. */
export async function findWays(db: Db, sight: Sight, plan: Plan): Promise<Search> {
  const { q } = plan.filters
  if (q === undefined) return waysToTitles(db, sight, plan)
  const isShort = db.engine.invertedIndex === 'fts5' && isNumbered(plan, ['q', ...numberedFilters])
  return { ...read, ways: [isShort ? 'numbers' : 'posts'], ...wantedOf(db, wordsAskedFor(q)) }
}

const read: Search = { ways: ['read'], match: undefined, wanted: undefined, counted: undefined, total: undefined }

/** Those to the titles that hold what is searched for, by how many these are. */
async function waysToTitles(db: Db, sight: Sight, plan: Plan): Promise<Search> {
  const text = fold(plan.filters.search ?? '')
  if (db.engine.invertedIndex !== 'fts5' || codePointLength(text) < minIndexedLetters) return read
  const match = expressionOf(text, sight, plan)
  const isWhole = plan.total && saysAll(sight, plan)
  const [row] = await countMatches(db, { match, projectId: sight.projectId }, isWhole ? 'all' : few + 1)
  const count = Number(row?.total)
  const total = isWhole ? count : undefined
  const fetch = isNumbered(plan, ['search', ...numberedFilters]) ? 'numbers' : 'posts'
  if (count <= few) return { ...read, ways: [fetch], match, total }
  if (!hasOnly(plan, simpleFilters)) return read
  return { ...read, ways: walkable.includes(sortOf(plan)) ? ['walk', fetch] : [fetch], match, total }
}

/** The very text, and no mark of what is out of sight (see the migration). */
function expressionOf(text: string, sight: Sight, plan: Plan): string {
  const phrase = `"${text.replaceAll('"', '""')}"`
  if (plan.filters.trashed) return `${phrase} AND "TRA"`
  return `${phrase} NOT ${showsPublishedAlone(sight, plan) ? '"HID"' : '"TRA"'}`
}

function showsPublishedAlone({ drafts }: Sight, { filters: { status } }: Plan): boolean {
  return !drafts || (status?.length === 1 && status[0] === 'published')
}

/** Whether the index alone can tell how many posts the list has. */
function saysAll(sight: Sight, plan: Plan): boolean {
  const isOneStatus = plan.filters.status === undefined || showsPublishedAlone(sight, plan)
  return sight.onlyPost === undefined && hasOnly(plan, simpleFilters) && isOneStatus
}

/** Whether the rows of numbers tell enough of posts. */
function isNumbered(plan: Plan, filters: readonly string[]): boolean {
  return hasOnly(plan, filters) && plan.sort.every(({ name }) => numberedSorts.includes(name))
}

function hasOnly({ filters }: Plan, names: readonly string[]): boolean {
  return Object.keys(filters).every((name) => names.includes(name))
}

function sortOf({ sort }: Plan): string {
  return sort.map(({ name, descending }) => (descending ? `-${name}` : name)).join()
}
