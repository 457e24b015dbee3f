import { toCursor } from '../../lists/cursor.ts'
import type { CursorValues, ListPlan, QueryParams } from '../../lists/list-spec.ts'
import type { Page } from '../../lists/page-query.ts'
import { shortTurns } from '../../values/event-loop.ts'
import { isLong, jsonPieces } from '../../values/json-pieces.ts'
import { type Body, toBody } from '../body.ts'
import { formatQuery } from '../request/query.ts'

/** The JSON of one item, in pieces. */
type Pieces = readonly Uint8Array[]

const start = Buffer.from('{"data":[')
const comma = Buffer.from(',')

/** The body of a list. Joining items that are already serialised costs a tenth of serialising them again. */
export async function listBytes<T>(plan: ListPlan, page: Page<T>): Promise<Body> {
  return dataBytes(page.items, { pagination: paginationOf(plan, page) })
}

/** `{"data":[…]` and the other members. */
export async function dataBytes(items: readonly unknown[], others?: object): Promise<Body> {
  return join(await serialised(items), Buffer.from(others ? `],${JSON.stringify(others).slice(1)}` : ']}'))
}

/** A list can have 100 MB. */
async function serialised(items: readonly unknown[]): Promise<readonly Pieces[]> {
  if (items.every(isSerialised)) return items
  const giveWay = shortTurns()
  const pieces: Pieces[] = []
  for (const item of items) {
    await giveWay(isLong(item) ? 'long' : 'short')
    pieces.push(isLong(item) ? await jsonPieces(item as object, giveWay) : [Buffer.from(JSON.stringify(item))])
  }
  return pieces
}

function isSerialised(item: unknown): item is Pieces {
  return Array.isArray(item)
}

async function join(items: readonly Pieces[], end: Uint8Array): Promise<Body> {
  return toBody([start, ...items.flatMap((item, i) => (i === 0 ? item : [comma, ...item])), end])
}

function paginationOf<T>(plan: ListPlan, { total, hasMore, last }: Page<T>) {
  const { position, limit } = plan
  const paged = position.kind === 'page'
  return {
    page: paged ? position.page : null,
    limit,
    total: total ?? null,
    totalPages: paged && total !== undefined ? Math.ceil(total / limit) : null,
    hasMore,
    nextCursor: hasMore && last ? cursorAfter(plan, last) : null,
  }
}

/** The cursor of what follows an item: the values that `planList` and `planWithin` look for. */
function cursorAfter({ fingerprint, parent }: ListPlan, last: CursorValues): string {
  return toCursor(fingerprint, parent === undefined ? last : [parent, ...last])
}

/** Every link repeats the query. nginx takes 4 KiB for all headers of a response, unless told otherwise, and gives its client 502 for more. */
const maxLinkBytes = 3_000

/** In the order in which they are sent. */
const relations = ['first', 'prev', 'next', 'last'] as const
type Relation = (typeof relations)[number]

/** The most useful first. */
const byUse: readonly Relation[] = ['next', 'prev', 'first', 'last']

/** The Link header (RFC 8288): first, prev, next and last for pages; first and next for cursors. Of long links only those that fit; maybe none. */
export function linkHeader(path: string, params: QueryParams, plan: ListPlan, page: Page<unknown>): string | undefined {
  const links: Partial<Record<Relation, string>> = {}
  let left = maxLinkBytes
  const changes = changesFor(plan, page)
  for (const relation of byUse) {
    const change = changes[relation]
    const link = change && `<${path}${formatQuery(withChanges(params, change))}>; rel="${relation}"`
    if (link === undefined || link.length > left) continue
    links[relation] = link
    left -= link.length + separator.length
  }
  return relations.flatMap((relation) => links[relation] ?? []).join(separator) || undefined
}

const separator = ', '

type Changes = Readonly<Record<string, string | undefined>>

/** How the query of each link differs from that of the request. */
function changesFor(plan: ListPlan, { hasMore, last, total }: Page<unknown>): Partial<Record<Relation, Changes>> {
  const { position, limit } = plan
  if (position.kind === 'cursor') {
    return { first: { cursor: undefined }, ...(hasMore && last && { next: { cursor: cursorAfter(plan, last) } }) }
  }
  const { page } = position
  const lastPage = total === undefined ? undefined : Math.max(1, Math.ceil(total / limit))
  return {
    first: { page: '1' },
    // From a page past the end back to the last one, where it is known.
    ...(page > 1 && { prev: { page: String(Math.min(page - 1, lastPage ?? page)) } }),
    ...(hasMore && { next: { page: String(page + 1) } }),
    ...(lastPage !== undefined && { last: { page: String(lastPage) } }),
  }
}

function withChanges(params: QueryParams, changes: Changes): QueryParams {
  const result = new Map(params)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) result.delete(name)
    else result.set(name, [value])
  }
  return result
}
