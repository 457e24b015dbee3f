interface Kept {
  /** Bytes that it takes, about. */
  readonly cost: number
}

/**
 * Things by key in a bounded number of bytes. What was asked for since it came up the last time gets a second chance; else the one that has
 * been there for the longest goes first.
 */
export class SecondChanceCache<T extends Kept> {
  readonly #entries = new Map<string, { readonly kept: T; used: boolean }>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  find(key: string): T | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    entry.used = true
    return entry.kept
  }

  keep(key: string, kept: T): void {
    this.#forget(key)
    // One resource alone must not empty the cache for itself.
    if (kept.cost > this.#maxBytes / 16) return
    this.#entries.set(key, { kept, used: false })
    this.#bytes += kept.cost
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) return
      this.#forget(oldest)
      if (entry.used) this.#putBack(oldest, entry.kept)
    }
  }

  #putBack(key: string, kept: T): void {
    this.#entries.set(key, { kept, used: false })
    this.#bytes += kept.cost
  }

  #forget(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    this.#bytes -= entry.kept.cost
  }
}
