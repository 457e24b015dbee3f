import type { Caller } from '../../actions/caller.ts'
import type { Change } from '../../actions/change-log/change.ts'
import type { Db, Tx } from '../../database/engine.ts'
import { insertRows } from '../../database/insert-rows.ts'
import { withHash } from '../../database/row-hash.ts'
import type { PostTable } from '../../database/tables.ts'
import { type CountChange, summed } from '../../lists/post-count.ts'
import type { PostId, ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import { inUse, type Reference, referenceTables, snapshotFields } from './reference.ts'
import { reassignInEdits } from './reference-edit-store.ts'

const columns = { author: 'author_id', category: 'category_id' } as const
/** How many posts get another author or category between two pauses. */
const batch = 100

/** A post that has another author or category now. */
interface Moved {
  readonly id: PostId
  readonly version: number
  readonly status: PostTable['status']
  readonly isTrashed: boolean
}

/** What is recorded at the end: first the changes in the log, then those of the counts. */
interface Release {
  readonly changes: readonly Change[]
  readonly counts: readonly CountChange[]
}

/**
 * Prepares the deletion of an author or category: posts that name it get `to` instead, each as a change with its own version and revision.
 * So do pending edits. Without `to`, 409 `in_use` if posts name it; in pending edits alone it becomes null (ADR 57). Expired posts in the
 * trash (deleted before `horizon`) do not count: they lose it silently.
 */
export async function releaseFromPosts(
  tx: Tx,
  caller: Caller,
  from: Reference,
  { to, horizon }: { readonly to: Reference | undefined; readonly horizon: Instant },
): Promise<Release> {
  const { projectId } = caller
  const naming = postsNaming(tx, projectId, from).limit(1)
  if (!to) {
    if (!(await naming.executeTakeFirst())) return { changes: [], counts: [] }
    const lasting = naming.where((eb) => eb.or([eb('deleted_at', 'is', null), eb('deleted_at', '>', horizon)]))
    if (await lasting.executeTakeFirst()) throw inUse(from.kind)
  }
  tx.engine.runByItself?.()
  await lockReference(tx, projectId, from)
  await forgetInGone(tx, projectId, from, horizon)
  return to ? reassign(tx, caller, from, to) : { changes: [], counts: [] }
}

async function forgetInGone(tx: Tx, projectId: ProjectId, { kind, id }: Reference, horizon: Instant): Promise<void> {
  await tx
    .updateTable('posts')
    .set({ [columns[kind]]: null })
    .where('project_id', '=', projectId)
    .where(columns[kind], '=', id)
    .where('deleted_at', '<=', horizon)
    .execute()
}

/** From here on, a write that would name it waits for the deletion. Otherwise posts that keep coming would undo it again and again. */
async function lockReference(tx: Tx, projectId: ProjectId, { kind, id }: Reference): Promise<void> {
  if (!tx.engine.skipsLockedRows) return
  await tx.selectFrom(referenceTables[kind]).select('id').where('project_id', '=', projectId).where('id', '=', id).forUpdate().execute()
}

function postsNaming(db: Db, projectId: ProjectId, { kind, id }: Reference) {
  return db.selectFrom('posts').select('id').where('project_id', '=', projectId).where(columns[kind], '=', id)
}

async function reassign(tx: Tx, caller: Caller, from: Reference, to: Reference): Promise<Release> {
  const changes: Change[] = []
  let counts: readonly CountChange[] = []
  for (let isFull = true; isFull; ) {
    const moved = await movePosts(tx, caller, from, to)
    await tx.engine.pause()
    if (moved.length > 0) await keepRevisions(tx, caller, moved, to)
    changes.push(...moved.map(toChange))
    counts = summed([...counts, ...moved.flatMap((post) => countsOf(post, from, to))])
    isFull = moved.length === batch
    await tx.engine.pause()
  }
  changes.push(...(await reassignInEdits(tx, caller, from, to)))
  return { changes, counts }
}

function toChange({ id, version, status, isTrashed }: Moved): Change {
  const isPublic = status === 'published' && !isTrashed
  return { kind: 'post', id, version, news: isTrashed ? [] : ['post.updated'], publicBefore: isPublic, publicAfter: isPublic }
}

function countsOf({ status, isTrashed }: Moved, from: Reference, to: Reference): readonly CountChange[] {
  if (isTrashed) return []
  return [
    { dimension: from.kind, ref: from.id, status, by: -1 },
    { dimension: to.kind, ref: to.id, status, by: 1 },
  ]
}

/** Moves some of the posts, in the order of their index. The next call moves others. */
async function movePosts(tx: Tx, caller: Caller, from: Reference, to: Reference): Promise<readonly Moved[]> {
  const ids = await findNaming(tx, caller.projectId, from)
  if (ids.length === 0) return []
  const rows = await tx
    .updateTable('posts')
    .set((eb) => ({ [columns[to.kind]]: to.id, version: eb('version', '+', 1), updated_at: caller.now }))
    .where('project_id', '=', caller.projectId)
    .where('id', 'in', ids)
    .returning(['id', 'version', 'status', 'deleted_at'])
    .execute()
  return rows.map(({ deleted_at, ...post }) => ({ ...post, isTrashed: deleted_at !== null })).sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Some of the posts that name an author or category. They are locked: until they are moved, nobody else gives them another. */
async function findNaming(tx: Tx, projectId: ProjectId, from: Reference): Promise<readonly PostId[]> {
  const some = postsNaming(tx, projectId, from).orderBy('status').orderBy('published_at').orderBy('id').limit(batch)
  const rows = await (tx.engine.skipsLockedRows ? some.forUpdate() : some).execute()
  return rows.map((row) => row.id)
}

/** Deletes an author or category that no post names, and its row in `sources`. False if another write was faster. */
export async function deleteReference(tx: Tx, projectId: ProjectId, { kind, id }: Reference, version: number): Promise<boolean> {
  await tx.deleteFrom('sources').where('project_id', '=', projectId).where('resource_id', '=', id).execute()
  const deleted = await tx
    .deleteFrom(referenceTables[kind])
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

/** Each new revision is that of the version before, with the other author or category. */
async function keepRevisions(tx: Tx, caller: Caller, posts: readonly Moved[], to: Reference): Promise<void> {
  const before = await tx
    .selectFrom('post_revisions')
    .innerJoin('posts', (join) => join.on('posts.project_id', '=', caller.projectId).onRef('posts.id', '=', 'post_revisions.post_id'))
    .select(['posts.id', 'posts.version', 'post_revisions.content_hash', 'post_revisions.snapshot'])
    .where('post_revisions.project_id', '=', caller.projectId)
    .where(
      'posts.id',
      'in',
      posts.map(({ id }) => id),
    )
    .where((eb) => eb('post_revisions.version', '=', eb('posts.version', '-', 1)))
    .execute()
  const rows = before.map(({ id, version, content_hash, snapshot }) =>
    withHash('post_revisions', {
      project_id: caller.projectId,
      post_id: id,
      version,
      content_hash,
      snapshot: JSON.stringify({ ...(JSON.parse(snapshot) as object), [snapshotFields[to.kind]]: to.id }),
      actor: caller.actor,
      client: caller.client ?? null,
      created_at: caller.now,
    }),
  )
  await insertRows(tx, 'post_revisions', rows)
}
