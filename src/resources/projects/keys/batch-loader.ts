/** A look-up that is not sent yet. */
interface PendingBatch<V> {
  readonly names: Set<string>
  readonly found: Promise<ReadonlyMap<string, V>>
  send(): void
}

interface BatchParts<V> {
  /** Looks up all names in one statement. */
  find(names: readonly string[]): Promise<ReadonlyMap<string, V>>
  /** The most look-ups in flight. Further names wait, and go into one look-up when another returns. */
  readonly most: number
}

/**
 * Joins the look-ups of one turn of the event loop into one, sent at the end of the turn. No name joins a look-up that was already sent, so
 * no caller gets a result that is older than its call.
 */
export function batchLookUps<V>({ find, most }: BatchParts<V>): (name: string) => Promise<V | undefined> {
  let next: PendingBatch<V> | undefined
  let inFlight = 0

  const sendNext = () => {
    if (next === undefined || inFlight === most) return
    const batch = next
    next = undefined
    inFlight++
    batch.send()
    batch.found.catch(() => undefined).then(finished)
  }
  const finished = () => {
    inFlight--
    setImmediate(sendNext)
  }

  return async (name) => {
    if (next === undefined) {
      next = newBatch(find)
      setImmediate(sendNext)
    }
    next.names.add(name)
    return (await next.found).get(name)
  }
}

function newBatch<V>(find: BatchParts<V>['find']): PendingBatch<V> {
  const names = new Set<string>()
  let send: PendingBatch<V>['send'] = () => undefined
  const found = new Promise<ReadonlyMap<string, V>>((resolve) => {
    send = () => resolve(find([...names]))
  })
  return { names, found, send: () => send() }
}
