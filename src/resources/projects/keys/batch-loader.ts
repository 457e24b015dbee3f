/** What was asked for and not sent yet. */
interface Gathering<V> {
  readonly names: Set<string>
  readonly found: Promise<ReadonlyMap<string, V>>
  send(): void
}

interface JoinedParts<V> {
  /** Looks all of them up at once. */
  find(names: readonly string[]): Promise<ReadonlyMap<string, V>>
  /** How many look-ups are out at the same time; what is asked for beyond them is looked up together as soon as one is back. */
  readonly most: number
}

/**
 * Joins look-ups: all that are asked for in one turn of the event loop become one, which is sent when the turn is over. A look-up that is
 * out takes nobody along any more, so that everybody is told what was so after they asked.
 */
export function batchLookUps<V>({ find, most }: JoinedParts<V>): (name: string) => Promise<V | undefined> {
  let next: Gathering<V> | undefined
  let out = 0

  const sendNext = () => {
    if (next === undefined || out === most) return
    const sent = next
    next = undefined
    out++
    sent.send()
    sent.found.catch(() => undefined).then(cameBack)
  }
  const cameBack = () => {
    out--
    setImmediate(sendNext)
  }

  return async (name) => {
    if (next === undefined) {
      next = gather(find)
      setImmediate(sendNext)
    }
    next.names.add(name)
    return (await next.found).get(name)
  }
}

function gather<V>(find: JoinedParts<V>['find']): Gathering<V> {
  const names = new Set<string>()
  let send: Gathering<V>['send'] = () => undefined
  const found = new Promise<ReadonlyMap<string, V>>((resolve) => {
    send = () => resolve(find([...names]))
  })
  return { names, found, send: () => send() }
}
