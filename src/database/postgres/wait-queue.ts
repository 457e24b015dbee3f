interface WaitQueueSettings {
  /** How many callers may have a place at once. Asked whenever somebody comes or leaves. */
  places(): number
  readonly maxWaitMs: number
  /** The error for a caller that waited longer. */
  timeoutError(): Error
}

/** A semaphore that gives places in the order of the calls. */
export interface WaitQueue {
  /** Waits for a place. The returned function frees it. */
  enter(): Promise<() => void>
  /** Rejects all waiting callers. */
  rejectAll(reason: unknown): void
  /** How many callers have a place. */
  taken(): number
}

interface Waiting {
  admit(): void
  fail(reason: unknown): void
}

export function openWaitQueue({ places, maxWaitMs, timeoutError }: WaitQueueSettings): WaitQueue {
  const queue = new Set<Waiting>()
  let taken = 0

  function admitWaiting(): void {
    for (const waiting of queue) {
      if (taken >= places()) return
      taken++
      waiting.admit()
    }
  }

  function leave(): void {
    taken--
    admitWaiting()
  }

  return {
    async enter() {
      // There may be more places than when somebody last left.
      admitWaiting()
      if (taken >= places()) return waitIn(queue, { maxWaitMs, timeoutError, leave })
      taken++
      return leave
    },
    rejectAll(reason) {
      for (const waiting of [...queue]) waiting.fail(reason)
    },
    taken: () => taken,
  }
}

type Wait = Pick<WaitQueueSettings, 'maxWaitMs' | 'timeoutError'> & { leave(): void }

function waitIn(queue: Set<Waiting>, { maxWaitMs, timeoutError, leave }: Wait): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const remove = () => {
      clearTimeout(timer)
      queue.delete(waiting)
    }
    const waiting: Waiting = {
      admit() {
        remove()
        resolve(leave)
      },
      fail(reason) {
        remove()
        reject(reason)
      },
    }
    const timer = setTimeout(() => waiting.fail(timeoutError()), maxWaitMs)
    queue.add(waiting)
  })
}
