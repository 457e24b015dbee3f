import { type QueryExecutorProvider, sql } from 'kysely'
import type { InvertedIndex } from '../database/schema-dialect.ts'
import type { PostId, ProjectId } from '../values/ids.ts'
import { indexWords, type Worded, wordsDigest } from './word-index-store.ts'

/** A post whose entry in the index of words is wrong or missing. */
type StalePost = Omit<Worded, 'content'> & { readonly projectId: ProjectId }

const batch = 1_000
/** A content can have 1 MiB. */
const maxContentsAtOnce = 50

/** All posts in batches, by project and id: how many a batch has, and which of them are stale. */
export async function* listStalePosts(
  db: QueryExecutorProvider,
  index: InvertedIndex,
): AsyncGenerator<{ readonly seen: number; readonly stale: readonly StalePost[] }> {
  let after: readonly [string, string] = ['', '']
  for (;;) {
    const rows = await listPosts(db, index, after)
    const stale = rows.filter(({ digest, ...post }) => digest !== wordsDigest(post))
    yield { seen: rows.length, stale }
    const last = rows.at(-1)
    if (!last || rows.length < batch) return
    after = [last.projectId, last.id]
  }
}

/** The last post of a turn: its project and id. */
export type Place = readonly [string, string]

/** Updates the index for the stale ones among the next posts. `next` is missing after the last post. */
export async function refreshNext(
  tx: QueryExecutorProvider,
  index: InvertedIndex,
  { after, most }: { readonly after: Place; readonly most: number },
): Promise<{ readonly seen: number; readonly next?: Place }> {
  const rows = await listPosts(tx, index, after, most)
  const stale = rows.filter(({ digest, ...post }) => digest !== wordsDigest(post))
  await refreshWords(tx, index, stale)
  const last = rows.length < most ? undefined : rows.at(-1)
  return { seen: rows.length, ...(last && { next: [last.projectId, last.id] as const }) }
}

/** The posts of all projects, those in the trash too. */
export async function countPosts(db: QueryExecutorProvider): Promise<number> {
  const { rows } = await sql<{ total: number | string }>`select count(*) as total from posts`.execute(db)
  return Number(rows[0]?.total)
}

/** Updates the index for stale posts. */
export async function refreshWords(tx: QueryExecutorProvider, index: InvertedIndex, stale: readonly StalePost[]): Promise<void> {
  for (const projectId of new Set(stale.map((post) => post.projectId))) {
    const posts = stale.filter((post) => post.projectId === projectId)
    for (let from = 0; from < posts.length; from += maxContentsAtOnce)
      await indexWords(tx, index, projectId, await withContents(tx, projectId, posts.slice(from, from + maxContentsAtOnce)))
  }
}

async function listPosts(db: QueryExecutorProvider, index: InvertedIndex, [projectId, id]: Place, most = batch) {
  const entries =
    index === 'fts5'
      ? sql`search_posts as numbered on numbered.project_id = posts.project_id and numbered.id = posts.id
          left join search_words as words on words.rowid = numbered.number`
      : sql`search_words as words on words.project_id = posts.project_id and words.id = posts.id`
  const { rows } = await sql<StalePost & { readonly digest: string | null }>`
    select posts.project_id as "projectId", posts.id, posts.title, posts.excerpt, posts.content_hash as "contentHash", words.digest
    from posts left join ${entries}
    where (posts.project_id, posts.id) > (${projectId}, ${id}) order by posts.project_id, posts.id limit ${most}
  `.execute(db)
  return rows
}

async function withContents(db: QueryExecutorProvider, projectId: ProjectId, posts: readonly StalePost[]): Promise<readonly Worded[]> {
  const { rows } = await sql<{ id: PostId; body: string }>`
    select posts.id, contents.body from posts inner join contents
      on contents.project_id = ${projectId} and contents.post_id = posts.id and contents.hash = posts.content_hash
    where posts.project_id = ${projectId} and posts.id in (${sql.join(posts.map(({ id }) => id))})
  `.execute(db)
  const bodies = new Map(rows.map(({ id, body }) => [id, body]))
  return posts.flatMap((post) => {
    const content = bodies.get(post.id)
    return content === undefined ? [] : [{ ...post, content }]
  })
}
