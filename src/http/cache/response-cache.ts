import { LRUCache } from 'lru-cache'
import { largeBytes } from '../body.ts'
import type { Coding } from '../content-coding.ts'
import type { CachedResponse, ResponseVariant } from './cached-response.ts'

/** A finished response to a GET. */
export interface CacheEntry {
  /** How far the log was for this view. The response stays valid until the log moves on. */
  readonly revision: number
  readonly route: string
  readonly response: CachedResponse
}

/** Whom a response is for, and what it answers. */
export interface ResponseKey {
  readonly view: string
  readonly url: string
}

/** The memory of an entry beside its bodies and its key, roughly. */
const overheadBytes = 1_024
/** The largest share of the cache for one response, so that it does not displace all others. */
const largestShare = 0.25

/** Finished responses in a bounded number of bytes. The least recently used make room. */
export class ResponseCache {
  readonly #entries: LRUCache<string, CacheEntry>
  #hits = 0
  #misses = 0

  constructor(maxBytes: number) {
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: Math.floor(maxBytes * largestShare),
      sizeCalculation: ({ response }, key) => key.length * 2 + response.bytes + overheadBytes,
    })
  }

  /** The entry of this revision. */
  find(key: ResponseKey, revision: number): CacheEntry | undefined {
    const entry = this.#entries.get(nameOf(key))
    if (entry?.revision !== revision) return undefined
    this.#hits += 1
    return entry
  }

  get counts() {
    return { hits: this.#hits, misses: this.#misses, bytes: this.#entries.calculatedSize, answers: this.#entries.size }
  }

  /**
   * Adds an entry and returns the one to use: of several made at the same time the first, so that they share their variants. A large body is
   * kept when it is asked for again: who reads everything once must not displace what many ask for.
   */
  add(key: ResponseKey, entry: CacheEntry): CacheEntry {
    this.#misses += 1
    const { response, revision } = entry
    const name = nameOf(key)
    const present = this.#entries.peek(name)
    const isKnown = present?.revision === revision
    if (isKnown && (present.response.isWhole || !response.isWhole)) return present
    const isKept = isKnown || response.bytes <= largeBytes
    this.#entries.set(name, isKept ? entry : { ...entry, response: response.withoutBody() })
    return entry
  }

  /** A variant of an entry, made if it is missing and counted from then on. */
  async variantOf(key: ResponseKey, entry: CacheEntry, coding: Coding): Promise<ResponseVariant> {
    const ready = entry.response.ready(coding)
    if (ready) return ready
    const variant = await entry.response.make(coding)
    const name = nameOf(key)
    if (this.#entries.peek(name) === entry) {
      // Its size is only calculated for a new entry.
      this.#entries.delete(name)
      this.#entries.set(name, entry)
    }
    return variant
  }
}

function nameOf({ view, url }: ResponseKey): string {
  return `${view} ${url}`
}
