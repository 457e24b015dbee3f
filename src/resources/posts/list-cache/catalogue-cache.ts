import type { Sight } from '../../../actions/caller.ts'
import type { Db } from '../../../database/engine.ts'
import type { Page } from '../../../lists/page-query.ts'
import type { Reads } from '../../../lists/read-at-revision.ts'
import { BoundedMap } from '../../../values/bounded-map.ts'
import type { PostPlan } from '../list/plan-query.ts'
import { type Catalogue, isCatalogued, loadCatalogue } from './catalogue.ts'
import { type PostRef, readAllRefs, readOrder } from './post-ref-store.ts'

/** Each has an object for every post of its view. */
const maxCatalogues = 4
/** Per catalogue. A page is counted off in a fraction of a millisecond. */
const maxPosts = 20_000
/** Loading a catalogue costs about as much as this many pages by statement. */
const requestsBefore = 24
const maxCounted = 1_000

interface RequestCount {
  readonly revision: number
  readonly times: number
}

/** Catalogues of projects that get many list requests between two writes; one per view. */
export class CatalogueCache {
  readonly #counts = new BoundedMap<string, RequestCount>(maxCounted)
  readonly #catalogues = new BoundedMap<string, { readonly revision: number; readonly catalogue: Catalogue }>(maxCatalogues)

  /** A page from the catalogue of its view; undefined while there is none. Loads the catalogue after enough requests. */
  async page(reads: Reads, plan: PostPlan): Promise<Page<PostRef> | undefined> {
    const { sight, revision } = reads
    if (!isCatalogued(plan) || sight.onlyPost !== undefined) return undefined
    const view = viewOf(sight)
    const cached = this.#catalogues.get(view)
    // An outdated one takes as much memory as the next one needs.
    if (cached && cached.revision < revision) this.#catalogues.delete(view)
    const catalogue = cached?.revision === revision ? cached.catalogue : await this.#load(reads)
    const page = await catalogue?.page(plan, () => inRevision(reads, (db) => readOrder(db, sight, plan.sort)))
    // The log has moved on, so the catalogue is outdated.
    if (catalogue && !page) this.#catalogues.delete(view)
    return page
  }

  async #load(reads: Reads): Promise<Catalogue | undefined> {
    const { sight, revision } = reads
    const view = viewOf(sight)
    const counted = this.#counts.get(view)
    // The request began before the last write. It must not reset the count.
    if (counted && counted.revision > revision) return undefined
    const times = counted?.revision === revision ? counted.times + 1 : 1
    this.#counts.set(view, { revision, times })
    if (times !== requestsBefore) return undefined
    const catalogue = await inRevision(reads, (db) => loadCatalogue(readAllRefs(db, sight, maxPosts), maxPosts))
    if (catalogue) this.#catalogues.set(view, { revision, catalogue })
    return catalogue
  }
}

/** Reads at the revision of the request; undefined if the log has moved beyond it. */
async function inRevision<T>(reads: Reads, read: (db: Db) => Promise<T>): Promise<T | undefined> {
  const { value } = await reads.long(async (db, revision) => ({ found: revision === reads.revision ? await read(db) : undefined }))
  return value.found
}

function viewOf({ projectId, drafts }: Sight): string {
  return `${projectId} ${drafts}`
}
