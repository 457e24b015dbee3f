import type { Coding } from '../content-coding.ts'
import type { CachedResponse, ResponseVariant } from './cached-response.ts'

/** A finished answer to a GET, and up to which revision it holds. */
export interface CacheEntry {
  /** As far as the log was, for this view, when it was made. While it is still there the answer is the same. */
  readonly revision: number
  readonly route: string
  readonly response: CachedResponse
}

/** Whom an answer is for, and what it answers. */
export interface ResponseKey {
  readonly view: string
  readonly url: string
}

interface Place extends ResponseKey {
  readonly bytes: number
}

/** What one answer costs beside its bodies, about. */
const overheadBytes = 1_024
/** One answer may fill so much of the cache at most, lest it empties it for itself. */
const largestShare = 0.25

/** Finished answers in a bounded number of bytes; the one that was made first goes first. */
export class ResponseCache {
  /** By view, for there are few of them, and their names are long. */
  readonly #views = new Map<string, Map<string, CacheEntry>>()
  /** In the order in which they were made. */
  readonly #places = new Map<CacheEntry, Place>()
  readonly #maxBytes: number
  #bytes = 0
  #hits = 0
  #misses = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The answer to this, if it was made at this revision. */
  find({ view, url }: ResponseKey, revision: number): CacheEntry | undefined {
    const answer = this.#views.get(view)?.get(url)
    if (answer?.revision !== revision) return undefined
    this.#hits += 1
    return answer
  }

  /** How often an answer was there, how often one was made, and what they take. */
  get counts() {
    return { hits: this.#hits, misses: this.#misses, bytes: this.#bytes, answers: this.#places.size }
  }

  /** The answer to go on with: of several that were made at the same time the first, so that they share their forms. */
  keep(key: ResponseKey, answer: CacheEntry): CacheEntry {
    this.#misses += 1
    const known = this.#views.get(key.view)?.get(key.url)
    if (known?.revision === answer.revision && (known.response.isWhole || !answer.response.isWhole)) return known
    if (known) this.#forget(known)
    const ofView = this.#views.get(key.view) ?? new Map<string, CacheEntry>()
    this.#views.set(key.view, ofView.set(key.url, answer))
    this.#weigh(answer, key)
    return answer
  }

  /** An answer in the form that is wanted, which is counted with it from then on. */
  async variantOf(answer: CacheEntry, wanted: Coding): Promise<ResponseVariant> {
    const ready = answer.response.ready(wanted)
    if (ready) return ready
    const form = await answer.response.make(wanted)
    const place = this.#places.get(answer)
    if (place) this.#weigh(answer, place)
    return form
  }

  #weigh(answer: CacheEntry, { view, url }: ResponseKey): void {
    const bytes = (view.length + url.length) * 2 + answer.response.bytes + overheadBytes
    this.#bytes += bytes - (this.#places.get(answer)?.bytes ?? 0)
    this.#places.set(answer, { view, url, bytes })
    if (bytes > this.#maxBytes * largestShare) this.#forget(answer)
    for (const oldest of this.#places.keys()) {
      if (this.#bytes <= this.#maxBytes) return
      this.#forget(oldest)
    }
  }

  #forget(answer: CacheEntry): void {
    const place = this.#places.get(answer)
    if (!place) return
    this.#places.delete(answer)
    this.#bytes -= place.bytes
    const ofView = this.#views.get(place.view)
    ofView?.delete(place.url)
    if (ofView?.size === 0) this.#views.delete(place.view)
  }
}
