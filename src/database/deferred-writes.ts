import type { DeferredWork, DeferredWrites, Tx } from './engine.ts'

/**
 * Does work at the end of the transaction, once for all writes that share it: what it locks is then held for the commit alone. Where nobody
 * shares the transaction, it is done at once.
 */
export async function defer<I>(tx: Tx, work: DeferredWork<I>, item: I): Promise<void> {
  if (tx.engine.deferred) tx.engine.deferred.add(tx, work, item)
  else await work(tx, [item])
}

/** Must come before a transaction reads what is deferred. */
export async function runDeferred({ engine }: { readonly engine: { readonly deferred?: DeferredWrites } }): Promise<void> {
  await engine.deferred?.run()
}

export function openDeferredWrites(): DeferredWrites {
  /** Never changed in place, so that a mark holds. */
  let waiting: ReadonlyMap<unknown, { readonly items: readonly unknown[]; run(items: readonly unknown[]): Promise<void> }> = new Map()
  return {
    add(tx, work, item) {
      const items = [...(waiting.get(work)?.items ?? []), item]
      waiting = new Map(waiting).set(work, { items, run: (all) => work(tx, all as readonly (typeof item)[]) })
    },
    async run() {
      const now = waiting
      waiting = new Map()
      for (const { items, run } of now.values()) await run(items)
    },
    mark() {
      const then = waiting
      return () => {
        waiting = then
      }
    },
  }
}
