import { type Caller, sightOf } from '../actions/caller.ts'
import type { Db } from '../database/engine.ts'
import type { Post } from '../resources/posts/post.ts'
import type { PostId } from '../values/ids.ts'
import type { ImportBatch, ImportPost } from './import-post.ts'
import { findPosts, lastTouches } from './post-bulk-store.ts'
import { findSources, postPath, type SourceEntry } from './source-store.ts'

/** Why an import leaves a post alone whose source has changed. */
export type ConflictReason = 'changed here' | 'deleted here'

/** What an import does with a post of the source. */
type ImportChange =
  | { readonly change: 'create'; readonly entry: SourceEntry | undefined }
  | { readonly change: 'update'; readonly entry: SourceEntry; readonly here: Post }
  | { readonly change: 'conflicting'; readonly reason: ConflictReason }
  | { readonly change: 'unchanged' }

export type DetectedPost = { readonly source: ImportPost } & ImportChange

/** What an earlier import wrote, and what has become of it. */
interface ImportedBefore {
  readonly entry: SourceEntry
  /** None if it was deleted. */
  readonly post: Post | undefined
  /** The last version that a person or an import wrote, and not the schedule. */
  readonly touched: number
}

/** Finds what has changed in the source and here. One statement if nothing has changed or everything is new. */
export async function detectChanges(db: Db, caller: Caller, batch: ImportBatch): Promise<readonly DetectedPost[]> {
  const before = await findImportedBefore(db, caller, batch)
  return batch.posts.map((source) => ({ source, ...detectChange(source.hash, before(source), batch.force) }))
}

/** With `force` the source wins where both sides have changed, and what was deleted here is created again. */
function detectChange(hash: string, before: ImportedBefore | undefined, force: boolean): ImportChange {
  if (!before) return { change: 'create', entry: undefined }
  const { entry, post, touched } = before
  if (hash === entry.hash) return { change: 'unchanged' }
  if (!post) return force ? { change: 'create', entry } : { change: 'conflicting', reason: 'deleted here' }
  const mayWrite = touched <= entry.version || force
  return mayWrite ? { change: 'update', entry, here: post } : { change: 'conflicting', reason: 'changed here' }
}

async function findImportedBefore(
  db: Db,
  caller: Caller,
  { source, posts }: ImportBatch,
): Promise<(post: ImportPost) => ImportedBefore | undefined> {
  const { projectId } = caller
  const paths = posts.map(({ path }) => postPath(path))
  const entries = await findSources(db, { projectId, source }, paths)
  const entryOf = ({ path }: ImportPost) => entries.get(postPath(path))
  const changed = posts.flatMap((post) => {
    const entry = entryOf(post)
    return entry && entry.hash !== post.hash ? [entry.resourceId as PostId] : []
  })
  const here = await findPosts(db, sightOf(caller), changed)
  const touches = await lastTouches(db, projectId, changed)
  return (post) => {
    const entry = entryOf(post)
    const id = entry?.resourceId as PostId
    return entry && { entry, post: here.get(id), touched: touches.get(id) ?? 0 }
  }
}
