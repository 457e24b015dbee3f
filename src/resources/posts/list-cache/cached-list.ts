import type { Sight } from '../../../actions/caller.ts'
import type { Db } from '../../../database/engine.ts'
import type { Page } from '../../../lists/page-query.ts'
import type { AtRevision, Reads } from '../../../lists/read-at-revision.ts'
import { BoundedMap } from '../../../values/bounded-map.ts'
import { isBounded, type PostPlan } from '../list/plan-query.ts'
import { type ListRequest, readPage } from '../list/post-list-store.ts'
import { postList } from '../post-schema.ts'
import { CatalogueCache } from './catalogue-cache.ts'
import { FragmentCache } from './fragment-cache.ts'
import type { PostPieces } from './post-fragment.ts'
import { refsOnPage } from './post-ref-store.ts'

/** Each takes a few hundred bytes. */
const maxTotals = 10_000

interface CachedRequest extends Pick<ListRequest, 'plan' | 'now'> {
  readonly reads: Reads
}

/**
 * Caches lists: totals by revision, the JSON of posts by version, and a catalogue of all posts while nothing is written. `list` reads those
 * whose items are not such JSON.
 */
export function cached<T>(
  list: (request: ListRequest) => Promise<Page<T>>,
): (request: CachedRequest) => Promise<AtRevision<Page<PostPieces | T>>> {
  type PostPage = Page<PostPieces | T>
  const fragments = new FragmentCache()
  const catalogues = new CatalogueCache()
  const totals = new TotalCache()
  return async ({ reads, plan, now }) => {
    const { sight, revision } = reads
    const withContent = wantsContent(plan)
    if (withContent !== undefined) {
      const page = await catalogues.page(reads, plan)
      // A fragment has the version that the catalogue has, so together they are of its revision.
      const items = page && (await fragments.write({ db: reads.db, sight, withContent }, page.items))
      if (items) return { value: { ...page, items }, revision }
    }
    const read = async (db: Db, at: number): Promise<PostPage | undefined> => {
      const total = totals.find(sight, plan, at)
      const request = { db, sight, now, plan: total === undefined ? plan : { ...plan, total: false } }
      const page = withContent === undefined ? await list(request) : await writtenPage(request, withContent)
      return page && total !== undefined ? { ...page, total } : page
    }
    const writtenPage = async (request: ListRequest, withContent: boolean): Promise<PostPage | undefined> => {
      const { db } = request
      const page = await readPage(request, { read: (values, shape) => refsOnPage(db, values, shape), toItems: async (rows) => rows })
      const items = await fragments.write({ db, sight, withContent }, page.items)
      return items && { ...page, items }
    }
    const needed = totals.find(sight, plan, revision) === undefined ? plan : { ...plan, total: false }
    const found = await (isBounded(needed, sight) ? reads.short(read) : reads.long(read))
    totals.add(sight, plan, { revision: found.revision, total: found.value.total })
    return found
  }
}

/** Totals, each at the last revision at which it was counted. */
class TotalCache {
  readonly #totals = new BoundedMap<string, { readonly revision: number; readonly total: number }>(maxTotals)

  find(sight: Sight, plan: PostPlan, revision: number): number | undefined {
    const cached = hasKeptTotal(sight, plan) ? this.#totals.get(keyOf(sight, plan)) : undefined
    return cached?.revision === revision ? cached.total : undefined
  }

  add(sight: Sight, plan: PostPlan, { revision, total }: { readonly revision: number; readonly total: number | undefined }): void {
    if (total !== undefined && hasKeptTotal(sight, plan)) this.#totals.set(keyOf(sight, plan), { revision, total })
  }
}

/** The trash changes with time alone. */
function hasKeptTotal({ onlyPost }: Sight, { total, filters }: PostPlan): boolean {
  return total && !filters.trashed && onlyPost === undefined
}

function keyOf({ projectId, drafts }: Sight, { filters }: PostPlan): string {
  return `${projectId} ${drafts} ${JSON.stringify(filters)}`
}

/** Whether all fields are shown (true) or all but the content (false); undefined for any other selection, and for the trash. */
function wantsContent({ fields, filters, include }: PostPlan): boolean | undefined {
  if (filters.trashed || include) return undefined
  if (!fields || fields.length === postList.fields.length) return true
  return fields.length === postList.fields.length - 1 && !fields.includes('content') ? false : undefined
}
