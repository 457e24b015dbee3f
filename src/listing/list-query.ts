import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { malformedCursor } from './cursor.ts'
import type { CursorValues, ListPlan, SortKey } from './list-spec.ts'

/** A column that a list sorts by. Where it may be empty (`''`), empty values come last in both directions. */
export interface SortColumn {
  readonly column: string
  readonly type: 'text' | 'number'
  readonly mayBeEmpty?: true
}

export type SortColumns<S extends string> = Readonly<Record<S, readonly SortColumn[]>>

/** One term of an `order by`, with its way from a row to the value that a cursor keeps. */
export interface OrderTerm {
  readonly expression: RawBuilder<unknown>
  readonly type: 'text' | 'number'
  readonly descending: boolean
  valueOf(row: Row): string | number
}

type Row = Readonly<Record<string, unknown>>

/** A page of a list, and where the next one begins. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly hasMore: boolean
  /** The sort values of the last item; none on an empty page. */
  readonly last: CursorValues | undefined
  /** None where it was not asked for. */
  readonly total: number | undefined
}

/** The terms of a sort over a table (or alias), ties broken by id in the direction of the last field. */
export function orderTerms<S extends string>(table: string, sort: readonly SortKey<S>[], columns: SortColumns<S>): readonly OrderTerm[] {
  const last = sort.at(-1)
  const id = term(table, { column: 'id', type: 'text' }, last?.descending ?? false)
  return [...sort.flatMap(({ name, descending }) => columns[name].flatMap((column) => termsOf(table, column, descending))), id]
}

/** Everything behind the position of a cursor, as a condition an index on the same terms can serve. */
export function isAfter(terms: readonly OrderTerm[], values: CursorValues): RawBuilder<boolean> {
  const fits = values.length === terms.length && terms.every((each, i) => typeof values[i] === (each.type === 'text' ? 'string' : 'number'))
  if (!fits) throw malformedCursor()
  return behind(terms, values)
}

export function orderBy(terms: readonly OrderTerm[]): RawBuilder<unknown> {
  return sql.join(terms.map(({ expression, descending }) => (descending ? sql`${expression} desc` : sql`${expression} asc`)))
}

/** A page of all that a query finds. */
export async function listPage<D, F extends keyof D, R extends Row, T>(
  found: SelectQueryBuilder<D, F, R>,
  plan: ListPlan,
  terms: readonly OrderTerm[],
  toItem: (row: R) => T,
): Promise<Page<T>> {
  const rows = await onPage(found, plan, terms).execute()
  return toPage(rows as readonly R[], plan, terms, { total: await countAsked(found, plan), toItem })
}

/** The rows of a query that stand on the page, and one more where there is more. */
export function onPage<D, F extends keyof D, R>(
  found: SelectQueryBuilder<D, F, R>,
  { position, limit }: Pick<ListPlan, 'position' | 'limit'>,
  terms: readonly OrderTerm[],
): SelectQueryBuilder<D, F, R> {
  const ordered = found.orderBy(orderBy(terms)).limit(limit + 1)
  return position.kind === 'cursor' ? ordered.where(isAfter(terms, position.after)) : ordered.offset((position.page - 1) * limit)
}

/** How many rows a query finds on all pages, where the plan asks for it. */
export async function countAsked<D, F extends keyof D, R>(
  found: SelectQueryBuilder<D, F, R>,
  plan: Pick<ListPlan, 'total'>,
): Promise<number | undefined> {
  if (!plan.total) return undefined
  const counting = found.clearSelect().select((eb) => eb.fn.countAll<number | string>().as('total'))
  const row = (await counting.executeTakeFirstOrThrow()) as { total: number | string }
  return Number(row.total)
}

/** Makes a page of what a query for `limit + 1` rows brought. */
export function toPage<R extends Row, T>(
  rows: readonly R[],
  { limit }: Pick<ListPlan, 'limit'>,
  terms: readonly OrderTerm[],
  parts: { readonly total: number | undefined; toItem(row: R): T },
): Page<T> {
  const kept = rows.slice(0, limit)
  const lastRow = kept.at(-1)
  return {
    items: kept.map(parts.toItem),
    hasMore: rows.length > limit,
    last: lastRow && terms.map((each) => each.valueOf(lastRow)),
    total: parts.total,
  }
}

/** A substring pattern in which nothing the caller wrote is special; for use with `like … escape '\'`. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

function termsOf(table: string, column: SortColumn, descending: boolean): readonly OrderTerm[] {
  const plain = term(table, column, descending)
  if (!column.mayBeEmpty || descending) return [plain]
  const emptyLast: OrderTerm = {
    expression: sql`case when ${sql.ref(`${table}.${column.column}`)} = '' then 1 else 0 end`,
    type: 'number',
    descending: false,
    valueOf: (row) => (row[column.column] === '' ? 1 : 0),
  }
  return [emptyLast, plain]
}

function term(table: string, { column, type }: SortColumn, descending: boolean): OrderTerm {
  return { expression: sql.ref(`${table}.${column}`), type, descending, valueOf: (row) => row[column] as string | number }
}

function behind([first, ...rest]: readonly OrderTerm[], [value, ...values]: CursorValues): RawBuilder<boolean> {
  if (!first) return sql<boolean>`1 = 0`
  const { expression, descending } = first
  const beyond = descending ? sql<boolean>`${expression} < ${value}` : sql<boolean>`${expression} > ${value}`
  if (rest.length === 0) return beyond
  const bound = descending ? sql`${expression} <= ${value}` : sql`${expression} >= ${value}`
  return sql<boolean>`(${bound} and (${beyond} or ${behind(rest, values)}))`
}
