import { type AliasableExpression, type RawBuilder, sql } from 'kysely'
import type { Db, EngineAbilities } from '../database/engine.ts'
import { prepared } from '../database/prepared.ts'
import { everyPost, type Posts } from '../lists/visible-posts.ts'
import type { ProjectId } from '../values/ids.ts'

/** Matches as posts or, for a tenth of the work, as rows of `search_posts`, which have a post's number, status and dates. */
type MatchRows = 'numbers' | 'posts'

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
export function matchedPosts(db: Db, { projectId, titles, words }: Match, rows: MatchRows): Posts {
  if (words)
    return db.engine.invertedIndex === 'fts5' ? asPosts(db, wordMatches(db, { projectId, words }), rows) : worded(db, { projectId, words })
  return titles === undefined ? everyPost(db) : asPosts(db, titleMatches(db, { projectId, titles }), rows)
}

/** The matches of words on PostgreSQL, the best `field` first, which is the same for all posts of a query. */
export function rankedPosts(db: Db, { projectId, words }: WordMatch): readonly Posts[] {
  const inField = fields.map((field) => has(field, words))
  const inSeveral = words.length > 1 ? [hasAll(words)] : []
  return [...inField, ...inSeveral].map((wanted, rank) => {
    const better = inField.slice(0, rank).map((inBetter) => sql<boolean>`not ${inBetter}`)
    return worded(db, { projectId, words }, { field: rank, wanted: sql.join([wanted, ...better], sql` and `) })
  })
}

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

/** The matches of words on PostgreSQL, whose planner chooses the order of the tables. */
function worded(db: Db, { projectId, words }: WordMatch, { field, wanted }: Rank = { field: 0, wanted: hasAll(words) }): Posts {
  const found = db
    .selectFrom('search_words as worded')
    .select((eb) => ['worded.project_id', 'worded.id', eb.lit(field).as('field')])
    .where('worded.project_id', '=', projectId)
    .where(words.length === 0 ? sql<boolean>`false` : sql<boolean>`${wanted}`)
  const posts = db
    .selectFrom(found.as('matches'))
    .innerJoin('posts', (join) => join.on('posts.project_id', '=', projectId).onRef('posts.id', '=', 'matches.id'))
  return posts as unknown as Posts
}

/** Each word in some field. Contents have most words, so they come first. */
function hasAll(words: readonly string[]) {
  const inSome = words.map((word) => sql<boolean>`(${sql.join(fields.map((field) => has(field, [word])).reverse(), sql` or `)})`)
  return inSome.length === 0 ? sql<boolean>`false` : sql<boolean>`${sql.join(inSome, sql` and `)}`
}

function has(field: (typeof fields)[number], words: readonly string[]) {
  return sql<boolean>`${sql.ref(`worded.${field}`)} @> array[${sql.join(words)}]::text[]`
}
