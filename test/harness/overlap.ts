import { sql } from 'kysely'
import type { App } from '../../src/app/start-app.ts'
import type { Tx } from '../../src/database/engine.ts'

/** Something that a test lets happen when it wants to. */
export function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

/** Until a transaction on PostgreSQL waits for a lock of another: before, nobody knows which of them comes first. */
export async function someoneWaits({ installation: { db } }: App, isOver: () => boolean = () => false): Promise<void> {
  const waiting = sql`select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  while (!isOver() && (await waiting.execute(db)).rows.length === 0);
}

/** Begins the second write while the transaction of the first is open, which ends only when the second waits for it or is done. */
export async function overlap<T>(
  app: App,
  first: (tx: Tx) => Promise<unknown>,
  second: () => Promise<T>,
): Promise<PromiseSettledResult<T>> {
  const { engine, db } = app.installation
  const [begun, end] = [gate(), gate()]
  const held = engine.write(async (tx) => {
    await first(tx)
    begun.open()
    await end.opened
  })
  await Promise.race([begun.opened, held])
  let isOver = false
  const other = second().finally(() => {
    isOver = true
  })
  const outcome = Promise.allSettled([other])
  if (db.engine.skipsLockedRows) await someoneWaits(app, () => isOver)
  end.open()
  await held
  const [settled] = await outcome
  return settled
}
