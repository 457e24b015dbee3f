import type { Status } from '../resources/posts/post.ts'
import type { ImportPost } from './import-post.ts'
import type { ConflictReason } from './import-verdict.ts'
import type { SourceKind } from './source-store.ts'

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
