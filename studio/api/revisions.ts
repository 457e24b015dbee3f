import type { PageOptions } from './posts.ts'
import type { Post, PostRevision, ProjectApi } from './verso.ts'

export type Revision = PostRevision

/** The versions of a post, the newest first. */
export async function listRevisions({ verso }: ProjectApi, id: string, { cursor, signal }: PageOptions) {
  const query = { idOrSlug: id, limit: 50, total: false, ...(cursor && { cursor }) }
  const { data, pagination } = await verso.request('GET /v1/posts/{idOrSlug}/revisions', query, { signal })
  return { items: data, next: pagination.nextCursor ?? undefined }
}

/** The post as it was in a version. */
export function readRevision({ verso }: ProjectApi, id: string, version: number, signal: AbortSignal): Promise<Post> {
  return verso.request('GET /v1/posts/{idOrSlug}/revisions/{version}', { idOrSlug: id, version: String(version) }, { signal })
}

export function readPost({ verso }: ProjectApi, id: string, signal: AbortSignal) {
  return verso.posts.get(id, { exclude: 'content' }, { signal })
}

/** Makes a new version with the texts of an older one. `stale_version` if somebody has changed the post since `current`. */
export function restoreRevision({ verso }: ProjectApi, id: string, version: number, current: number): Promise<Post> {
  const input = { idOrSlug: id, version: String(version) }
  return verso.request('POST /v1/posts/{idOrSlug}/revisions/{version}/restore', input, { ifMatch: current })
}
