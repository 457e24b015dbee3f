import type { Tx } from '../../database/engine.ts'
import { byFolded, type Post } from '../../resources/posts/post.ts'
import { releaseAliases } from '../../resources/posts/post-alias-store.ts'
import { toPost } from '../../resources/posts/post-fields.ts'
import { slugsOfTags, tagPosts } from '../../resources/posts/post-tag-store.ts'
import { byPath } from '../../resources/site/alias.ts'
import type { PostId, ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import { fold } from '../../values/letters/case-fold.ts'
import { listPostRows, type PostRow } from './row-store.ts'

/** Writes the folded titles, tags and aliases of posts anew from their rows. Returns how many posts that were; one that is damaged is left out. */
export async function deriveAnew(tx: Tx, projectId: ProjectId, ids: readonly PostId[], now: Instant): Promise<number> {
  const posts = readable(await listPostRows(tx, projectId, ids))
  const found = posts.map(({ id }) => id)
  if (found.length === 0) return 0
  for (const { id, title } of posts)
    await tx
      .updateTable('posts')
      .set({ title_folded: fold(title) })
      .where('project_id', '=', projectId)
      .where('id', '=', id)
      .where('title_folded', '!=', fold(title))
      .execute()
  await slugsOfTags(tx, projectId, [...new Set(posts.flatMap(({ tags }) => [...byFolded(tags).keys()]))], now)
  await tx.deleteFrom('post_tags').where('project_id', '=', projectId).where('post_id', 'in', found).execute()
  await tagPosts(tx, projectId, posts)
  await releaseAliases(tx, projectId, found)
  await holdAliases(
    tx,
    projectId,
    posts.filter(({ deletedAt }) => deletedAt === null),
  )
  return posts.length
}

/** A path that another post holds stays with that one. */
async function holdAliases(tx: Tx, projectId: ProjectId, posts: readonly Post[]): Promise<void> {
  for (const { id, aliases } of posts) {
    const rows = [...byPath(aliases).keys()].map((path) => ({ project_id: projectId, path, post_id: id }))
    if (rows.length === 0) continue
    await tx
      .insertInto('post_aliases')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

function readable(rows: readonly PostRow[]): readonly Post[] {
  return rows.flatMap((row) => {
    try {
      return toPost(row)
    } catch {
      // The check that follows names it.
      return []
    }
  })
}
