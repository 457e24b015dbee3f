import type { PostCountTable } from '../database/tables.ts'
import type { Instant } from '../values/instant.ts'
import { fold } from '../values/letters/case-fold.ts'

type Status = PostCountTable['status']

/** One count: of the posts of one status in the whole project, or with one author, category, tag or day of publication. */
export type CountKey = Readonly<Pick<PostCountTable, 'dimension' | 'ref' | 'status'>>

export interface CountChange extends CountKey {
  readonly by: number
}

/** The fields of a post that decide which counts include it. */
export interface CountedPost {
  readonly status: Status
  readonly authorId: string | null
  readonly categoryId: string | null
  readonly tags: readonly string[]
  readonly publishedAt: Instant | null
  readonly deletedAt: string | null
}

/** A post before and after a change; undefined before it was created or after it was deleted. */
export interface Recounted {
  readonly before: CountedPost | undefined
  readonly after: CountedPost | undefined
}

/** The changes of the counts for these posts, without those that add up to nothing. */
export function countChanges(posts: readonly Recounted[]): readonly CountChange[] {
  return summed(posts.flatMap(({ before, after }) => [...keysOf(before, -1), ...keysOf(after, 1)]))
}

/** One change for each count, in the order in which all writers lock them. */
export function summed(changes: readonly CountChange[]): readonly CountChange[] {
  const sums = new Map<string, CountChange>()
  for (const change of changes) {
    const name = `${change.dimension} ${change.status} ${change.ref}`
    sums.set(name, { ...change, by: change.by + (sums.get(name)?.by ?? 0) })
  }
  const names = [...sums.keys()].sort()
  return names.flatMap((name) => sums.get(name) ?? []).filter(({ by }) => by !== 0)
}

function keysOf(post: CountedPost | undefined, by: number): readonly CountChange[] {
  if (!post || post.deletedAt !== null) return []
  const { status, authorId, categoryId, publishedAt } = post
  const tags = new Set(post.tags.map((tag) => fold(tag.trim())))
  return [
    { dimension: 'all', ref: '', status, by },
    ...(authorId === null ? [] : [{ dimension: 'author', ref: authorId, status, by } as const]),
    ...(categoryId === null ? [] : [{ dimension: 'category', ref: categoryId, status, by } as const]),
    ...(publishedAt === null ? [] : [{ dimension: 'day', ref: dayOf(publishedAt), status, by } as const]),
    ...[...tags].map((ref) => ({ dimension: 'tag', ref, status, by }) as const),
  ]
}

function dayOf(instant: Instant): string {
  return instant.slice(0, 10)
}
