import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../src/database/engine.ts'
import type { TestApp } from '../../test/harness/harness.ts'

const filled = ['posts', 'contents', 'post_revisions', 'post_tags', 'search_words']

/** Posts of one statement: PostgreSQL gives up a statement after its timeout, and its indexes of words are slow to fill. */
const mostAtOnce = { sqlite: 50_000, postgres: 5_000 }

/**
 * Many published posts, fast: the service makes one, and the database copies it. Titles and times of publication differ; tag, category,
 * author, content and the words of the indexes are the same, so every search and filter finds all. The log says nothing of the copies.
 */
export async function manyPosts(verso: TestApp, posts: number): Promise<void> {
  const admin = { key: await verso.keyWith('admin') }
  const { id: authorId } = (await verso.post('/v1/admin/authors', { name: 'Author' }, admin)).body
  const { id: categoryId } = (await verso.post('/v1/admin/categories', { name: 'Category' }, admin)).body
  const content = 'Common words that every post of this trial has. '.repeat(20)
  const publishedAt = '2026-01-01T00:00:00.000Z'
  const body = { title: 'Subject 0', content, tags: ['tag'], aliases: ['/former'], authorId, categoryId, status: 'published', publishedAt }
  const { id } = (await verso.post('/v1/posts', body)).body
  const { engine } = verso.app.installation
  const isSqlite = isFts(await engine.alone(async (tx) => tx))
  const atOnce = isSqlite ? mostAtOnce.sqlite : mostAtOnce.postgres
  for (let from = 1; from < posts; from += atOnce)
    await engine.alone((tx) => copies(tx, id, { from, to: Math.min(posts, from + atOnce) - 1 }))
  if (isSqlite) await engine.alone(mergeParts)
  else await settle(verso)
  // What the operating system has still to write of gigabytes would slow down what is measured.
  if (posts > 100_000) await promisify(execFile)('sync')
}

/**
 * Gives the first of many posts an author of their own, and each its revision. Returns the path that deletes the author and gives the posts
 * back to the first one.
 */
export async function deletionOfAuthor(verso: TestApp, posts: number): Promise<string> {
  const admin = { key: await verso.keyWith('admin') }
  const [first] = (await verso.get('/v1/authors')).body.data
  const { id } = (await verso.post('/v1/admin/authors', { name: 'Author of some' }, admin)).body
  const { engine } = verso.app.installation
  const isSqlite = isFts(await engine.alone(async (tx) => tx))
  const atOnce = isSqlite ? mostAtOnce.sqlite : mostAtOnce.postgres
  for (let from = 1; from <= posts; from += atOnce)
    await engine.alone((tx) => giveAuthor(tx, id, { from, to: Math.min(posts, from + atOnce - 1) }))
  await engine.alone((tx) =>
    sql`
      insert into post_counts (project_id, dimension, ref, status, posts)
      select project_id, dimension, ${id}, status, ${posts} from post_counts where ref = ${first.id} and status = 'published'
    `.execute(tx),
  )
  if (!isSqlite) await settle(verso)
  return `/v1/admin/authors/${id}?reassign_to=${first.id}`
}

async function giveAuthor(tx: Tx, id: string, { from, to }: Range): Promise<void> {
  const inRange = sql`posts.id between ${idOf(from)} and ${idOf(to)}`
  await sql`update posts set author_id = ${id} where ${inRange}`.execute(tx)
  await sql`
    insert into post_revisions (project_id, post_id, version, content_hash, snapshot, actor, client, created_at, row_hash)
    select posts.project_id, posts.id, posts.version, old.content_hash, old.snapshot, old.actor, old.client, old.created_at, old.row_hash
    from posts cross join (select * from post_revisions limit 1) as old where ${inRange}
  `.execute(tx)
}

/** Otherwise the server of PostgreSQL does it by itself, at the very time that is measured. */
async function settle({ app }: TestApp): Promise<void> {
  for (const table of filled) await sql`vacuum analyze ${sql.table(table)}`.execute(app.installation.db)
  await sql`checkpoint`.execute(app.installation.db)
}

const idOf = (number: number) => `post_${String(number).padStart(26, '0')}`

/** Parts of the indexes of words are merged until enough are, as the service does after each long text. */
async function mergeParts(tx: Tx): Promise<void> {
  const written = async () => (await sql<{ readonly rows: number }>`select total_changes() as rows`.execute(tx)).rows[0]?.rows ?? 0
  for (const table of ['search_titles', 'search_words'].map((name) => sql.raw(name)))
    for (let before = -1; (await written()) - before > 1; ) {
      before = await written()
      await sql`insert into ${table} (${table}, rank) values ('merge', 500)`.execute(tx)
    }
}

const isFts = (tx: Tx) => tx.engine.invertedIndex === 'fts5'

interface Range {
  readonly from: number
  readonly to: number
}

/** A table of numbers, for `copyRows`. */
export function numbersIn(tx: Tx, { from, to }: Range): RawBuilder<unknown> {
  return isFts(tx)
    ? sql`(with recursive n (i) as (select cast(${from} as integer) union all select i + 1 from n where i < ${to}) select i from n)`
    : sql`(select i from generate_series(${from}::bigint, ${to}::bigint) as n (i))`
}

async function copies(tx: Tx, id: string, { from, to }: Range): Promise<void> {
  const numbers = numbersIn(tx, { from, to })
  const padded = (width: number) =>
    isFts(tx) ? sql`printf('%0${sql.raw(String(width))}d', n.i)` : sql`lpad(n.i::text, ${sql.raw(String(width))}, '0')`
  const postId = sql`'post_' || ${padded(26)}`
  // An instant for each millisecond: 16 minutes and 40 seconds for a million.
  const instant = isFts(tx)
    ? sql`printf('2026-01-01T%02d:%02d:%02d.%03dZ', n.i / 3600000, n.i / 60000 % 60, n.i / 1000 % 60, n.i % 1000)`
    : sql`to_char(timestamp '2026-01-01' + n.i * interval '1 millisecond', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const copy = (table: string, column: string, changed: Readonly<Record<string, RawBuilder<unknown>>>) =>
    copyRows(tx, { table, column, id, numbers, changed })
  await copy('posts', 'id', {
    id: postId,
    title: sql`'Subject ' || n.i`,
    title_folded: sql`'subject ' || n.i`,
    slug: sql`'subject-' || n.i`,
    published_at: instant,
    created_at: instant,
  })
  await copy('contents', 'post_id', { post_id: postId })
  await copy('post_tags', 'post_id', { post_id: postId, published_at: instant })
  await copyWords(tx, id, from)
  await tx
    .updateTable('post_counts')
    .set((eb) => ({ posts: eb('posts', '+', to - from + 1) }))
    .execute()
}

interface Copied {
  readonly table: string
  /** Has the id of the post. */
  readonly column: string
  readonly id: string
  readonly numbers: RawBuilder<unknown>
  readonly changed: Readonly<Record<string, RawBuilder<unknown>>>
}

/** Copies the row of a post once for every number. */
export async function copyRows(tx: Tx, { table, column, id, numbers, changed }: Copied): Promise<void> {
  const { rows } = await sql<Readonly<Record<string, unknown>>>`select * from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(
    tx,
  )
  const columns = Object.keys(rows[0] ?? {})
  const values = columns.map((name) => changed[name] ?? sql.ref(`original.${name}`))
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
    select ${sql.join(values)} from ${numbers} as n cross join ${sql.table(table)} as original where ${sql.ref(`original.${column}`)} = ${id}
  `.execute(tx)
}

async function copyWords(tx: Tx, id: string, from: number): Promise<void> {
  const first = idOf(from)
  if (isFts(tx))
    await sql`
      insert into search_words (rowid, title, excerpt, content, digest)
      select number, 'subject', '', 'common words that every post of this trial has', '' from search_posts where id >= ${first} and id < 'post_00001'
    `.execute(tx)
  else
    await sql`
      insert into search_words (project_id, id, title, excerpt, content, digest)
      select posts.project_id, posts.id, original.title, original.excerpt, original.content, ''
      from search_words as original join posts on posts.project_id = original.project_id
      where original.id = ${id} and posts.id >= ${first} and posts.id < 'post_00001'
    `.execute(tx)
}
