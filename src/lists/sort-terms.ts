import { type RawBuilder, sql } from 'kysely'
import type { CursorValues, SortKey } from './list-spec.ts'

/** A column that a list sorts by. Empty values (`''`) come last in both directions. */
interface SortColumn {
  readonly column: string
  readonly type: 'text' | 'number'
  readonly mayBeEmpty?: true
}

export type SortColumns<S extends string> = Readonly<Record<S, readonly SortColumn[]>>

/** One term of an `order by`, and how a cursor gets its value from a row. */
export interface OrderTerm {
  readonly expression: RawBuilder<unknown>
  readonly type: 'text' | 'number'
  readonly descending: boolean
  valueOf(row: Row): string | number
}

type Row = Readonly<Record<string, unknown>>

/** The terms of a sort over a table or alias. Ties are broken by id in the direction of the last field. */
export function orderTerms<S extends string>(table: string, sort: readonly SortKey<S>[], columns: SortColumns<S>): readonly OrderTerm[] {
  const last = sort.at(-1)
  const id = term(table, { column: 'id', type: 'text' }, last?.descending ?? false)
  return [...sort.flatMap(({ name, descending }) => columns[name].flatMap((column) => termsOf(table, column, descending))), id]
}

/** The values of a row for a cursor: its sort values, then its id. */
export function cursorValues<S extends string>(sort: readonly SortKey<S>[], columns: SortColumns<S>, row: Row): CursorValues {
  const values = sort.flatMap(({ name, descending }) =>
    columns[name].flatMap(({ column, mayBeEmpty }) => {
      const value = row[column] as string | number
      return mayBeEmpty && !descending ? [emptinessOf(value), value] : [value]
    }),
  )
  return [...values, row.id as string]
}

export function orderBy(terms: readonly OrderTerm[]): RawBuilder<unknown> {
  return sql.join(terms.map(({ expression, descending }) => (descending ? sql`${expression} desc` : sql`${expression} asc`)))
}

/** All rows after a position in this order, as a condition that an index on the same terms can serve. */
export function behind([first, ...rest]: readonly OrderTerm[], [value, ...values]: CursorValues): RawBuilder<boolean> {
  if (!first) return sql<boolean>`1 = 0`
  const { expression, descending } = first
  const beyond = descending ? sql<boolean>`${expression} < ${value}` : sql<boolean>`${expression} > ${value}`
  if (rest.length === 0) return beyond
  const bound = descending ? sql`${expression} <= ${value}` : sql`${expression} >= ${value}`
  return sql<boolean>`(${bound} and (${beyond} or ${behind(rest, values)}))`
}

function termsOf(table: string, column: SortColumn, descending: boolean): readonly OrderTerm[] {
  const plain = term(table, column, descending)
  if (!column.mayBeEmpty || descending) return [plain]
  const emptyLast: OrderTerm = {
    expression: sql`case when ${sql.ref(`${table}.${column.column}`)} = '' then 1 else 0 end`,
    type: 'number',
    descending: false,
    valueOf: (row) => emptinessOf(row[column.column]),
  }
  return [emptyLast, plain]
}

function emptinessOf(value: unknown): 0 | 1 {
  return value === '' ? 1 : 0
}

function term(table: string, { column, type }: SortColumn, descending: boolean): OrderTerm {
  return { expression: sql.ref(`${table}.${column}`), type, descending, valueOf: (row) => row[column] as string | number }
}
