interface WaitQueueSettings {
  /** How many hold a place at once. */
  readonly places: number
  /** How long a caller waits. */
  readonly patienceMs: number
  /** The error after that. */
  tooLong(): Error
}

/** A semaphore with a queue: callers get a place in the order in which they came. */
export interface WaitQueue {
  /** Waits for a place. The result gives it back. */
  enter(): Promise<() => void>
  /** Rejects everybody who waits. */
  dismiss(reason: unknown): void
}

interface Waiting {
  letIn(): void
  sendAway(reason: unknown): void
}

export function openWaitQueue({ places, patienceMs, tooLong }: WaitQueueSettings): WaitQueue {
  const line = new Set<Waiting>()
  let free = places

  function leave(): void {
    const [first] = line
    if (first) first.letIn()
    else free++
  }

  return {
    async enter() {
      if (free === 0) return waitIn(line, { patienceMs, tooLong, leave })
      free--
      return leave
    },
    dismiss(reason) {
      for (const waiting of [...line]) waiting.sendAway(reason)
    },
  }
}

type Wait = Pick<WaitQueueSettings, 'patienceMs' | 'tooLong'> & { leave(): void }

function waitIn(line: Set<Waiting>, { patienceMs, tooLong, leave }: Wait): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const stepOut = () => {
      clearTimeout(timer)
      line.delete(waiting)
    }
    const waiting: Waiting = {
      letIn() {
        stepOut()
        resolve(leave)
      },
      sendAway(reason) {
        stepOut()
        reject(reason)
      },
    }
    const timer = setTimeout(() => waiting.sendAway(tooLong()), patienceMs)
    line.add(waiting)
  })
}
