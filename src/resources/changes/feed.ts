import type { TSchema } from 'typebox'
import type { Scope, Sight } from '../../actions/caller.ts'
import type { Db } from '../../database/engine.ts'
import type { CursorValues, ListPlan, SortKey } from '../../lists/list-spec.ts'
import type { Page } from '../../lists/page-query.ts'
import type { Kind } from '../../values/ids.ts'
import { type Instant, later } from '../../values/instant.ts'

/** How long the log is kept for the changes feed: docs/reference/api.md#changes-feed. */
export const keptDays = 90
const dayMs = 24 * 60 * 60 * 1000

/** What happened at this moment or before it is told no more. */
export function logHorizon(now: Instant): Instant {
  return later(now, -keptDays * dayMs)
}

/** Anything that the feed tells of. */
export interface Resource {
  readonly id: string
}

/** A page of a list in the order in which resources were made: every list has that sort. */
export interface WalkPlan extends Pick<ListPlan, 'limit' | 'position' | 'total' | 'fields' | 'fingerprint'> {
  readonly filters: Readonly<Record<never, never>>
  readonly sort: readonly SortKey<'created_at'>[]
}

/** A kind of resource that the feed tells of, and how it is read as a caller may see it. */
export interface FeedKind {
  readonly name: Kind
  /** Who may know of such resources. */
  readonly scope: Scope
  /** Of their representation. */
  readonly schema: TSchema
  find(db: Db, sight: Sight, ids: readonly string[]): Promise<readonly Resource[]>
  list(db: Db, sight: Sight, plan: WalkPlan, now: Instant): Promise<Page<Resource>>
}

/** How far a consumer has come: in the walk of what is there, or in the log. Revisions are such as the key may know of. */
export type FeedPosition = WalkPosition | LogPosition

export interface WalkPosition {
  readonly in: 'walk'
  /** The revision at which the walk began, from which the log is read afterwards. */
  readonly since: number
  readonly kind: Kind
  /** The sort values of the last resource of this kind; none before the first. */
  readonly after: CursorValues | undefined
}

export interface LogPosition {
  readonly in: 'log'
  /** The revision of the last change that was told. */
  readonly after: number
  /** The last post told of those that this very change has touched with it, where there are more. `''` before the first. */
  readonly within: string | undefined
}

/** What a consumer does: takes the resource as it is now, or forgets it. */
export type FeedEntry =
  | { readonly action: 'upsert'; readonly type: Kind; readonly id: string; readonly data: Resource }
  | { readonly action: 'delete'; readonly type: Kind; readonly id: string }

export interface FeedPage {
  readonly entries: readonly FeedEntry[]
  readonly next: FeedPosition
  readonly hasMore: boolean
}

/** Who reads, what of, and how far the log is. */
export interface Reading {
  readonly db: Db
  readonly sight: Sight
  /** Those that the caller may know of, in the order in which they are walked. */
  readonly kinds: readonly FeedKind[]
  /** As far as the caller may know of it; all changes up to it can be read. */
  readonly revision: number
  readonly now: Instant
}
