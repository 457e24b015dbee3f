import { toCursor } from '../../lists/cursor.ts'
import type { ListPlan } from '../../lists/list-spec.ts'
import type { Page } from '../../lists/page-query.ts'

/** One item of a list as the bytes of its JSON, in pieces that stand one after the other. */
type Pieces = readonly Uint8Array[]

const start = Buffer.from('{"data":[')
const comma = Buffer.from(',')

/** The body of a list. Items may be written already: their bytes are put together then, which costs a tenth of writing them anew. */
export function listBytes<T>(plan: ListPlan, page: Page<T>): Buffer {
  const { items } = page
  const pagination = paginationOf(plan, page)
  if (items.length > 0 && areWritten(items)) return joined(items, Buffer.from(`],"pagination":${JSON.stringify(pagination)}}`))
  return Buffer.from(JSON.stringify({ data: items, pagination }))
}

function areWritten(items: readonly unknown[]): items is readonly Pieces[] {
  return items.every(Array.isArray)
}

function joined(items: readonly Pieces[], end: Uint8Array): Buffer {
  const pieces = [start, ...items.flatMap((item, i) => (i === 0 ? item : [comma, ...item])), end]
  const bytes = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

function paginationOf<T>({ position, limit, fingerprint }: ListPlan, { total, hasMore, last }: Page<T>) {
  const paged = position.kind === 'page'
  return {
    page: paged ? position.page : null,
    limit,
    total: total ?? null,
    totalPages: paged && total !== undefined ? Math.ceil(total / limit) : null,
    hasMore,
    nextCursor: hasMore && last ? toCursor(fingerprint, last) : null,
  }
}
