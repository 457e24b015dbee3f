import type { Caller } from '../actions/caller.ts'
import { planList } from '../lists/list-plan.ts'
import { type ListPlan, type ListSpec, maxLimit } from '../lists/list-spec.ts'
import type { Page } from '../lists/page-query.ts'

/** Reads every page of a list. */
export async function everyPage<S extends ListSpec, T>(
  spec: S,
  caller: Caller,
  read: (plan: ListPlan<S>) => Promise<Page<T>>,
): Promise<readonly T[]> {
  const items: T[] = []
  for (let page = 1; ; page++) {
    const params = new Map(Object.entries({ page: [String(page)], limit: [String(maxLimit)], total: ['false'] }))
    const { items: more, hasMore } = await read(planList(spec, params, caller))
    items.push(...more)
    if (!hasMore) return items
  }
}
