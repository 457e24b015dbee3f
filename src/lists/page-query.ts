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
  /** Undefined if it was not requested. */
  readonly total: number | undefined
}

/** The part of a list that a page has, as values for its statement: after the rows of earlier pages, or after a cursor. */
export type Cut = {
  readonly most: number
  readonly skipped?: number | undefined
  readonly after?: CursorValues | undefined
}

/** The rows of a page, and one more to tell whether there is another page; `invalid_cursor` if the cursor does not fit this order. */
export function cutOf({ position, limit }: Pick<ListPlan, 'position' | 'limit'>, terms: readonly OrderTerm[]): Cut {
  const most = limit + 1
  if (position.kind === 'page') return { most, skipped: (position.page - 1) * limit }
  const { after } = position
  const fits = after.length === terms.length && terms.every(({ type }, i) => isOfType(type, after[i]))
  if (!fits) throw malformedCursor()
  return { most, after }
}

/** Lists sort by counts, versions and ranks. PostgreSQL has some of them in 32 bits, and fails where it is given more. */
const maxSortNumber = 2 ** 31 - 1

function isOfType(type: OrderTerm['type'], value: string | number | undefined): boolean {
  return type === 'text' ? typeof value === 'string' : typeof value === 'number' && value >= 0 && value <= maxSortNumber
}

/** The rows of a query within a cut, sorted. A cursor becomes a condition that an index on the same terms can serve. */
export function cutRows<D, F extends keyof D, R>(
  found: SelectQueryBuilder<D, F, R>,
  { most, skipped, after }: Cut,
  terms: readonly OrderTerm[],
): SelectQueryBuilder<D, F, R> {
  const ordered = found.orderBy(orderBy(terms)).limit(most)
  if (after) return ordered.where(behind(terms, after))
  return skipped === undefined ? ordered : ordered.offset(skipped)
}

/** A page of the rows that a query finds. */
export async function listPage<D, F extends keyof D, R extends Row, T>(
  found: SelectQueryBuilder<D, F, R>,
  plan: ListPlan,
  terms: readonly OrderTerm[],
  toItem: (row: R) => T,
): Promise<Page<T>> {
  const rows = await onPage(found, plan, terms).execute()
  return toPage(rows as readonly R[], plan, terms, { total: await countAsked(found, plan), toItem })
}

/** The rows of a query on the page, and one more if there is another page. */
export function onPage<D, F extends keyof D, R>(
  found: SelectQueryBuilder<D, F, R>,
  plan: Pick<ListPlan, 'position' | 'limit'>,
  terms: readonly OrderTerm[],
): SelectQueryBuilder<D, F, R> {
  return cutRows(found, cutOf(plan, terms), terms)
}

/** How many rows a query finds on all pages, if the plan asks for the total. */
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

/** Makes a page from the `limit + 1` rows of a query. */
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

/** A substring pattern with the special characters of the text escaped; for use with `like … escape '\'`. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
