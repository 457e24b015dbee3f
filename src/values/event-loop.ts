import { inTime, startStopwatch } from './stopwatch.ts'

/** Work in the event loop lets others have a turn after this time. Work that takes less waits for no other long work. */
const maxTurnMs = 1

/** Gives each turn of the event loop to one long work at most, however many wait. */
class Turns {
  readonly #waiting: { readonly work: symbol; readonly begin: () => void }[] = []
  /** The work that has the present turn. */
  #holder: symbol | undefined

  /** Whether this work has the present turn. A turn that nobody has is taken. */
  take(work: symbol): boolean {
    if (this.#holder === undefined && this.#waiting.length === 0) {
      this.#holder = work
      // While input is handled, one step comes before the next input is read.
      setImmediate(() => setImmediate(this.#next))
    }
    return this.#holder === work
  }

  /** A turn of its own, after the present one, which somebody has. */
  async wait(work: symbol): Promise<void> {
    await new Promise<void>((begin) => this.#waiting.push({ work, begin }))
  }

  readonly #next = () => {
    const first = this.#waiting.shift()
    this.#holder = first?.work
    if (!first) return
    first.begin()
    setImmediate(this.#next)
  }
}

/** A value that takes longer is not waited for: it may wait for a connection that a waiting transaction holds. */
const maxArrivalMs = 250

/** Long values on their way here, one after the other. */
class Arrivals {
  #last: Promise<unknown> = Promise.resolve()

  after<T>(read: () => Promise<T>): Promise<T> {
    const value = inTime(this.#last, maxArrivalMs, () => undefined)
      .catch(() => undefined)
      .then(read)
    this.#last = value.catch(() => undefined)
    return value
  }
}

/** State that a thread shares: it has one event loop, whoever works in it. No other module has state. */
const turns = new Turns()
const arrivals = new Arrivals()

/**
 * Returns a function to call, and await, before each part of long work: it lets other requests have a turn whenever that is due. Long work of
 * several requests takes turns, so that their times do not add up in one turn of the event loop. A `long` part, which is known to take
 * milliseconds, waits until no other long work has the turn; any other may first take a millisecond beside it.
 */
export function shortTurns(): (part?: 'short' | 'long') => Promise<void> | undefined {
  const work = Symbol('work')
  let elapsed = startStopwatch()
  return (part = 'short') => {
    const ms = elapsed()
    if (part === 'short' && ms < maxTurnMs) return undefined
    if (turns.take(work) && ms < maxTurnMs) return undefined
    return turns.wait(work).then(() => {
      elapsed = startStopwatch()
    })
  }
}

/** Waits for a turn for one part of work that takes milliseconds. */
export function ownTurn(): Promise<void> | undefined {
  return shortTurns()('long')
}

/**
 * Reads a value that takes milliseconds to decode. A driver decodes it in the turn in which the last of it arrives, whoever has that turn, so
 * several could add up in one turn. Therefore each is read when the one before has come, or after 250 ms.
 */
export function readLong<T>(read: () => Promise<T>): Promise<T> {
  return arrivals.after(read)
}

/** Lets everything that has arrived be handled first. While input is handled, one step of `setImmediate` comes before the next input is read. */
export async function letOthersGo(): Promise<void> {
  await new Promise(setImmediate)
  await new Promise(setImmediate)
}

/** Returns a function that gives turns to the parts of long work, one at a time: others have theirs between any two. */
export function openTurns(): () => Promise<void> {
  let last = Promise.resolve()
  return () => {
    last = last.then(letOthersGo)
    return last
  }
}
