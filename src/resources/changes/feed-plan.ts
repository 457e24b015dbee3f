import { type Caller, requireScope, sightOf } from '../../actions/caller.ts'
import { fingerprintOf, toCursor, valuesIn } from '../../lists/cursor.ts'
import { type CursorValues, defaultLimit, maxLimit, type QueryParams } from '../../lists/list-spec.ts'
import { fault, Refusal, reader, readInteger, readNames, refuse, refuseOtherParameters } from '../../lists/query-parameters.ts'
import { type Fault, Problem } from '../../values/problems.ts'
import type { FeedKind, FeedPosition } from './feed.ts'
import { expiredCursor } from './read-feed.ts'

/** Most proxies keep an idle connection open for longer than this. */
export const maxWaitSeconds = 30

/** The feed of one caller in this installation. */
interface FeedOwner {
  readonly caller: Caller
  readonly epoch: string
  /** Those that the caller may read, or asks for. */
  readonly kinds: readonly FeedKind[]
  /** The last revision that the caller may see. */
  readonly revision: number
}

/** A parsed request for changes. */
export interface FeedPlan {
  readonly position: FeedPosition
  readonly limit: number
  readonly waitSeconds: number
  readonly owner: FeedOwner
}

/**
 * 403 if the caller asks for a kind without its scope, 400 `invalid_cursor` for a cursor of a key that sees other resources or for other
 * `types`, 410 if the installation was restored since.
 */
export function planFeed(params: QueryParams, { kinds: all, ...rest }: FeedOwner): FeedPlan {
  const types = params.get('types')?.join()
  const query: QueryParams = new Map([...params, ...(types === undefined ? [] : [['types', [types]] as const])])
  for (const { name, scope } of all) if (types?.split(',').includes(name)) requireScope(rest.caller, scope)
  refuseOtherParameters(query, ['types', 'since', 'limit', 'wait'])
  const faults: Fault[] = []
  const read = reader(query, faults)
  const names = all.map(({ name }) => name)
  const asked = read('types', (text) => readNames('types', text, names))
  const owner = { ...rest, kinds: all.filter(({ name, scope }) => asked?.includes(name) ?? rest.caller.scopes.includes(scope)) }
  const limit = readInteger(read, 'limit', maxLimit) ?? defaultLimit
  const waitSeconds = read('wait', parseWait) ?? 0
  const since = read('since', (text) => text)
  refuse(faults)
  return { position: since === undefined ? start(owner) : parsePosition(since, owner), limit, waitSeconds, owner }
}

/** Formats a position as a cursor, which is opaque to clients. */
export function formatPosition(position: FeedPosition, owner: FeedOwner): string {
  const { epoch } = owner
  const values: CursorValues =
    position.in === 'walk'
      ? [position.since, position.kind, ...(position.after ?? [])]
      : [position.after, ...(position.within === undefined ? [] : [position.within])]
  return toCursor(feedFingerprint(owner), [fingerprintOf(epoch), position.in, ...values])
}

/** The start of the walk. The log is read from the current revision on. */
function start({ kinds, revision }: FeedOwner): FeedPosition {
  const [first] = kinds
  if (first === undefined) return { in: 'log', after: revision, within: undefined }
  return { in: 'walk', since: revision, kind: first.name, after: undefined }
}

/** Everything that decides what the feed shows. A cursor works for every key with the same fingerprint. */
function feedFingerprint({ caller, kinds }: FeedOwner): string {
  const { projectId, drafts, emails } = sightOf(caller)
  return fingerprintOf(['changes', projectId, caller.kind, drafts, emails, kinds.map(({ name }) => name)])
}

function parsePosition(cursor: string, owner: FeedOwner): FeedPosition {
  const [made, epoch, where, revision, ...rest] = valuesIn(cursor) ?? []
  if (typeof revision !== 'number' || revision < 0) throw invalidCursor('malformed', 'This is not a cursor that the feed gave out.')
  if (made !== feedFingerprint(owner))
    throw invalidCursor('other_key', 'The cursor belongs to a key that sees other resources, or to other types; start over without since.')
  if (epoch !== fingerprintOf(owner.epoch)) throw expiredCursor()
  const position = where === 'walk' ? parseWalk(revision, rest, owner) : parseLog(where, revision, rest)
  if (position === undefined) throw invalidCursor('malformed', 'This is not a cursor that the feed gave out.')
  return position
}

function parseWalk(since: number, [name, ...after]: CursorValues, { kinds }: FeedOwner): FeedPosition | undefined {
  const kind = kinds.find((each) => each.name === name)
  if (!kind || (after.length !== 0 && after.length !== 2) || after.some((value) => typeof value === 'number')) return undefined
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
