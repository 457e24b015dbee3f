import type { Sight } from '../../../actions/caller.ts'
import type { Catalogue } from './post-index.ts'

/** Catalogues that are there at once; each has some megabytes. */
const most = 4
/** A catalogue costs as much as so many pages that are read by statements: it is made for those who go on asking. */
const asksBefore = 16
/** Views whose asking is counted at once. */
const mostViews = 1_000

interface View {
  /** As far as the log was for the key that asked. While it is there still, all that the key can see is as it was. */
  readonly revision: number
  asks: number
  catalogue: Catalogue | undefined
}

/** Catalogues of the projects whose lists are asked for again and again while nothing is written, by what a key can see. */
export class KnownCatalogues {
  readonly #views = new Map<string, View>()

  find(sight: Sight, revision: number): Catalogue | undefined {
    return this.#viewAt(sight, revision)?.catalogue
  }

  /** Whether now, with this request, is the time to make one. */
  isWorthMaking(sight: Sight, revision: number): boolean {
    const known = this.#views.get(nameOf(sight))
    // Who was there before the last write does not undo what those after it have.
    if (known && known.revision > revision) return false
    const view: View = known?.revision === revision ? known : { revision, asks: 0, catalogue: undefined }
    if (view.asks === 0 && this.#views.size >= mostViews) this.#views.clear()
    if (view.asks === 0) this.#views.set(nameOf(sight), view)
    view.asks += 1
    return view.asks === asksBefore
  }

  keep(sight: Sight, revision: number, catalogue: Catalogue): void {
    const view = this.#viewAt(sight, revision)
    if (!view) return
    const others = [...this.#views.values()].filter((each) => each.catalogue && each !== view)
    if (others.length >= most && others[0]) others[0].catalogue = undefined
    view.catalogue = catalogue
  }

  /** What it was made from is not there any more, and there may be a time for another. */
  drop(sight: Sight): void {
    this.#views.delete(nameOf(sight))
  }

  #viewAt(sight: Sight, revision: number): View | undefined {
    const view = this.#views.get(nameOf(sight))
    return view?.revision === revision ? view : undefined
  }
}

function nameOf({ projectId, drafts }: Sight): string {
  return `${projectId} ${drafts}`
}
