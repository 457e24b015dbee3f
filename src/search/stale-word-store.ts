import { type QueryExecutorProvider, sql } from 'kysely'
import type { Tx } from '../database/engine.ts'
import type { InvertedIndex } from '../database/schema-dialect.ts'
import type { PostId, ProjectId } from '../values/ids.ts'
import { indexWords, type Worded, wordsDigest } from './word-index-store.ts'

/** A post whose entry in the index of words is wrong or missing. */
type StalePost = Omit<Worded, 'content'> & { readonly projectId: ProjectId }

const batch = 1_000
/** A content can have 1 MiB. */
const maxContentsAtOnce = 50

/** All posts, or those of one project, in batches by project and id: how many a batch has, and which of them are stale. */
export async function* listStalePosts(
  db: QueryExecutorProvider,
  index: InvertedIndex,
  projectId?: ProjectId,
): AsyncGenerator<{ readonly seen: number; readonly stale: readonly StalePost[] }> {
  let after: readonly [string, string] = ['', '']
  for (;;) {
    const rows = await listPosts(db, index, { after, most: batch, projectId })
    const stale = rows.filter(({ digest, ...post }) => digest !== wordsDigest(post))
    yield { seen: rows.length, stale }
    const last = rows.at(-1)
    if (!last || rows.length < batch) return
    after = [last.projectId, last.id]
  }
}

/** The last post of a turn: its project and id. */
export type Place = readonly [string, string]

/** The next posts of all projects or of one. */
interface Turn {
  readonly after: Place
  readonly most: number
  readonly projectId: ProjectId | undefined
}

/** Updates the index for the stale ones among the next posts. `next` is missing after the last post. */
export async function refreshNext(
  tx: QueryExecutorProvider,
  index: InvertedIndex,
  turn: Turn,
): Promise<{ readonly seen: number; readonly next?: Place }> {
  const rows = await listPosts(tx, index, turn)
  const stale = rows.filter(({ digest, ...post }) => digest !== wordsDigest(post))
  await refreshWords(tx, index, stale)
  const last = rows.length < turn.most ? undefined : rows.at(-1)
  return { seen: rows.length, ...(last && { next: [last.projectId, last.id] as const }) }
}

/** Deletes the words of all projects or of one, where they are a table. */
export async function forgetWords(tx: Tx, projectId?: ProjectId): Promise<void> {
  const words = tx.deleteFrom('search_words')
  await (projectId === undefined ? words : words.where('project_id', '=', projectId)).execute()
}

/** The posts of all projects or of one, those in the trash too. */
export async function countPosts(db: QueryExecutorProvider, projectId?: ProjectId): Promise<number> {
  const ofProject = projectId === undefined ? sql`` : sql` where project_id = ${projectId}`
  const { rows } = await sql<{ total: number | string }>`select count(*) as total from posts${ofProject}`.execute(db)
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

async function listPosts(db: QueryExecutorProvider, index: InvertedIndex, { after, most, projectId }: Turn) {
  const project = projectId === undefined ? sql`posts.project_id` : sql`${projectId}`
  const entries =
    index === 'fts5'
      ? sql`search_posts as numbered on numbered.project_id = ${project} and numbered.id = posts.id
          left join search_words as words on words.rowid = numbered.number`
      : sql`search_words as words on words.project_id = ${project} and words.id = posts.id`
  const following =
    projectId === undefined
      ? sql`(posts.project_id, posts.id) > (${after[0]}, ${after[1]}) order by posts.project_id, posts.id`
      : sql`posts.project_id = ${projectId} and posts.id > ${after[1]} order by posts.id`
  const { rows } = await sql<StalePost & { readonly digest: string | null }>`
    select posts.project_id as "projectId", posts.id, posts.title, posts.excerpt, posts.content_hash as "contentHash", words.digest
    from posts left join ${entries}
    where ${following} limit ${most}
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
