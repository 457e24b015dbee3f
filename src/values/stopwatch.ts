/** Starts a stopwatch. The function returned gives the milliseconds since. For the time of day use `context.now`. */
export function startStopwatch(): () => number {
  const started = process.hrtime.bigint()
  return () => Number(process.hrtime.bigint() - started) / 1_000_000
}

/** The result of work; rejects with what `late` gives if that takes longer. The work goes on. */
export async function inTime<T>(work: Promise<T>, ms: number, late: () => unknown): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const isLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms)
    timer.unref()
  })
  return Promise.race([work, isLate]).finally(() => clearTimeout(timer))
}

/** Work in the event loop lets others have a turn after this time. */
const maxTurnMs = 4
/** Work that takes less than this waits for no other long work. */
const shortMs = 1

/** Gives each turn of the event loop to one long work at most, however many wait. */
class Turns {
  readonly #waiting: (() => void)[] = []
  /** Whether the present turn has had its long work. */
  #isSpent = false

  get isSpent(): boolean {
    return this.#isSpent
  }

  async next(): Promise<void> {
    this.#isSpent = true
    await new Promise<void>((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(this.#resume)
    })
  }

  readonly #resume = () => {
    this.#isSpent = false
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) setImmediate(this.#resume)
  }
}

/** The only state of a module: a thread has one event loop, whoever works in it. */
const turns = new Turns()

/**
 * Returns a function to call, and await, before each part of long work: it lets other requests have a turn whenever that is due. Long work of
 * several requests takes turns, so that their times do not add up in one turn of the event loop.
 */
export function shortTurns(): () => Promise<void> | undefined {
  let elapsed = startStopwatch()
  return () => {
    if (elapsed() < (turns.isSpent ? shortMs : maxTurnMs)) return undefined
    return turns.next().then(() => {
      elapsed = startStopwatch()
    })
  }
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
