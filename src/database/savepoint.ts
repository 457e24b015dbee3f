import { sql } from 'kysely'
import type { Tx } from './engine.ts'

/** Runs a part of a transaction. If it rejects, only that part is rolled back, and the transaction can go on. */
export async function attempt<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await sql`savepoint attempt`.execute(tx)
  const restore = tx.engine.deferred?.mark()
  try {
    const result = await work()
    await sql`release savepoint attempt`.execute(tx)
    return result
  } catch (error) {
    restore?.()
    await sql`rollback to savepoint attempt`.execute(tx)
    await sql`release savepoint attempt`.execute(tx)
    throw error
  }
}
