import type { SelectQueryBuilder } from 'kysely'
import { malformedCursor } from './cursor.ts'
import type { CursorValues, ListPlan } from './list-spec.ts'
import { behind, type OrderTerm, orderBy } from './sort-terms.ts'

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

/** Where a page is cut from a list, in the values that its statement binds: behind the rows of other pages, or behind a cursor. */
export type Cut = {
  readonly most: number
  readonly skipped?: number | undefined
  readonly after?: CursorValues | undefined
}

/** The rows on the page of a plan, and one more where there is more; `invalid_cursor` where it begins behind what is no row of this order. */
export function cutOf({ position, limit }: Pick<ListPlan, 'position' | 'limit'>, terms: readonly OrderTerm[]): Cut {
  const most = limit + 1
  if (position.kind === 'page') return { most, skipped: (position.page - 1) * limit }
  const { after } = position
  const fits = after.length === terms.length && terms.every((each, i) => typeof after[i] === (each.type === 'text' ? 'string' : 'number'))
  if (!fits) throw malformedCursor()
  return { most, after }
}

/** The rows of a query within a cut, in order. A cursor becomes a condition that an index on the same terms can serve. */
export function cutRows<D, F extends keyof D, R>(
  found: SelectQueryBuilder<D, F, R>,
  { most, skipped, after }: Cut,
  terms: readonly OrderTerm[],
): SelectQueryBuilder<D, F, R> {
  const ordered = found.orderBy(orderBy(terms)).limit(most)
  if (after) return ordered.where(behind(terms, after))
  return skipped === undefined ? ordered : ordered.offset(skipped)
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
  plan: Pick<ListPlan, 'position' | 'limit'>,
  terms: readonly OrderTerm[],
): SelectQueryBuilder<D, F, R> {
  return cutRows(found, cutOf(plan, terms), terms)
}

/** How many rows a query finds on all pages, where the plan asks for it. */
export async function countAsked<D, F extends keyof D, R>(
  found: SelectQueryBuilder<D, F, R>,
  plan: Pick<ListPlan, 'total'>,
): Promise<number | undefined> {
  if (!plan.total) return undefined
  const row = (await counting(found).executeTakeFirstOrThrow()) as { total: number | string }
  return Number(row.total)
}

/** The number of rows that a query finds, as a query. */
export function counting<D, F extends keyof D, R>(found: SelectQueryBuilder<D, F, R>) {
  return found.clearSelect().select((eb) => eb.fn.countAll<number | string>().as('total'))
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
