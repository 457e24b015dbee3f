import type { Post, PostBatch, Project, RequestOptions, Verso } from './verso.ts'

export const statuses = ['draft', 'scheduled', 'published', 'archived'] as const

/** A post in a list: without its text. */
export type ListedPost = Omit<Post, 'content'>

type Placed = Pick<Post, 'slug' | 'publishedAt' | 'createdAt' | 'category'> & Partial<Pick<Post, 'id' | 'scheduledFor'>>

/** Where a post is on the site, as Verso makes it from the permalink; none where the project has no site. */
export function addressOf({ siteUrl, permalink }: Pick<Project, 'siteUrl' | 'permalink'>, post: Placed): string | undefined {
  if (siteUrl === null) return undefined
  const [year = '', month = '', day = ''] = (post.publishedAt ?? post.scheduledFor ?? post.createdAt).slice(0, 10).split('-')
  const { slug, id = '', category } = post
  const values: Readonly<Record<string, string>> = { slug, id, year, month, day, category: category?.slug ?? '' }
  const path = (permalink ?? '/{slug}').replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
  return siteUrl.replace(/(?<!\/)\/+$/, '') + path.replace(/\/{2,}/g, '/')
}

/** Lists in forms name so many at most; beyond that one searches. */
const most = 500

async function first<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = []
  for await (const item of items) if (found.push(item) >= most) break
  return found
}

/** What a post can be given; of tags those of most posts first. */
export async function listChoices(verso: Verso, stop: RequestOptions) {
  const found = [first(verso.authors.all({}, stop)), first(verso.categories.all({}, stop))] as const
  const [authors, categories, tags] = await Promise.all([...found, first(verso.tags.all({ sort: '-post_count' }, stop))])
  return { authors, categories, tags }
}

export type Operation = PostBatch['operations'][number]

interface BatchOutcome {
  /** The posts as they are now; none in place of one that was deleted. */
  readonly done: readonly { readonly id: string; readonly post: Post | undefined }[]
  /** Why the others were left as they were. */
  readonly failures: readonly string[]
}

/** Few enough that one sees it go on. */
const batchSize = 50

/** For what takes long. What was done when it is stopped stays. */
export interface Progress {
  readonly signal?: AbortSignal
  onProgress?(done: number): void
}

/** Does something to several posts. What fails does not stop the others. */
export async function changePosts(
  verso: Verso,
  operations: readonly Operation[],
  { signal, onProgress }: Progress = {},
): Promise<BatchOutcome> {
  const done: { readonly id: string; readonly post: Post | undefined }[] = []
  const failures: string[] = []
  for (let at = 0; at < operations.length && !signal?.aborted; at += batchSize) {
    onProgress?.(at)
    const some = operations.slice(at, at + batchSize)
    const answer = await verso.request('POST /v1/posts/batch', { body: { atomic: false, operations: some } })
    for (const [i, { status, post, problem }] of answer.results.entries()) {
      if (status < 300) done.push({ id: some[i]?.id ?? '', post })
      else failures.push(problem?.detail ?? '')
    }
  }
  return { done, failures }
}
