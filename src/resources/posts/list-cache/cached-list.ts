import type { Page } from '../../../lists/page-query.ts'
import { BoundedMap } from '../../../values/bounded-map.ts'
import type { PostPlan } from '../list/plan-query.ts'
import { type ListRequest, type listPosts, readPage } from '../list/post-list-store.ts'
import { type ListedPost, postList } from '../post-schema.ts'
import { CatalogueCache } from './catalogue-cache.ts'
import { FragmentCache } from './fragment-cache.ts'
import type { PostPieces } from './post-fragment.ts'
import { refsOnPage } from './post-ref-store.ts'

/** Each takes a few hundred bytes. */
const maxTotals = 10_000

interface CachedRequest extends ListRequest {
  /** The revision that the caller may see. */
  readonly revision: number
}

type Items = PostPieces | ListedPost

/** Caches lists: totals by revision, the JSON of posts by version, and a catalogue of all posts while nothing is written. */
export function cached(list: typeof listPosts): (request: CachedRequest) => Promise<Page<Items>> {
  const fragments = new FragmentCache()
  const catalogues = new CatalogueCache()
  return withTotals(async ({ revision, ...request }) => {
    const { db, sight, plan } = request
    const withContent = wantsContent(plan)
    if (withContent === undefined || plan.filters.trashed) return list(request)
    const page =
      (await catalogues.page(request, revision)) ??
      (await readPage(request, { read: (values, shape) => refsOnPage(db, values, shape), toItem: (row) => row }))
    const items = await fragments.write({ db, sight, withContent }, page.items)
    return items ? { ...page, items } : list(request)
  })
}

/** Caches totals by revision. */
function withTotals(read: (request: CachedRequest) => Promise<Page<Items>>): (request: CachedRequest) => Promise<Page<Items>> {
  const totals = new BoundedMap<string, { readonly revision: number; readonly total: number }>(maxTotals)
  return async (request) => {
    const { plan, sight, revision } = request
    if (!plan.total || plan.filters.trashed || sight.onlyPost !== undefined) return read(request)
    const key = `${sight.projectId} ${sight.drafts} ${JSON.stringify(plan.filters)}`
    const cached = totals.get(key)
    if (cached?.revision === revision) return { ...(await read({ ...request, plan: { ...plan, total: false } })), total: cached.total }
    const page = await read(request)
    if (page.total !== undefined) totals.set(key, { revision, total: page.total })
    return page
  }
}

/** Whether all fields are shown (true) or all but the content (false); undefined for any other selection. */
function wantsContent({ fields }: PostPlan): boolean | undefined {
  if (!fields || fields.length === postList.fields.length) return true
  return fields.length === postList.fields.length - 1 && !fields.includes('content') ? false : undefined
}
