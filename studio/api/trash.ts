import type { ListedPost, PageOptions } from './posts.ts'
import { Problem, type ProjectApi } from './verso.ts'

/** Deleted posts stay so long. */
const keptDays = 30
const dayMs = 86_400_000

/** Deleted posts, the last deleted first. */
export async function listTrash({ verso }: ProjectApi, { cursor, signal }: PageOptions) {
  const query = { trashed: true, sort: '-updated_at', exclude: 'content', limit: 50, total: false, ...(cursor && { cursor }) } as const
  const { data, pagination } = await verso.posts.list(query, { signal })
  const items: readonly ListedPost[] = data
  return { items, next: pagination.nextCursor ?? undefined }
}

/** After so many days the post is erased. In the trash nothing changes a post, so it was deleted when it last changed. */
export function daysLeft({ updatedAt }: Pick<ListedPost, 'updatedAt'>, now = Date.now()): number {
  return Math.max(0, Math.ceil((Date.parse(updatedAt) - now) / dayMs + keptDays))
}

/** Takes a post out of the trash, with another slug if another post has its own by now. */
export async function restorePost({ verso }: ProjectApi, { id }: Pick<ListedPost, 'id'>) {
  try {
    return await verso.posts.restore(id)
  } catch (error) {
    const slug = error instanceof Problem && error.code === 'slug_conflict' ? error.document.suggestion : undefined
    if (slug === undefined) throw error
    return await verso.posts.restore(id, { slug })
  }
}

export function deletePost({ verso }: ProjectApi, id: string): Promise<void> {
  return verso.posts.delete(id)
}

/** Deletes a post for good, with its history. */
export function erasePost({ verso }: ProjectApi, id: string): Promise<void> {
  return verso.posts.delete(id, { permanent: true })
}
