import { messageOf } from '../../context.ts'
import type { Db, Engine } from '../../database/engine.ts'
import { type HashedTable, rowHash } from '../../database/row-hash.ts'
import { placements } from '../../database/tables/placements.ts'
import type { Post } from '../../resources/posts/post.ts'
import { contentHash, toPost } from '../../resources/posts/post-fields.ts'
import type { PostId, ProjectId } from '../../values/ids.ts'
import { listBatches } from '../move/copy-store.ts'
import type { Row } from '../move/row-digest.ts'
import { listContentSizes, listContents, listPostIds, listPostRows, listRevisionRows, type PostRow, type RevisionRow } from './row-store.ts'

/** Posts that are read at once. */
const batch = 200
/** Bytes of contents that are read at once: one may have 1 MiB. */
const maxBytes = 8 * 1024 * 1024

/** What a row of each table is called. Revisions are checked with their posts. */
const names: Readonly<Record<Exclude<HashedTable, 'post_revisions'>, (row: Row) => string>> = {
  projects: ({ id }) => `project ${id}`,
  api_keys: ({ id }) => `API key ${id}`,
  people: ({ id }) => `person ${id}`,
  memberships: ({ project_id, person_id }) => `the role of ${person_id} in ${project_id}`,
  person_links: ({ person_id }) => `the link of ${person_id}`,
  passkeys: ({ person_id }) => `a passkey of ${person_id}`,
  sessions: ({ id }) => `session ${id}`,
  authors: ({ id }) => `${id}`,
  categories: ({ id }) => `${id}`,
  media: ({ id }) => `${id}`,
  tags: ({ id }) => `${id}`,
  preview_tokens: ({ id, post_id }) => `preview token ${id} of ${post_id}`,
  pending_edits: ({ post_id }) => `the pending edit of ${post_id}`,
  old_slugs: ({ slug, post_id }) => `the former slug ${slug} of ${post_id}`,
  changes: ({ seq, resource_id }) => `revision ${seq} of the log (${resource_id})`,
  sources: ({ path, resource_id }) => `the source ${path} of ${resource_id}`,
}

const changed = 'is not as it was written: a bit of it has changed on the disk'

/**
 * Compares every row that carries a hash with it, except revisions of posts: in all tables, in the central ones of a sharded database, or in those
 * of one project.
 */
export async function* checkRows(db: Db, which: 'all' | 'central' | ProjectId = 'all'): AsyncGenerator<string> {
  const projectId = which === 'all' || which === 'central' ? undefined : which
  for (const [table, nameOf] of Object.entries(names) as readonly [keyof typeof names, (row: Row) => string][]) {
    const isAsked = which === 'all' || (placements[table] === 'central') === (which === 'central')
    if (isAsked) yield* checkTable(listBatches(db, table, undefined, projectId), table, nameOf)
  }
}

async function* checkTable(
  batches: AsyncIterable<readonly Row[]>,
  table: keyof typeof names,
  nameOf: (row: Row) => string,
): AsyncGenerator<string> {
  try {
    for await (const rows of batches) for (const row of rows) if (!isAsWritten(table, row)) yield `${nameOf(row)} ${changed}`
  } catch (error) {
    yield `the table ${table} cannot be read: ${messageOf(error)}`
  }
}

/** A former slug from before the migration that gave these rows a hash has none, and cannot be compared. */
function isAsWritten(table: HashedTable, row: Row): boolean {
  return rowHash(row) === row.row_hash || (table === 'old_slugs' && row.row_hash === '')
}

/** Runs reads of one project that belong together: others write meanwhile. In a sharded database only the server of the project is asked. */
export function atOneInstant<T>(engine: Engine, projectId: ProjectId, read: (db: Db) => Promise<T>): Promise<T> {
  return engine.longRead({ name: 'check', projectId }, read)
}

/** Compares every content with its hash, every revision with its hash, and every post with its latest revision. Names each post that differs. */
export async function* checkPosts(engine: Engine, projectId: ProjectId): AsyncGenerator<string> {
  const ids = await listPostIds(engine.db, projectId)
  for (let start = 0; start < ids.length; start += batch) yield* checkTogether(engine, projectId, ids.slice(start, start + batch))
}

/** Where a batch cannot be read, each of its posts is read by itself, so that the damaged ones can be named. */
async function* checkTogether(engine: Engine, projectId: ProjectId, ids: readonly PostId[]): AsyncGenerator<string> {
  try {
    yield* await atOneInstant(engine, projectId, (db) => faultsIn(db, projectId, ids))
  } catch (error) {
    if (ids.length === 1) yield `${ids[0]} cannot be read: ${messageOf(error)}`
    else for (const id of ids) yield* checkTogether(engine, projectId, [id])
  }
}

async function faultsIn(db: Db, projectId: ProjectId, ids: readonly PostId[]): Promise<readonly string[]> {
  const posts = new Map((await listPostRows(db, projectId, ids)).map((row) => [row.id, row]))
  const revisions = new Map<PostId, RevisionRow[]>()
  for (const row of await listRevisionRows(db, projectId, ids)) {
    const ofPost = revisions.get(row.post_id) ?? []
    revisions.set(row.post_id, ofPost)
    ofPost.push(row)
  }
  const sound = await soundContents(db, projectId, ids)
  return ids.flatMap((id) => faultsOf(id, { row: posts.get(id), revisions: revisions.get(id) ?? [], sound }))
}

interface Stored {
  readonly row: PostRow | undefined
  readonly revisions: readonly RevisionRow[]
  /** The contents that have the hash that they are stored under. */
  readonly sound: ReadonlySet<string>
}

function faultsOf(id: PostId, { row, revisions, sound }: Stored): readonly string[] {
  const isSound = (hash: string) => sound.has(`${id} ${hash}`)
  const faults = revisions.flatMap((revision) => [
    ...(rowHash({ ...revision }) === revision.row_hash ? [] : [`version ${revision.version} of ${id} ${changed}`]),
    ...(isSound(revision.content_hash)
      ? []
      : [`the content of version ${revision.version} of ${id} is missing or has changed on the disk`]),
  ])
  // Without revisions it was erased since its id was read.
  if (!row) return revisions.length === 0 ? [] : [...faults, `${id} is missing, and its revisions are there`]
  if (!isSound(row.content_hash)) faults.push(`the content of ${id} is missing or has changed on the disk`)
  const latest = revisions.find(({ version }) => version === row.version)
  if (!latest) faults.push(`${id} lacks its revision`)
  else if (!isAsRevised(row, latest)) faults.push(`${id} differs from its latest revision`)
  return faults
}

/** Whether a post is what its latest revision says. One that is past the trash may have lost its author or category since. */
function isAsRevised(row: PostRow, { content_hash, created_at, snapshot }: RevisionRow): boolean {
  try {
    const post: Readonly<Record<string, unknown>> = { ...toPost(row) }
    const past = JSON.parse(snapshot) as Readonly<Partial<Post>>
    const isLost = (name: string) => row.deleted_at !== null && post[name] === null && (name === 'authorId' || name === 'categoryId')
    return (
      row.content_hash === content_hash &&
      row.updated_at === created_at &&
      Object.entries(past).every(([name, value]) => JSON.stringify(post[name]) === JSON.stringify(value) || isLost(name))
    )
  } catch {
    return false
  }
}

/** Reads and hashes the contents of these posts, some megabytes at once. */
async function soundContents(db: Db, projectId: ProjectId, ids: readonly PostId[]): Promise<ReadonlySet<string>> {
  const sound = new Set<string>()
  let [part, bytes]: [{ postId: PostId; hash: string }[], number] = [[], 0]
  const read = async () => {
    // On SQLite, one bit can make bytes of a text. Their hash is the same.
    for (const { post_id, hash, body } of part.length > 0 ? await listContents(db, projectId, part) : [])
      if (typeof body === 'string' && contentHash(body) === hash) sound.add(`${post_id} ${hash}`)
    part = []
    bytes = 0
  }
  for (const { post_id, hash, size } of await listContentSizes(db, projectId, ids)) {
    if (bytes + size > maxBytes || part.length === batch) await read()
    part.push({ postId: post_id, hash })
    bytes += size
  }
  await read()
  return sound
}
