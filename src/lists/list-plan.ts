import { type Caller, requireScope } from '../actions/caller.ts'
import { codePointLength } from '../values/code-points.ts'
import { type Instant, parseInstant } from '../values/instant.ts'
import type { Fault } from '../values/problems.ts'
import { fingerprintOf, otherList, parseCursor } from './cursor.ts'
import {
  defaultLimit,
  type FilterSpec,
  type FilterValues,
  type ListPlan,
  type ListSpec,
  maxFilterValues,
  maxLimit,
  maxPage,
  maxSearchCodePoints,
  maxSorts,
  type Position,
  type QueryParams,
  type SortKey,
} from './list-spec.ts'
import {
  fault,
  type Read,
  Refusal,
  Refusals,
  readBoolean,
  reader,
  readInteger,
  readNames,
  refuse,
  refuseOtherParameters,
  selecting,
  unknownNames,
} from './query-parameters.ts'

const general = ['page', 'limit', 'cursor', 'total', 'sort'] as const

/**
 * Parses the query of a list into a plan. A value that the caller has no scope for is 403. Unknown, repeated, empty and out-of-range parameters
 * are 400, all reported together, and never clamped.
 */
export function planList<S extends ListSpec>(spec: S, query: QueryParams, caller: Pick<Caller, 'scopes'>): ListPlan<S> {
  const params = joinRepeated(spec, query)
  refuseGuarded(spec, params, caller)
  refuseUnknown(spec, params)
  const faults: Fault[] = []
  const read = reader(params, faults)
  const filters = readFilters(spec, read)
  const asked = read('sort', (text) => parseSort(spec, text))
  const sort = asked ?? [spec.defaultSort]
  const ranked = asked === undefined && spec.rankedBy !== undefined && spec.rankedBy in filters
  const limit = readInteger(read, 'limit', maxLimit) ?? defaultLimit
  const page = readInteger(read, 'page', maxPage)
  const total = readBoolean(read, 'total') ?? true
  const fields = readFields(spec.fields, read)
  const include = readInclude(spec.includes, read)
  const cursor = read('cursor', (text) => text)
  if (cursor !== undefined && page !== undefined) faults.push(fault('page', 'conflict', '`page` and `cursor` exclude each other.'))
  if (fields.both) faults.push(bothGiven())
  refuse(faults)
  const fingerprint = fingerprintOf([spec.noun, sort, filters, ...(ranked ? ['ranked'] : [])])
  const position: Position =
    cursor === undefined ? { kind: 'page', page: page ?? 1 } : { kind: 'cursor', after: parseCursor(cursor, fingerprint) }
  const added = include && { include }
  return { filters, sort, ...(ranked && { ranked }), limit, position, total, fields: fields.chosen, ...added, fingerprint }
}

/** The plan of a list that one resource has, such as the revisions of a post. A cursor from another resource is 400 `invalid_cursor`. */
export function planWithin<S extends ListSpec>(plan: ListPlan<S>, parentId: string): ListPlan<S> {
  const parent = fingerprintOf(parentId)
  if (plan.position.kind === 'page') return { ...plan, parent }
  const [made, ...after] = plan.position.after
  if (made !== parent) throw otherList('The cursor belongs to the list of another resource; start again without a cursor.')
  return { ...plan, parent, position: { kind: 'cursor', after } }
}

interface Shown {
  /** The fields that `fields` or `exclude` selects; undefined for all. */
  readonly fields: readonly string[] | undefined
  /** What `include` adds; undefined for nothing. */
  readonly include: readonly string[] | undefined
  readonly limit: number | undefined
}

/** What requests for one resource may select and add, and their other parameters. */
interface ShownSpec extends Pick<ListSpec, 'fields' | 'includes'> {
  readonly others?: readonly string[]
  /** The largest `limit`, where that is a parameter. */
  readonly maxLimit?: number
}

/** What a request for one resource shows of it. 403 comes before 400 for any other parameter, and that before 400 for a value. */
export function planShown(spec: ShownSpec, query: QueryParams, caller: Pick<Caller, 'scopes'>): Shown {
  const { fields: all, includes, others = [], maxLimit: max } = spec
  const params = joined(query, (name) => selecting.includes(name))
  refuseGuardedIncludes(includes, params, caller)
  const limited = max === undefined ? [] : ['limit']
  refuseOtherParameters(params, [...others, ...limited, ...(includes ? ['include'] : []), ...(all ? ['fields', 'exclude'] : [])])
  const faults: Fault[] = []
  const read = reader(params, faults)
  const limit = max === undefined ? undefined : readInteger(read, 'limit', max)
  const fields = readFields(all, read)
  const include = readInclude(includes, read)
  if (fields.both) faults.push(bothGiven())
  refuse(faults)
  return { fields: fields.chosen, include, limit }
}

/** `tag=a&tag=b`, as generated clients send arrays, is `tag=a,b`. */
function joinRepeated({ filters }: ListSpec, query: QueryParams): QueryParams {
  return joined(query, (name) => filters[name]?.kind === 'many' || ['sort', ...selecting].includes(name))
}

function joined(query: QueryParams, takesSeveral: (name: string) => boolean): QueryParams {
  return new Map([...query].map(([name, values]) => [name, takesSeveral(name) ? [values.join()] : values]))
}

function refuseGuarded(spec: ListSpec, params: QueryParams, caller: Pick<Caller, 'scopes'>): void {
  for (const [name, { guarded, values }] of Object.entries(spec.filters)) {
    if (!guarded) continue
    const asked = (params.get(name) ?? []).flatMap((text) => text.split(','))
    const isGuarded = (value: string) => !guarded.open.includes(value) && (values === undefined || values.includes(value))
    if (asked.some(isGuarded)) requireScope(caller, guarded.scope)
  }
  refuseGuardedIncludes(spec.includes, params, caller)
}

type Includes = NonNullable<ListSpec['includes']>

function refuseGuardedIncludes(includes: Includes = {}, params: QueryParams, caller: Pick<Caller, 'scopes'>): void {
  const asked = (params.get('include') ?? []).flatMap((text) => text.split(','))
  for (const [name, { scope }] of Object.entries(includes)) if (scope && asked.includes(name)) requireScope(caller, scope)
}

function refuseUnknown(spec: ListSpec, params: QueryParams): void {
  const known = [
    ...Object.keys(spec.filters),
    ...general,
    ...(spec.fields ? ['fields', 'exclude'] : []),
    ...(spec.includes ? ['include'] : []),
  ]
  refuseOtherParameters(params, known)
}

function readFilters<S extends ListSpec>(spec: S, read: Read): FilterValues<S> {
  const entries = Object.entries(spec.filters).map(([name, filter]) => [name, read(name, (text) => parseFilter(name, filter, text))])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as FilterValues<S>
}

function parseFilter(
  name: string,
  filter: FilterSpec,
  text: string,
): readonly string[] | Instant | string | true | undefined | Refusal | Refusals {
  switch (filter.kind) {
    case 'many':
      return parseMany(name, filter, text)
    case 'instant':
      // A `+` that is not percent-encoded has arrived as a space.
      return (
        parseInstant(text.replace(/ (?=\d\d:\d\d$)/, '+')) ??
        new Refusal('invalid_date', `\`${name}\` is not an RFC 3339 date-time such as 2026-01-31T12:00:00Z.`)
      )
    case 'flag':
      return text === 'true' ? true : text === 'false' ? undefined : new Refusal('not_allowed', `\`${name}\` is true or false.`)
    case 'text':
      if (text === '') return undefined
      return codePointLength(text) <= maxSearchCodePoints
        ? text
        : new Refusal('too_long', `\`${name}\` is longer than ${maxSearchCodePoints} characters.`)
  }
}

function parseMany(name: string, filter: FilterSpec, text: string): readonly string[] | Refusal | Refusals {
  const values = [...new Set(text.split(','))]
  if (values.includes('')) return new Refusal('empty', `\`${name}\` has an empty value between its commas.`)
  if (values.length > maxFilterValues) return new Refusal('too_many', `\`${name}\` takes at most ${maxFilterValues} values.`)
  return filter.values ? readNames(name, values.join(), filter.values) : values
}

function parseSort<S extends ListSpec>(spec: S, text: string): readonly SortKey<S['sorts'][number]>[] | Refusal | Refusals {
  const keys = text.split(',').map((part): SortKey => ({ name: part.replace(/^-/, ''), descending: part.startsWith('-') }))
  const names = keys.map(({ name }) => name)
  const repeated = spec.sorts.filter((name) => names.indexOf(name) < names.lastIndexOf(name))
  const refusals = [
    ...unknownNames('sort', names, spec.sorts),
    ...repeated.map((name) => new Refusal('repeated', `\`sort\` names ${name} twice.`)),
  ]
  if (refusals.length > 0) return new Refusals(refusals)
  return keys.length <= maxSorts ? keys : new Refusal('too_many', `\`sort\` takes at most ${maxSorts} fields.`)
}

function bothGiven(): Fault {
  return fault('exclude', 'conflict', '`fields` and `exclude` exclude each other.')
}

interface Selection {
  readonly chosen: readonly string[] | undefined
  /** Both parameters are given. */
  readonly both: boolean
}

function readFields(all: readonly string[] | undefined, read: Read): Selection {
  if (!all) return { chosen: undefined, both: false }
  const readAll = (parameter: string) => read(parameter, (text) => readNames(parameter, text, all))
  const [wanted, unwanted] = [readAll('fields'), readAll('exclude')]
  const chosen = wanted
    ? all.filter((name) => name === 'id' || wanted.includes(name))
    : unwanted && all.filter((name) => name === 'id' || !unwanted.includes(name))
  return { chosen, both: wanted !== undefined && unwanted !== undefined }
}

function readInclude(includes: Includes | undefined, read: Read): readonly string[] | undefined {
  if (!includes) return undefined
  const all = Object.keys(includes)
  const wanted = read('include', (text) => readNames('include', text, all))
  return wanted && all.filter((name) => wanted.includes(name))
}
