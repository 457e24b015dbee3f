import { createHash } from 'node:crypto'
import { isStorable } from '../values/code-points.ts'
import { Problem } from '../values/problems.ts'
import type { CursorValues } from './list-spec.ts'

/** A short hash of the sort and filters that a cursor belongs to. */
export function fingerprintOf(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 8)
}

/** Opaque to clients: base64url of JSON. It needs no signature, because it gives access to nothing that the key could not list. */
export function toCursor(fingerprint: string, values: CursorValues): string {
  return Buffer.from(JSON.stringify([fingerprint, ...values])).toString('base64url')
}

/** Parses a cursor; `invalid_cursor` unless it was made for this sort and these filters. */
export function parseCursor(cursor: string, fingerprint: string): CursorValues {
  const [made, ...values] = valuesIn(cursor) ?? []
  if (values.length === 0) throw malformedCursor()
  if (made !== fingerprint) throw otherList('The cursor belongs to another sort order or other filters; start again without a cursor.')
  return values
}

/** The values in a cursor, its fingerprint first; undefined if the text is not a cursor. */
export function valuesIn(cursor: string): CursorValues | undefined {
  const parts = decode(cursor)
  return Array.isArray(parts) && parts.every(isValue) ? parts : undefined
}

/** The cursor was given out, but not by this list. */
export function otherList(detail: string): Problem {
  return new Problem('invalid_cursor', detail, { errors: [fault('other_list', detail)] })
}

export function malformedCursor(): Problem {
  const detail = 'This is not a cursor that this list gave out.'
  return new Problem('invalid_cursor', detail, { errors: [fault('malformed', detail)] })
}

function decode(cursor: string): unknown {
  if (!/^[\w-]+$/.test(cursor)) return undefined
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

function isValue(value: unknown): value is string | number {
  return typeof value === 'string' ? isStorable(value) : Number.isSafeInteger(value)
}

function fault(code: string, detail: string) {
  return { parameter: 'cursor', code, detail }
}
