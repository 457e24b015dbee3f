import type { InsertObject } from 'kysely'
import type { Tx } from './engine.ts'
import { prepared } from './prepared.ts'
import type { Tables } from './tables.ts'

type Value = string | number | null
type Row<T extends keyof Tables> = InsertObject<Tables, T> & Readonly<Record<string, Value>>

/** Rows per statement. Each number of rows is a statement of its own in the cache. */
const most = 100

/** Inserts rows that all have the same columns. */
export async function insertRows<T extends keyof Tables>(tx: Tx, table: T, rows: readonly Row<T>[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  for (let start = 0; start < rows.length; start += most) {
    const part = rows.slice(start, start + most)
    const values = Object.fromEntries(columns.map((column) => [column, part.map((row) => row[column] ?? null)]))
    await inserted(tx, values, { table, columns })
  }
}

/** Takes values by column, so that the number of rows is part of the shape. */
const inserted = prepared(
  (tx: Tx, values: Readonly<Record<string, readonly Value[]>>, { table, columns }: { table: keyof Tables; columns: readonly string[] }) => {
    const count = values[columns[0] ?? '']?.length ?? 0
    const rows = Array.from({ length: count }, (_, i) => Object.fromEntries(columns.map((column) => [column, values[column]?.[i]])))
    return tx.insertInto(table).values(rows as never)
  },
)
