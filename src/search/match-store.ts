import { type AliasableExpression, type RawBuilder, sql } from 'kysely'
import type { Db, EngineAbilities } from '../database/engine.ts'
import { prepared } from '../database/prepared.ts'
import { everyPost, type Posts } from '../lists/visible-posts.ts'
import type { ProjectId } from '../values/ids.ts'

/** Matches as posts or, for a tenth of the work, as rows of `search_posts`, which have a post's number, status and dates. */
type MatchRows = 'numbers' | 'posts'

interface Matched {
  readonly rows: MatchRows
  /** Words match at most `fewWorded` posts. Matters on PostgreSQL alone. */
  readonly isFew?: boolean
}

/** So many matches of words are counted, fetched and sorted in 10 ms on PostgreSQL. With more, a walk in the order of the list is faster. */
export const fewWorded = 1_000

/** What is looked for: text in titles, or words. */
type Match = {
  readonly projectId: ProjectId
  readonly titles: string | undefined
  readonly words: readonly string[] | undefined
}

type TitleMatch = { readonly projectId: ProjectId; readonly titles: string }
type WordMatch = { readonly projectId: ProjectId; readonly words: readonly string[] }

/**
 * The matches in the index of words, on FTS5 each with the best `field` that has all of them, or in the index of titles. All posts without a
 * search.
 */
export function matchedPosts(db: Db, { projectId, titles, words }: Match, { rows, isFew = false }: Matched): Posts {
  if (words && db.engine.invertedIndex === 'fts5') return asPosts(db, wordMatches(db, { projectId, words }), rows)
  if (words) return worded(db, { projectId, words }, { field: 0, wanted: hasAll(words), isFew })
  return titles === undefined ? everyPost(db) : asPosts(db, titleMatches(db, { projectId, titles }), rows)
}

/** How many posts match: few are at most `fewWorded`. */
export type Amount = 'none' | 'few' | 'many'

/**
 * The matches of words on PostgreSQL, the best `field` first, which is the same for all posts of a query. `amounts` is by rank; those without
 * matches are left out.
 */
export function rankedPosts(db: Db, match: WordMatch, amounts: readonly Amount[]): readonly Posts[] {
  return ranksOf(match.words).flatMap((wanted, field) =>
    amounts[field] === 'none' ? [] : [worded(db, match, { field, wanted, isFew: amounts[field] === 'few' })],
  )
}

/**
 * How many posts match the words on PostgreSQL: all posts, or an upper bound for each rank, since some may be in a better one. Counting stops
 * at `fewWorded + 1`.
 */
export async function countWords(db: Db, { by, ...match }: WordMatch & { readonly by: 'rank' | 'post' }): Promise<readonly number[]> {
  const counted = await wordCounts(db, match, by)
  return countedBy(match.words, by).map((_, field) => Number(counted.find((each) => each.field === field)?.total))
}

const wordCounts = prepared((db, match: WordMatch, by: 'rank' | 'post') => {
  const [first, ...others] = countedBy(match.words, by).map((wanted, field) => {
    const counted = inIndex(db, match, { field, wanted }).limit(fewWorded + 1)
    return db.selectFrom(counted.as('matches')).select((eb) => [eb.lit(field).as('field'), eb.fn.countAll<number | string>().as('total')])
  })
  if (!first) throw new Error('words are looked for in some field')
  return others.reduce((all, each) => all.unionAll(each), first)
})

const countedBy = (words: readonly string[], by: 'rank' | 'post') => (by === 'post' ? [hasAll(words)] : placesOf(words))

/** How many posts match the words on PostgreSQL, without some that are few: no other row of a post is read. */
export function matchesExcept(db: Db, { projectId, words }: WordMatch, hidden: Posts) {
  return db
    .selectFrom('search_words as worded')
    .where('worded.project_id', '=', projectId)
    .where(hasAll(words))
    .where((eb) => eb.not(eb.exists(hidden.where(sql<boolean>`posts.id = worded.id`).select('posts.id'))))
}

/** How many titles match, or `most` where there are more. */
export async function countTitles(db: Db, { most, ...wanted }: TitleMatch & { readonly most: number | 'all' }): Promise<number> {
  const [row] = await titleCount(db, wanted, most)
  return Number(row?.total)
}

const titleCount = prepared((db, wanted: TitleMatch, most: number | 'all') => {
  const matches = titleMatches(db, wanted)
  return db.selectFrom((most === 'all' ? matches : matches.limit(most)).as('matches')).select((eb) => eb.fn.countAll<number>().as('total'))
})

/** The best field first. After them come posts with the words in several fields. */
const fields = ['title', 'excerpt', 'content'] as const

/** What to look for in the index of words, in its own terms. */
export interface WordQuery {
  /** Best field first. No post matches two of them on FTS5. */
  readonly ranked: readonly string[]
  /** The same posts where no order matters: one expression is enough on FTS5, and takes half the time. */
  readonly any: readonly string[]
}

export function wordQuery(index: EngineAbilities['invertedIndex'], words: readonly string[]): WordQuery {
  if (index !== 'fts5' || words.length === 0) return { ranked: words, any: words }
  const all = `(${words.map((word) => `"${word}"`).join(' AND ')})`
  const ranks = [...fields.map((field) => `(${field} : ${all})`), ...(words.length > 1 ? [all] : [])]
  return { ranked: ranks.map((rank, i) => ranks.slice(0, i).reduce((rest, better) => `(${rest} NOT ${better})`, rank)), any: [all] }
}

function titleMatches(db: Db, { projectId, titles }: TitleMatch) {
  return db
    .selectFrom('search_titles')
    .select((eb) => ['search_titles.rowid as number', eb.lit(0).as('field')])
    .where(sql<boolean>`search_titles match ${titles}`)
    .where(inRange('search_titles', projectId))
}

function wordMatches(db: Db, { projectId, words }: WordMatch) {
  const ranked = (rank: string | undefined, field: number) =>
    db
      .selectFrom('search_words')
      .select((eb) => ['search_words.rowid as number', eb.lit(field).as('field')])
      .where(rank === undefined ? sql<boolean>`1 = 0` : sql<boolean>`search_words match ${rank}`)
      .where(inRange('search_words', projectId))
  const [best, ...others] = words
  return others.reduce((matches, rank, i) => matches.unionAll(ranked(rank, i + 1)), ranked(best, 0))
}

type Matches = AliasableExpression<{ number: number; field: number }>

/** The upper half of a number is the project's, so a project is a range of the index. */
function inRange(table: 'search_titles' | 'search_words', projectId: ProjectId) {
  const range = sql`(select number >> 32 from search_posts where project_id = ${projectId} limit 1)`
  const row = sql.ref(`${table}.rowid`)
  return sql<boolean>`${row} >= ${range} << 32 and ${row} < (${range} + 1) << 32`
}

/** A cross join keeps the order of the tables. Without statistics SQLite would scan all posts instead. */
function asPosts(db: Db, matches: Matches, rows: MatchRows): Posts {
  const from = db.selectFrom(matches.as('matches'))
  if (rows === 'numbers') return from.crossJoin('search_posts as posts').whereRef('posts.number', '=', 'matches.number') as unknown as Posts
  const posts = from
    .crossJoin('search_posts')
    .crossJoin('posts')
    .whereRef('search_posts.number', '=', 'matches.number')
    .whereRef('posts.project_id', '=', 'search_posts.project_id')
    // The plus keeps SQLite from applying a filter by ids to `search_posts`, which it would scan for every match.
    .where(sql<boolean>`posts.id = +search_posts.id`)
  return posts as unknown as Posts
}

interface Rank {
  readonly field: number
  readonly wanted: RawBuilder<unknown>
}

/**
 * The matches of words on PostgreSQL. Where they are few, a limit makes the planner find them first. It takes every word that it does not know for
 * a frequent one, and would look for it in one post after the other; where they are many, that is the faster way, and it may choose.
 */
function worded(db: Db, match: WordMatch, { isFew, ...rank }: Rank & { readonly isFew: boolean }): Posts {
  const found = inIndex(db, match, rank)
  const posts = db
    .selectFrom((isFew ? found.limit(fewWorded) : found).as('matches'))
    .innerJoin('posts', (join) => join.on('posts.project_id', '=', match.projectId).onRef('posts.id', '=', 'matches.id'))
  return posts as unknown as Posts
}

function inIndex(db: Db, { projectId, words }: WordMatch, { field, wanted }: Rank) {
  return db
    .selectFrom('search_words as worded')
    .select((eb) => ['worded.project_id', 'worded.id', eb.lit(field).as('field')])
    .where('worded.project_id', '=', projectId)
    .where(words.length === 0 ? sql<boolean>`false` : sql<boolean>`${wanted}`)
}

/** What each rank asks for, the best one first. No post is in two of them. */
function ranksOf(words: readonly string[]): readonly RawBuilder<boolean>[] {
  const places = placesOf(words)
  return places.map((wanted, rank) => {
    const better = places.slice(0, Math.min(rank, fields.length)).map((each) => sql`not ${each}`)
    return sql<boolean>`${sql.join([wanted, ...better], sql` and `)}`
  })
}

/** Where the words can be: all in one of the fields, or in several. */
function placesOf(words: readonly string[]): readonly RawBuilder<boolean>[] {
  return [...fields.map((field) => has(field, words)), ...(words.length > 1 ? [hasAll(words)] : [])]
}

/** Each word in some field. Contents have most words, so they come first. */
function hasAll(words: readonly string[]) {
  const inSome = words.map((word) => sql<boolean>`(${sql.join(fields.map((field) => has(field, [word])).reverse(), sql` or `)})`)
  return inSome.length === 0 ? sql<boolean>`false` : sql<boolean>`${sql.join(inSome, sql` and `)}`
}

function has(field: (typeof fields)[number], words: readonly string[]) {
  return sql<boolean>`${sql.ref(`worded.${field}`)} @> array[${sql.join(words)}]::text[]`
}
