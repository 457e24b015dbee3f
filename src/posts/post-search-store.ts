import { sql } from 'kysely'
import type { Sight } from '../caller.ts'
import type { Db } from '../database/engine.ts'
import { prepared } from '../database/prepared.ts'
import type { ProjectId } from '../ids.ts'
import type { ListPlan } from '../listing/list-spec.ts'
import type { Posts } from '../listing/visible-posts.ts'
import { codePointLength } from '../text/code-points.ts'
import { fold } from '../text/fold.ts'
import type { postList } from './post-schema.ts'

type Plan = ListPlan<typeof postList>

/**
 * How the posts of a list are come by: by reading those that pass its filters; by walking through the first of them, of which the page may
 * want some at its end; or from the matches in the index, as posts or, for a tenth of the work, as no more than their numbers' rows say.
 */
export type Way = 'read' | 'walk' | 'numbers' | 'posts'

export interface Search {
  /** To be gone one after the other until one fills the page. Each finds the same, as far as it goes, and the last all. */
  readonly ways: readonly Way[]
  /** What is looked for in the index of titles. */
  readonly match: string | undefined
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
const numberedFilters = ['search', 'status', 'trashed', 'published_after', 'published_before']
const simpleFilters = ['search', 'status']

/** The ways to the posts whose titles hold what a plan searches for, by how many these are. What is found is the same on each. */
export async function findTitles(db: Db, sight: Sight, plan: Plan): Promise<Search> {
  const read: Search = { ways: ['read'], match: undefined, total: undefined }
  const text = fold(plan.filters.search ?? '')
  if (db.engine.invertedIndex !== 'fts5' || codePointLength(text) < minIndexedLetters) return read
  const match = expressionOf(text, sight, plan)
  const isWhole = plan.total && saysAll(sight, plan)
  const [row] = await countMatches(db, { match, projectId: sight.projectId }, isWhole ? 'all' : 'up to few')
  const count = Number(row?.total)
  const total = isWhole ? count : undefined
  const fetch: Way = isNumbered(plan) ? 'numbers' : 'posts'
  if (count <= few) return { ways: [fetch], match, total }
  if (!hasOnly(plan, simpleFilters)) return read
  return { ways: walkable.includes(sortOf(plan)) ? ['walk', fetch] : [fetch], match, total }
}

type Match = { readonly match: string; readonly projectId: ProjectId }

/** The matches in the index as posts. */
export function matchedPosts(db: Db, wanted: Match, way: 'numbers' | 'posts'): Posts {
  const matches = matchesOf(db, wanted)
  // A cross join is made as it is written: without statistics, SQLite would rather go through all posts in their order.
  if (way === 'numbers')
    return matches.crossJoin('search_posts as posts').whereRef('posts.number', '=', 'search_titles.rowid') as unknown as Posts
  const posts = matches
    .crossJoin('search_posts')
    .crossJoin('posts')
    .whereRef('search_posts.number', '=', 'search_titles.rowid')
    .whereRef('posts.project_id', '=', 'search_posts.project_id')
    // The plus keeps a filter by ids from becoming one of `search_posts`, for which it would be gone through for every match.
    .where(sql<boolean>`posts.id = +search_posts.id`)
  return posts as unknown as Posts
}

/** The numbers of the project lead in the index, too. */
function matchesOf(db: Db, { match, projectId }: Match) {
  const range = sql`(select number >> 32 from search_posts where project_id = ${projectId} limit 1)`
  return db
    .selectFrom('search_titles')
    .where(sql<boolean>`search_titles match ${match}`)
    .where(sql<boolean>`search_titles.rowid >= ${range} << 32 and search_titles.rowid < (${range} + 1) << 32`)
}

const countMatches = prepared((db, wanted: Match, most: 'all' | 'up to few') => {
  const matches = matchesOf(db, wanted).select('search_titles.rowid')
  return db
    .selectFrom((most === 'all' ? matches : matches.limit(few + 1)).as('matches'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
})

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

function isNumbered(plan: Plan): boolean {
  return hasOnly(plan, numberedFilters) && plan.sort.every(({ name }) => numberedSorts.includes(name))
}

function hasOnly({ filters }: Plan, names: readonly string[]): boolean {
  return Object.keys(filters).every((name) => names.includes(name))
}

function sortOf({ sort }: Plan): string {
  return sort.map(({ name, descending }) => (descending ? `-${name}` : name)).join()
}
