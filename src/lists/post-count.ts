import type { PostCountTable } from '../database/tables.ts'
import { fold } from '../values/case-fold.ts'
import type { Instant } from '../values/instant.ts'

type Status = PostCountTable['status']

/** One count: of the posts of one status in the whole project, or with one author, category, tag or day of publication. */
export type CountKey = Readonly<Pick<PostCountTable, 'dimension' | 'ref' | 'status'>>

export interface CountChange extends CountKey {
  readonly by: number
}

/** As much of a post as decides where it counts. */
export interface CountedPost {
  readonly status: Status
  readonly authorId: string | null
  readonly categoryId: string | null
  readonly tags: readonly string[]
  readonly publishedAt: Instant | null
  readonly deletedAt: string | null
}

/** A post as it was and as it is; either is missing where it was not there, or is there no more. */
export interface Recounted {
  readonly before: CountedPost | undefined
  readonly after: CountedPost | undefined
}

/** How the counts change with these posts; those that stay as they are are left out. */
export function countChanges(posts: readonly Recounted[]): readonly CountChange[] {
  return summed(posts.flatMap(({ before, after }) => [...keysOf(before, -1), ...keysOf(after, 1)]))
}

/** One change for each count, in the one order in which everybody writes them. */
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
