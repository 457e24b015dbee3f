import { sql } from 'kysely'
import type { Tx } from '../engine.ts'
import { isLockTimeout, WouldBlock } from './postgres-errors.ts'

/** Tries the names in turn and returns the first whose lock it gets. */
export async function claim(tx: Tx, names: readonly string[]): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${names}::text[]) as name where pg_try_advisory_xact_lock(hashtextextended(name, 0)) limit 1
  `.execute(tx)
  return rows[0]?.name
}

/** Waits for the lock of one name; false after `maxWaitMs`. */
export async function awaitClaim(tx: Tx, name: string, { maxWaitMs, usualMs }: { maxWaitMs: number; usualMs: number }): Promise<boolean> {
  try {
    await sql`select set_config('lock_timeout', ${`${maxWaitMs}ms`}, true)`.execute(tx)
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
    await sql`select set_config('lock_timeout', ${`${usualMs}ms`}, true)`.execute(tx)
    return true
  } catch (error) {
    if (isLockTimeout(error)) return false
    throw error
  }
}

/** Claims a name in a shared transaction, which must not wait: throws `WouldBlock` if another transaction has the lock. */
export async function claimOrThrow(tx: Tx, name: string): Promise<boolean> {
  const { rows } = await sql<{ claimed: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as claimed`.execute(tx)
  if (rows[0]?.claimed) return true
  throw new WouldBlock()
}
