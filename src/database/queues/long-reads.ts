import type { ProjectId } from '../../values/ids.ts'
import { Problem } from '../../values/problems.ts'
import { startStopwatch } from '../../values/stopwatch.ts'

/** Who asks for a long read, and of which project. */
export interface Asker extends Waiter {
  readonly projectId: ProjectId
}

interface Waiter {
  /** The id of a key, say. Each name has its turn, however many of its reads wait. */
  readonly name: string
  /** Gives a signal that aborts when the client has gone away. Called only if the read has to wait. */
  readonly untilGone?: (() => AbortSignal) | undefined
}

interface Places {
  /** Waits for a place. The returned function frees it. 503 `overloaded` if too many wait, or for too long. */
  enter(waiter: Waiter): Promise<() => void>
  /** How many reads have a place. */
  taken(): number
}

/** Reads that wait, of one asker and of all. */
export const mostWaiting = { ofOne: 64, ofAll: 512 }
/** Once reads of an asker have waited this long without a break, only half as many may wait: that is no burst, and a short queue moves on sooner. */
const burstMs = 2_000
const maxWaitMs = 15_000
const headers = { 'retry-after': '5' }

interface Waiting {
  admit(): void
}

/** The reads of an asker that wait. */
class Queue extends Set<Waiting> {
  /** Since the first one began to wait. */
  readonly elapsed = startStopwatch()

  isFull(): boolean {
    return this.size >= mostWaiting.ofOne / (this.elapsed() < burstMs ? 1 : 2)
  }
}

/**
 * Bounds how many long reads run at the same time. Askers take turns, and none of them has all places, so that the reads of one never wait
 * for all those of another.
 */
export function openPlaces(places: () => number): Places {
  const running = new Map<string, number>()
  /** In the order of their turns. */
  const queues = new Map<string, Queue>()

  const taken = () => [...running.values()].reduce((sum, count) => sum + count, 0)
  const mayRun = (name: string) => taken() < places() && (running.get(name) ?? 0) < Math.max(1, places() - 1)

  const take = (name: string) => {
    running.set(name, (running.get(name) ?? 0) + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      const left = (running.get(name) ?? 0) - 1
      if (left === 0) running.delete(name)
      else running.set(name, left)
      admitNext()
    }
  }

  const admitNext = () => {
    for (const [name, queue] of queues) {
      if (!mayRun(name)) continue
      const [first] = queue
      queues.delete(name)
      if (queue.size > 1) queues.set(name, queue)
      first?.admit()
    }
  }

  const wait = ({ name, untilGone }: Waiter): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const signal = untilGone?.()
      if (signal?.aborted) return reject(gone())
      const queue = queues.get(name) ?? new Queue()
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', leave)
        queue.delete(waiting)
        if (queue.size === 0 && queues.get(name) === queue) queues.delete(name)
      }
      const fail = (problem: Problem) => {
        end()
        reject(problem)
      }
      const leave = () => fail(gone())
      const waiting: Waiting = {
        admit() {
          end()
          resolve(take(name))
        },
      }
      const timer = setTimeout(() => fail(tooMany), maxWaitMs)
      signal?.addEventListener('abort', leave)
      queue.add(waiting)
      queues.set(name, queue)
    })

  return {
    async enter(waiter) {
      // There may be more places than when somebody last left.
      admitNext()
      const { name } = waiter
      const own = queues.get(name)
      if (!own && mayRun(name)) return take(name)
      const all = [...queues.values()].reduce((sum, queue) => sum + queue.size, 0)
      if (own?.isFull() || all >= mostWaiting.ofAll) throw tooMany
      return wait(waiter)
    },
    taken,
  }
}

/** Made once: under overload it is what most requests get. */
const tooMany = new Problem('overloaded', 'Too many long reads (searches, counts, deep pages) are waiting; try again in a moment.', {
  headers,
})

/** Only the log sees this response. */
function gone(): Problem {
  return new Problem('overloaded', 'The client closed the connection while its request waited.', { headers })
}
