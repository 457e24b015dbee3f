import type { LastWork, PutOff, Tx } from './engine.ts'

/** Does this as one of the last resources of the transaction, once for all who share it: what it locks is then held for the commit alone. */
export async function doLast<I>(tx: Tx, work: LastWork<I>, item: I): Promise<void> {
  if (tx.engine.putOff) tx.engine.putOff.add(tx, work, item)
  else await work(tx, [item])
}

/** Must come before reading what is written last. */
export async function catchUp({ engine }: { readonly engine: { readonly putOff?: PutOff } }): Promise<void> {
  await engine.putOff?.catchUp()
}

export function openPutOff(): PutOff {
  /** Never changed in place, so that a mark holds. */
  let waiting: ReadonlyMap<unknown, { readonly items: readonly unknown[]; run(items: readonly unknown[]): Promise<void> }> = new Map()
  return {
    add(tx, work, item) {
      const items = [...(waiting.get(work)?.items ?? []), item]
      waiting = new Map(waiting).set(work, { items, run: (all) => work(tx, all as readonly (typeof item)[]) })
    },
    async catchUp() {
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
