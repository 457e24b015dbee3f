/** A finished answer to a GET, and up to which revision it holds. */
export interface KeptAnswer {
  /** As far as the log was, for this view, when it was made. While it is still there the answer is the same. */
  readonly revision: number
  readonly route: string
  readonly etag: string
  /** Names and values in turn, but for those that differ each time. */
  readonly headers: readonly string[]
  /** Those of a 304 (RFC 9110 §15.4.5). */
  readonly headersUnmodified: readonly string[]
  readonly body: Buffer
}

/** What one answer costs beside its body, about. */
const overheadBytes = 1_024
/** One answer may fill so much of the cache at most, lest it empties it for itself. */
const largestShare = 0.25

/** Finished answers in a bounded number of bytes; the one that was made first goes first. */
export class AnswerCache {
  readonly #answers = new Map<string, KeptAnswer>()
  readonly #maxBytes: number
  #bytes = 0
  #hits = 0
  #misses = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The answer under this key, if it was made at this revision. */
  find(key: string, revision: number): KeptAnswer | undefined {
    const answer = this.#answers.get(key)
    if (answer?.revision !== revision) return undefined
    this.#hits += 1
    return answer
  }

  /** How often an answer was there, how often one was made, and what they take. */
  get counts() {
    return { hits: this.#hits, misses: this.#misses, bytes: this.#bytes, answers: this.#answers.size }
  }

  keep(key: string, answer: KeptAnswer): void {
    this.#misses += 1
    this.#forget(key)
    const cost = costOf(key, answer)
    if (cost > this.#maxBytes * largestShare) return
    this.#answers.set(key, answer)
    this.#bytes += cost
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= this.#maxBytes) return
      this.#forget(oldest)
    }
  }

  #forget(key: string): void {
    const answer = this.#answers.get(key)
    if (!answer) return
    this.#answers.delete(key)
    this.#bytes -= costOf(key, answer)
  }
}

function costOf(key: string, answer: KeptAnswer): number {
  return key.length * 2 + answer.body.length + overheadBytes
}
