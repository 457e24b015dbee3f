import type { DeferredWork, DeferredWrites, Tx } from './engine.ts'

/**
 * Runs work at the end of a shared transaction, once for all its writes, so that its locks are held only during the commit. In a transaction
 * that is not shared, runs it at once.
 */
export async function defer<I>(tx: Tx, work: DeferredWork<I>, item: I): Promise<void> {
  if (tx.engine.deferred) tx.engine.deferred.add(tx, work, item)
  else await work(tx, [item])
}

/** Call it before the transaction reads what may be deferred. */
export async function runDeferred({ engine }: { readonly engine: { readonly deferred?: DeferredWrites } }): Promise<void> {
  await engine.deferred?.run()
}

export function openDeferredWrites(): DeferredWrites {
  /** Replaced, never changed in place: marks refer to it. */
  let pending: ReadonlyMap<unknown, { readonly items: readonly unknown[]; run(items: readonly unknown[]): Promise<void> }> = new Map()
  return {
    add(tx, work, item) {
      const items = [...(pending.get(work)?.items ?? []), item]
      pending = new Map(pending).set(work, { items, run: (all) => work(tx, all as readonly (typeof item)[]) })
    },
    async run() {
      const due = pending
      pending = new Map()
      for (const { items, run } of due.values()) await run(items)
    },
    mark() {
      const marked = pending
      return () => {
        pending = marked
      }
    },
  }
}
