import { Problem } from '../../../values/problems.ts'

/** Tries of one address that wait for their turn: some five seconds of them, if it is alone. */
const maxOfAddress = 10
/** Addresses that wait at the same moment. */
const maxAddresses = 100
const retryAfter = { headers: { 'retry-after': '5' } }

interface Turns {
  /**
   * Runs `work` when it is its turn: one at a time, and one of each address that waits before the second of any. 429 `rate_limited` if too
   * many of this address wait, 503 `overloaded` if too many addresses do.
   */
  take<T>(address: string, work: () => Promise<T>): Promise<T>
}

export function openTurns(): Turns {
  /** The first address is the next to have a turn. */
  const waiting = new Map<string, (() => Promise<void>)[]>()
  let isRunning = false

  const next = (): (() => Promise<void>) | undefined => {
    for (const [address, works] of waiting) {
      const work = works.shift()
      waiting.delete(address)
      if (works.length > 0) waiting.set(address, works)
      return work
    }
    return undefined
  }

  const run = async () => {
    if (isRunning) return
    isRunning = true
    for (let work = next(); work !== undefined; work = next()) await work()
    isRunning = false
  }

  return {
    take: async (address, work) => {
      const works = waiting.get(address) ?? []
      if (works.length >= maxOfAddress)
        throw new Problem('rate_limited', 'Many sign-ins of this address wait; try again in 5 s.', retryAfter)
      if (works.length === 0 && waiting.size >= maxAddresses)
        throw new Problem('overloaded', 'Many people sign in at this moment; try again in some seconds.', retryAfter)
      return new Promise((resolve, reject) => {
        works.push(() => work().then(resolve, reject))
        waiting.set(address, works)
        void run()
      })
    },
  }
}
