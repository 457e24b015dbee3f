import type { Sight } from '../../../actions/caller.ts'
import type { Page } from '../../../lists/page-query.ts'
import { BoundedMap } from '../../../values/bounded-map.ts'
import type { ListRequest } from '../list/post-list-store.ts'
import { Catalogue, isCatalogued } from './catalogue.ts'
import { type PostRef, readAllRefs, readOrder } from './post-ref-store.ts'

/** Each has an object for every post of its view. */
const maxCatalogues = 4
/** Per catalogue. Each post takes a few microseconds to load, while other requests wait. */
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
  async page({ db, sight, plan }: ListRequest, revision: number): Promise<Page<PostRef> | undefined> {
    if (!isCatalogued(plan) || sight.onlyPost !== undefined) return undefined
    const view = viewOf(sight)
    const cached = this.#catalogues.get(view)
    // An outdated one takes as much memory as the next one needs.
    if (cached && cached.revision < revision) this.#catalogues.delete(view)
    const catalogue = cached?.revision === revision ? cached.catalogue : await this.#load({ db, sight }, revision)
    const page = await catalogue?.page(plan, () => readOrder(db, sight, revision, plan.sort))
    // The log has moved on, so the catalogue is outdated.
    if (catalogue && !page) this.#catalogues.delete(view)
    return page
  }

  async #load({ db, sight }: Pick<ListRequest, 'db' | 'sight'>, revision: number): Promise<Catalogue | undefined> {
    const view = viewOf(sight)
    const counted = this.#counts.get(view)
    // The request began before the last write. It must not reset the count.
    if (counted && counted.revision > revision) return undefined
    const times = counted?.revision === revision ? counted.times + 1 : 1
    this.#counts.set(view, { revision, times })
    if (times !== requestsBefore) return undefined
    const posts = await readAllRefs(db, sight, revision, maxPosts)
    if (!posts) return undefined
    const catalogue = new Catalogue(posts)
    this.#catalogues.set(view, { revision, catalogue })
    return catalogue
  }
}

function viewOf({ projectId, drafts }: Sight): string {
  return `${projectId} ${drafts}`
}
