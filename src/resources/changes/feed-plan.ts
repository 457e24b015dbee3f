import { type Caller, sightOf } from '../../actions/caller.ts'
import { fingerprintOf, toCursor, valuesIn } from '../../lists/cursor.ts'
import { type CursorValues, defaultLimit, maxLimit, type QueryParams } from '../../lists/list-spec.ts'
import { fault, Refusal, reader, readInteger, refuse, refuseOtherParameters } from '../../lists/query-parameters.ts'
import { type Fault, Problem } from '../../values/problems.ts'
import type { FeedKind, FeedPosition } from './feed.ts'
import { expiredCursor } from './read-feed.ts'

/** Longer than this many proxies keep a silent connection open. */
export const maxWaitSeconds = 30

/** Which feed it is: the caller's, of this installation. */
export interface FeedOwner {
  readonly caller: Caller
  readonly epoch: string
  readonly kinds: readonly FeedKind[]
  /** As far as the log is, as far as the caller may know. */
  readonly revision: number
}

/** A request for changes, understood. */
export interface FeedPlan {
  readonly position: FeedPosition
  readonly limit: number
  readonly waitSeconds: number
}

/** 400 `invalid_cursor` for what was not made for such a key, 410 where the installation was restored since. */
export function planFeed(params: QueryParams, owner: FeedOwner): FeedPlan {
  refuseOtherParameters(params, ['since', 'limit', 'wait'])
  const faults: Fault[] = []
  const read = reader(params, faults)
  const limit = readInteger(read, 'limit', maxLimit) ?? defaultLimit
  const waitSeconds = read('wait', parseWait) ?? 0
  const since = read('since', (text) => text)
  refuse(faults)
  return { position: since === undefined ? start(owner) : parsePosition(since, owner), limit, waitSeconds }
}

/** Opaque to clients, and of the same form for all positions. */
export function formatPosition(position: FeedPosition, owner: FeedOwner): string {
  const { epoch } = owner
  const values: CursorValues =
    position.in === 'walk'
      ? [position.since, position.kind, ...(position.after ?? [])]
      : [position.after, ...(position.within === undefined ? [] : [position.within])]
  return toCursor(feedFingerprint(owner), [fingerprintOf(epoch), position.in, ...values])
}

/** The walk of all that is there, the log after it from this moment on. */
function start({ kinds, revision }: FeedOwner): FeedPosition {
  const [first] = kinds
  if (first === undefined) return { in: 'log', after: revision, within: undefined }
  return { in: 'walk', since: revision, kind: first.name, after: undefined }
}

/** All on which it depends what the feed tells: a cursor of another key serves where that is the same. */
function feedFingerprint({ caller, kinds }: FeedOwner): string {
  const { projectId, drafts, emails } = sightOf(caller)
  return fingerprintOf(['changes', projectId, caller.kind, drafts, emails, kinds.map(({ name }) => name)])
}

function parsePosition(cursor: string, owner: FeedOwner): FeedPosition {
  const [made, epoch, where, revision, ...rest] = valuesIn(cursor) ?? []
  if (typeof revision !== 'number' || revision < 0) throw invalidCursor('malformed', 'This is not a cursor that the feed gave out.')
  if (made !== feedFingerprint(owner))
    throw invalidCursor('other_key', 'The cursor belongs to a key that sees other resources; start anew without since.')
  if (epoch !== fingerprintOf(owner.epoch)) throw expiredCursor()
  const position = where === 'walk' ? parseWalk(revision, rest, owner) : parseLog(where, revision, rest)
  if (position === undefined) throw invalidCursor('malformed', 'This is not a cursor that the feed gave out.')
  return position
}

function parseWalk(since: number, [name, ...after]: CursorValues, { kinds }: FeedOwner): FeedPosition | undefined {
  const kind = kinds.find((each) => each.name === name)
  if (!kind || (after.length !== 0 && after.length !== 2)) return undefined
  return { in: 'walk', since, kind: kind.name, after: after.length === 0 ? undefined : after }
}

function parseLog(where: unknown, after: number, [within, ...more]: CursorValues): FeedPosition | undefined {
  if (where !== 'log' || typeof within === 'number' || more.length > 0) return undefined
  return { in: 'log', after, within }
}

function parseWait(text: string): number | Refusal {
  const seconds = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN
  return seconds <= maxWaitSeconds
    ? seconds
    : new Refusal('out_of_range', `\`wait\` is a whole number of seconds from 0 to ${maxWaitSeconds}.`)
}

function invalidCursor(code: string, detail: string): Problem {
  return new Problem('invalid_cursor', detail, { errors: [fault('since', code, detail)] })
}
