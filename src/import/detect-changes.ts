import { type Caller, sightOf } from '../actions/caller.ts'
import type { Db } from '../database/engine.ts'
import type { PostId } from '../values/ids.ts'
import type { ImportBatch } from './import-batch.ts'
import { type Imported, type JudgedPost, judge } from './import-batch.ts'
import type { ImportPost } from './import-post.ts'
import { findPosts, lastTouches } from './post-bulk-store.ts'
import { findSources, postPath } from './source-store.ts'

/** Judges every post of a batch. Where nothing has changed, or all is new, this takes one statement. */
export async function judgePosts(db: Db, caller: Caller, batch: ImportBatch): Promise<readonly JudgedPost[]> {
  const imported = await findImported(db, caller, batch)
  return batch.posts.map((source) => ({ source, ...judge(source.hash, imported(source), batch.force) }))
}

async function findImported(db: Db, caller: Caller, { source, posts }: ImportBatch): Promise<(post: ImportPost) => Imported | undefined> {
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
