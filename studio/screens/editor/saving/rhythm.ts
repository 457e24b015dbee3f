/** A pause this long is the end of a thought; whoever never pauses is saved as often as `longestMs`. */
const restMs = 600
const longestMs = 10_000
/** How often it is kept in the browser while one types. */
const keepMs = 300

type Timer = ReturnType<typeof setTimeout> | undefined

/** When what is written is kept in the browser, and when it is saved. */
export class Rhythm {
  readonly #keep: () => void
  readonly #save: () => void
  #timers: { rest?: Timer; longest?: Timer; keep?: Timer } = {}

  constructor({ keep, save }: { keep(): void; save(): void }) {
    this.#keep = keep
    this.#save = save
  }

  /** Something was written. */
  beat(): void {
    this.#timers.keep ??= setTimeout(this.#keep, keepMs)
    clearTimeout(this.#timers.rest)
    this.#timers.rest = setTimeout(this.#save, restMs)
    this.#timers.longest ??= setTimeout(this.#save, longestMs)
  }

  /** It is being kept. */
  kept(): void {
    clearTimeout(this.#timers.keep)
    delete this.#timers.keep
  }

  /** It is being saved. */
  saved(): void {
    clearTimeout(this.#timers.rest)
    clearTimeout(this.#timers.longest)
    delete this.#timers.longest
  }
}
