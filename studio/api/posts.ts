import type { Post, PostBatch, ProjectApi } from './verso.ts'

export const statuses = ['draft', 'scheduled', 'published', 'archived'] as const
export type Status = (typeof statuses)[number]

export const sorts = ['-updated_at', '-published_at', '-created_at', 'title'] as const
export type Sort = (typeof sorts)[number]

/** What a list of posts shows. */
export interface PostFilter {
  readonly status?: Status | undefined
  readonly search?: string | undefined
  /** An id. */
  readonly author?: string | undefined
  /** Slugs. */
  readonly category?: string | undefined
  readonly tag?: string | undefined
  readonly sort: Sort
}

/** A post in a list: without its text. */
export type ListedPost = Omit<Post, 'content'>

export interface PageOptions {
  readonly cursor: string | undefined
  readonly signal: AbortSignal
}

const pageSize = 50
/** As many as one sees at first. */
const firstPageSize = 20

/** The values that are given: an empty filter is none. */
function queryOf({ status, search, author, category, tag }: Omit<PostFilter, 'sort'>) {
  const given = { status, search: search?.slice(0, 200), author, category, tag }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value))
}

export async function listPosts({ verso }: ProjectApi, filter: PostFilter, { cursor, signal }: PageOptions) {
  const query = {
    ...queryOf(filter),
    sort: filter.sort,
    limit: cursor ? pageSize : firstPageSize,
    total: false,
    exclude: 'content',
    ...(cursor && { cursor }),
  } as const
  const { data, pagination } = await verso.posts.list(query, { signal })
  const items: readonly ListedPost[] = data
  return { items, next: pagination.nextCursor ?? undefined }
}

export type PostCounts = Readonly<Record<Status | 'all', number>>

/** How many posts there are of each status, with the other filters. */
export async function countPosts({ verso }: ProjectApi, filter: PostFilter, signal: AbortSignal): Promise<PostCounts> {
  const count = async (status: Status) => {
    const query = { ...queryOf({ ...filter, status }), limit: 1, fields: ['id'] } as const
    return (await verso.posts.list(query, { signal })).pagination.total ?? 0
  }
  const [draft = 0, scheduled = 0, published = 0, archived = 0] = await Promise.all(statuses.map(count))
  return { all: draft + scheduled + published + archived, draft, scheduled, published, archived }
}

type Operation = PostBatch['operations'][number]

export interface BatchOutcome {
  /** The posts as they are now; none in place of one that was deleted. */
  readonly done: readonly { readonly id: string; readonly post: Post | undefined }[]
  /** Why the others were left as they were. */
  readonly failures: readonly string[]
}

/** As many as one request may have. */
const batchSize = 100

/** Does something to several posts. What fails does not stop the others. */
export async function changePosts({ verso }: ProjectApi, operations: readonly Operation[]): Promise<BatchOutcome> {
  const done: { readonly id: string; readonly post: Post | undefined }[] = []
  const failures: string[] = []
  for (let at = 0; at < operations.length; at += batchSize) {
    const some = operations.slice(at, at + batchSize)
    const answer = await verso.request('POST /v1/posts/batch', { body: { atomic: false, operations: some } })
    for (const [i, { status, post, problem }] of answer.results.entries()) {
      if (status < 300) done.push({ id: some[i]?.id ?? '', post })
      else failures.push(problem?.detail ?? '')
    }
  }
  return { done, failures }
}

/** What makes a post again what it was: its status with the date that belongs to it. */
export function statusPatch({ status, publishedAt, scheduledFor }: Pick<Post, 'status' | 'publishedAt' | 'scheduledFor'>) {
  if (status === 'scheduled') return { status, scheduledFor }
  return publishedAt !== null && status !== 'draft' ? { status, publishedAt } : { status }
}
