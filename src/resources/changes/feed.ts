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

/** The feed no longer shows changes at this instant or before it. */
export function logHorizon(now: Instant): Instant {
  return later(now, -keptDays * dayMs)
}

/** A resource in the feed. */
export interface Resource {
  readonly id: string
}

/** A page of a list, sorted by creation, which every list supports. */
export interface WalkPlan extends Pick<ListPlan, 'limit' | 'position' | 'total' | 'fields' | 'fingerprint'> {
  readonly filters: Readonly<Record<never, never>>
  readonly sort: readonly SortKey<'created_at'>[]
}

/** What the feed tells of. */
export type FeedName = Kind | 'pending_edit'

/** A kind of resource in the feed, and how it is read. */
export interface FeedKind {
  readonly name: FeedName
  /** Needed to see such resources. */
  readonly scope: Scope
  /** The schema of their representation. */
  readonly schema: TSchema
  find(db: Db, sight: Sight, ids: readonly string[]): Promise<readonly Resource[]>
  list(db: Db, sight: Sight, plan: WalkPlan, now: Instant): Promise<Page<Resource>>
}

/** Where a client is: in the walk over all resources, or in the log. A public key has revisions of its own. */
export type FeedPosition = WalkPosition | LogPosition

export interface WalkPosition {
  readonly in: 'walk'
  /** The revision at which the walk began. The log is read from there afterwards. */
  readonly since: number
  readonly kind: FeedName
  /** The sort values of the last resource read of this kind; none before the first. */
  readonly after: CursorValues | undefined
}

export interface LogPosition {
  readonly in: 'log'
  /** The revision of the last change read. */
  readonly after: number
  /** If the change of an author or category affects more posts than fit on the page: the id of the last one shown, `''` before the first. */
  readonly within: string | undefined
}

/** What a client does with its copy: store the resource or delete it. */
export type FeedEntry = FeedActor &
  (
    | { readonly action: 'upsert'; readonly type: FeedName; readonly id: string; readonly data: Resource }
    | { readonly action: 'delete'; readonly type: FeedName; readonly id: string }
  )

/** Who made the last change of the resource; null in the walk, and for callers who see no drafts. */
export interface FeedActor {
  readonly actor: string | null
  readonly actorName: string | null
}

export interface FeedPage {
  readonly entries: readonly FeedEntry[]
  readonly next: FeedPosition
  readonly hasMore: boolean
}

/** What is read, for whom, and how far the log is. */
export interface Reading {
  readonly db: Db
  /** The id of the key, whose turn it is. */
  readonly asker: string
  readonly sight: Sight
  /** The kinds that the caller may see, in the order of the walk. */
  readonly kinds: readonly FeedKind[]
  /** The last revision that the caller may see. */
  readonly revision: number
  readonly now: Instant
}
