import type { Sight } from '../../../actions/caller.ts'
import type { Page } from '../../../lists/page-query.ts'
import { BoundedMap } from '../../../values/bounded-map.ts'
import type { ListRequest } from '../list/post-list-store.ts'
import { Catalogue, isCatalogued } from './catalogue.ts'
import { type PostRef, readAllRefs, readOrder } from './post-ref-store.ts'

/** Each takes some megabytes. */
const maxCatalogues = 4
/** Posts of a catalogue. Reading one takes a few microseconds, while other requests wait. */
const maxPosts = 20_000
/** A catalogue costs as much as so many pages by statement, so it is made for clients that go on asking. */
const asksBefore = 24
/** Views whose requests are counted at once. */
const maxViews = 1_000

interface Asked {
  readonly revision: number
  readonly times: number
}

/** Catalogues of the projects whose lists are asked for again and again while nothing is written, one for each view and revision. */
export class CatalogueCache {
  readonly #asked = new BoundedMap<string, Asked>(maxViews)
  readonly #catalogues = new BoundedMap<string, { readonly revision: number; readonly catalogue: Catalogue }>(maxCatalogues)

  /** A page by the catalogue of its view, where there is one or now is the time to make it. */
  async page({ db, sight, plan }: ListRequest, revision: number): Promise<Page<PostRef> | undefined> {
    if (!isCatalogued(plan) || sight.onlyPost !== undefined) return undefined
    const view = viewOf(sight)
    const made = this.#catalogues.get(view)
    const catalogue = made?.revision === revision ? made.catalogue : await this.#make({ db, sight }, revision)
    const page = await catalogue?.page(plan, () => readOrder(db, sight, revision, plan.sort))
    // The log has moved on: the next revision begins anew.
    if (catalogue && !page) this.#catalogues.delete(view)
    return page
  }

  async #make({ db, sight }: Pick<ListRequest, 'db' | 'sight'>, revision: number): Promise<Catalogue | undefined> {
    const view = viewOf(sight)
    const asked = this.#asked.get(view)
    // A request from before the last write does not undo what later ones began.
    if (asked && asked.revision > revision) return undefined
    const times = asked?.revision === revision ? asked.times + 1 : 1
    this.#asked.set(view, { revision, times })
    if (times !== asksBefore) return undefined
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
