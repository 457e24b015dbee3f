import type { Caller } from '../../../actions/caller.ts'
import type { Tx } from '../../../database/engine.ts'
import { insertRows } from '../../../database/insert-rows.ts'
import type { Post } from '../post.ts'
import { contentHash } from '../post-fields.ts'

/** Keeps posts as they now stand, one or more; their Markdown is there once by its hash (contract §4.9). */
export async function keepRevisions(tx: Tx, caller: Caller, posts: readonly Post[]): Promise<void> {
  await insertRows(
    tx,
    'post_revisions',
    posts.map((post) => toRevisionRow(caller, post)),
  )
}

export function toRevisionRow(caller: Caller, post: Post) {
  const { id, version, content, createdAt, updatedAt, ...snapshot } = post
  return {
    project_id: caller.projectId,
    post_id: id,
    version,
    content_hash: contentHash(content),
    snapshot: JSON.stringify(snapshot),
    actor: caller.actor,
    created_at: updatedAt,
  }
}
