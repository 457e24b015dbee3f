import { hash } from 'node:crypto'
import type { Tables } from './tables.ts'

/** A table whose rows carry a hash of what they hold, so that `verso check` finds what the disk has changed (ADR 37). */
export type HashedTable = { [T in keyof Tables]: Tables[T] extends { row_hash: string } ? T : never }[keyof Tables]

/** Every column of a row but its hash. */
type Hashable<T extends HashedTable> = { readonly [C in Exclude<keyof Tables[T], 'row_hash'>]: Tables[T][C] }

/** The use of a key is no content, and is written often. */
const leftOut: readonly string[] = ['row_hash', 'last_used_at']

/**
 * The beginning of the SHA-256 of a whole row: 64 bits, hexadecimal. Columns that are null are left out, so a column that a later version adds
 * does not change the hashes of the rows that are there.
 */
export function rowHash(row: Readonly<Record<string, unknown>>): string {
  const present = Object.keys(row).filter((name) => row[name] !== null && !leftOut.includes(name))
  return hash('sha256', JSON.stringify(present.sort().map((name) => [name, row[name]]))).slice(0, 16)
}

/** The row with its hash. */
export function withHash<T extends HashedTable, R extends Hashable<T> = Hashable<T>>(_table: T, row: R): R & { readonly row_hash: string } {
  return { ...row, row_hash: rowHash(row) }
}
