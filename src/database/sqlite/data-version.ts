/** A number that is another one after every commit of others. */
export interface Stamp {
  now(): number
  /** As it was when it was first asked for in this turn of the event loop. */
  ofTurn(): number
}

/** Asking SQLite took 5 µs, a quarter of what a bare request costs. */
export function stampOf(now: () => number): Stamp {
  let known: number | undefined
  const forget = () => {
    known = undefined
  }
  return {
    now,
    ofTurn() {
      if (known === undefined) {
        known = now()
        setImmediate(forget)
      }
      return known
    },
  }
}
