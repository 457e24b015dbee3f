import type { Post, Status } from '../resources/posts/post.ts'
import type { ImportPost } from './import-post.ts'
import type { SourceEntry, SourceKind } from './source-store.ts'

/** Posts that are imported by one transaction, in the order of their paths. */
export interface ImportBatch {
  readonly source: SourceKind
  readonly posts: readonly ImportPost[]
  /** The source wins where both sides changed. */
  readonly force: boolean
}

/** What became, or would become, of a batch. */
export interface BatchReport {
  /** One for each post, in their order. */
  readonly outcomes: readonly Outcome[]
  readonly made: { readonly authors: number; readonly categories: number; readonly tags: number }
}

export type Outcome =
  | { readonly path: string; readonly result: 'unchanged' }
  | { readonly path: string; readonly result: 'conflicting'; readonly reason: ConflictReason }
  | { readonly path: string; readonly result: 'created' | 'updated'; readonly status: Status; readonly notes: readonly string[] }

/** Why an import leaves a post alone whose source has changed. */
export type ConflictReason = 'changed here' | 'deleted here'

/** What is to become of a post of the source. */
export type Verdict =
  | { readonly verdict: 'create'; readonly entry: SourceEntry | undefined }
  | { readonly verdict: 'update'; readonly entry: SourceEntry; readonly here: Post }
  | { readonly verdict: 'conflicting'; readonly reason: ConflictReason }
  | { readonly verdict: 'unchanged' }

export type JudgedPost = { readonly source: ImportPost } & Verdict

/** What an earlier import left, and what there is of it by now. */
export interface Imported {
  readonly entry: SourceEntry
  /** None where it was deleted. */
  readonly post: Post | undefined
  /** The last version that somebody made, be it an import, and not the clock. */
  readonly touched: number
}

/**
 * Judges a post of the source by what came of it before (contract §7.3). `force` lets the source win where both sides changed: what was
 * deleted here is created anew then.
 */
export function judge(hash: string, before: Imported | undefined, force: boolean): Verdict {
  if (!before) return { verdict: 'create', entry: undefined }
  const { entry, post, touched } = before
  if (hash === entry.hash) return { verdict: 'unchanged' }
  if (!post) return force ? { verdict: 'create', entry } : { verdict: 'conflicting', reason: 'deleted here' }
  const mayWrite = touched <= entry.version || force
  return mayWrite ? { verdict: 'update', entry, here: post } : { verdict: 'conflicting', reason: 'changed here' }
}
