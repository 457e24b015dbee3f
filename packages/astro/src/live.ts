import { type Post, Problem, type Verso } from '@verso/client'
import type { LiveContentLoader, LiveEntry } from './astro-types.ts'
import { type PostData, toPostData } from './entries.ts'

/** Which post: by its slug or id, and a draft by its preview token. */
export interface LivePostFilter {
  readonly id: string
  readonly preview_token?: string | null | undefined
}

/** Which posts: the filters of `GET /v1/posts`. */
export type LivePostsFilter = NonNullable<Parameters<Verso['posts']['list']>[0]>

/** Posts as they are at the moment of a request. A list has one page, 20 posts unless `limit` says otherwise. */
export function livePostLoader(verso: Verso): LiveContentLoader<PostData, LivePostFilter, LivePostsFilter> {
  return {
    name: 'verso-live-posts',
    loadEntry: ({ filter: { id, preview_token } }) =>
      answered(async () => toLiveEntry(await verso.posts.get(id, { include: 'html', ...(preview_token && { preview_token }) }))),
    loadCollection: ({ filter = {} }) =>
      answered(async () => ({
        entries: ((await verso.posts.list({ include: 'html', ...filter })).data as readonly Post[]).map(toLiveEntry),
      })),
  }
}

function toLiveEntry(post: Post): LiveEntry<PostData> {
  return {
    id: post.slug,
    data: toPostData(post),
    ...(post.contentHtml !== undefined && { rendered: { html: post.contentHtml } }),
    cacheHint: { tags: [`verso-${post.id}`], lastModified: new Date(post.updatedAt) },
  }
}

/** Astro hands an error on to the page. */
async function answered<Answer>(ask: () => Promise<Answer>): Promise<Answer | { error: Problem }> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Problem) return { error }
    throw error
  }
}
