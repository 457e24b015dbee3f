import { findActorNames } from '../../actions/actor-name-store.ts'
import { Problem } from '../../values/problems.ts'
import type {
  FeedActor,
  FeedEntry,
  FeedName,
  FeedPage,
  FeedPosition,
  LogPosition,
  Reading,
  Resource,
  WalkPlan,
  WalkPosition,
} from './feed.ts'
import { keptDays, logHorizon } from './feed.ts'
import { findChange, kindsInPosts, listChanges, listPostsNaming, type VisibleChange } from './feed-store.ts'

/**
 * Reads at most `limit` resources after a position. Resources are read as they are now, so several changes of one resource may become one entry;
 * a later change makes another entry.
 */
export function readFeed(reading: Reading, position: FeedPosition, limit: number): Promise<FeedPage> {
  return position.in === 'walk' ? readWalk(reading, position, limit) : readLog(reading, position, limit)
}

/** Reads all resources, kind by kind. Changes made meanwhile are in the log after the revision at which the walk began. */
async function readWalk({ db, sight, kinds, revision, now }: Reading, position: WalkPosition, limit: number): Promise<FeedPage> {
  const entries: FeedEntry[] = []
  const first = kinds.findIndex(({ name }) => name === position.kind)
  for (const kind of kinds.slice(first)) {
    if (entries.length === limit) return { entries, next: { ...position, kind: kind.name, after: undefined }, hasMore: true }
    const after = kind.name === position.kind ? position.after : undefined
    const page = await kind.list(db, sight, walkPlan(limit - entries.length, after), now)
    entries.push(...page.items.map((resource) => upsert(kind.name, resource, nobody)))
    if (page.hasMore) return { entries, next: { ...position, kind: kind.name, after: page.last }, hasMore: true }
  }
  return { entries, next: { in: 'log', after: position.since, within: undefined }, hasMore: position.since < revision }
}

function walkPlan(limit: number, after: WalkPosition['after']): WalkPlan {
  const place: WalkPlan['position'] = after === undefined ? { kind: 'page', page: 1 } : { kind: 'cursor', after }
  const sort = [{ name: 'created_at', descending: false }] as const
  return { filters: {}, sort, limit, position: place, total: false, fields: undefined, fingerprint: '' }
}

/** Whether the log has nothing after the position. */
export function isAtEnd({ revision }: Reading, position: FeedPosition): boolean {
  return position.in === 'log' && position.within === undefined && position.after === revision
}

async function readLog(reading: Reading, position: LogPosition, limit: number): Promise<FeedPage> {
  const { db, sight, revision } = reading
  if (isAtEnd(reading, position)) return { entries: [], next: position, hasMore: false }
  const from = position.within === undefined ? position.after + 1 : position.after
  await requireKept(reading, from)
  const changes = await listChanges(db, sight, { from, kinds: kindsToRead(reading), most: limit + 1 })
  const found = await gather(reading, changes.slice(0, limit), position, limit)
  const hasMore = !found.whole || changes.length > limit
  const next = hasMore ? found.reached : ({ in: 'log', after: Math.max(found.reached.after, revision), within: undefined } as const)
  return { entries: await toEntries(reading, found.touched), next, hasMore }
}

/** 410 if the next change is no longer kept, or the log does not reach that far, as after restoring a backup. */
async function requireKept({ db, sight, now }: Reading, from: number): Promise<void> {
  const next = await findChange(db, sight, from)
  if (next?.revision !== from || next.at <= logHorizon(now)) throw expiredCursor()
}

export function expiredCursor(): Problem {
  return new Problem('cursor_expired', `Changes are kept for ${keptDays} days, and this cursor is older; start over without since.`)
}

/** A renamed author or category changes posts, even if the key may not see the author or category itself. */
function kindsToRead({ kinds }: Reading): readonly FeedName[] {
  const names = kinds.map(({ name }) => name)
  return names.includes('post') ? [...new Set([...names, ...kindsInPosts])] : names
}

interface Gathered {
  /** Every resource once, ordered by its last change, and who made that. */
  readonly touched: ReadonlyMap<string, { readonly kind: FeedName; readonly actor: string }>
  readonly reached: LogPosition
  /** Whether all changes were included, with every post that they affect. */
  readonly whole: boolean
}

/** The resources that changes affect, at most `limit`. */
async function gather(reading: Reading, changes: readonly VisibleChange[], start: LogPosition, limit: number): Promise<Gathered> {
  const { db, sight, kinds } = reading
  const seen = new Set(kinds.map(({ name }) => name))
  const lastOf = new Map(changes.map((change) => [change.id, change]))
  const touched = new Map<string, { readonly kind: FeedName; readonly actor: string }>()
  const touch = (id: string, kind: FeedName, actor: string) => {
    touched.delete(id)
    touched.set(id, { kind, actor })
  }
  let reached = start
  for (const change of changes) {
    const { revision } = change
    const isBegun = revision === start.after
    if (!isBegun && touched.size === limit) return { touched, reached, whole: false }
    if (!isBegun && seen.has(change.kind)) touch(change.id, change.kind, change.actor)
    if (change.touchesPosts && seen.has('post') && lastOf.get(change.id) === change) {
      const within = (isBegun && start.within) || ''
      const posts = await listPostsNaming(db, sight, change, { after: within, most: limit - touched.size + 1 })
      const shown = posts.slice(0, limit - touched.size)
      for (const id of shown) touch(id, 'post', change.actor)
      if (shown.length < posts.length)
        return { touched, reached: { in: 'log', after: revision, within: shown.at(-1) ?? within }, whole: false }
    }
    reached = { in: 'log', after: revision, within: undefined }
  }
  return { touched, reached, whole: true }
}

async function toEntries({ db, sight, kinds }: Reading, touched: Gathered['touched']): Promise<readonly FeedEntry[]> {
  const present = new Map<string, Resource>()
  for (const { name, find } of kinds) {
    const ids = [...touched].filter(([, { kind }]) => kind === name).map(([id]) => id)
    if (ids.length === 0) continue
    for (const resource of await find(db, sight, ids)) present.set(resource.id, resource)
  }
  const names = sight.drafts
    ? await findActorNames(
        db,
        [...touched.values()].map(({ actor }) => actor),
      )
    : undefined
  return [...touched].map(([id, { kind, actor }]) => {
    const by = names ? { actor, actorName: names.get(actor) ?? null } : nobody
    const resource = present.get(id)
    return resource ? upsert(kind, resource, by) : { action: 'delete', type: kind, id, ...by }
  })
}

const nobody: FeedActor = { actor: null, actorName: null }

function upsert(type: FeedName, resource: Resource, by: FeedActor): FeedEntry {
  return { action: 'upsert', type, id: resource.id, ...by, data: resource }
}
