interface Kept {
  readonly etag: string
  readonly text: string
}

/** Answers with their ETags, up to so many characters in all; what was used longest ago goes first. */
export class EtagCache {
  readonly #kept = new Map<string, Kept>()
  readonly #limit: number
  #size = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get(url: string): Kept | undefined {
    const kept = this.#kept.get(url)
    if (kept) {
      this.#kept.delete(url)
      this.#kept.set(url, kept)
    }
    return kept
  }

  set(url: string, kept: Kept): void {
    this.#delete(url)
    if (kept.text.length > this.#limit) return
    this.#kept.set(url, kept)
    this.#size += kept.text.length
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= this.#limit) break
      this.#delete(oldest)
    }
  }

  #delete(url: string): void {
    this.#size -= this.#kept.get(url)?.text.length ?? 0
    this.#kept.delete(url)
  }
}
