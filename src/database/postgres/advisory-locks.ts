import { sql } from 'kysely'
import type { Tx } from '../engine.ts'
import { isTiredOfWaiting, WouldBlock } from './postgres-errors.ts'

/** The server tries one name after the other and stops at the first whose lock it gets. */
export async function claim(tx: Tx, names: readonly string[]): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${names}::text[]) as name where pg_try_advisory_xact_lock(hashtextextended(name, 0)) limit 1
  `.execute(tx)
  return rows[0]?.name
}

/** The lock that `claim` tries, waited for. */
export async function awaitClaim(tx: Tx, name: string, { patienceMs, usualMs }: { patienceMs: number; usualMs: number }): Promise<boolean> {
  try {
    await sql`select set_config('lock_timeout', ${`${patienceMs}ms`}, true)`.execute(tx)
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
    await sql`select set_config('lock_timeout', ${`${usualMs}ms`}, true)`.execute(tx)
    return true
  } catch (error) {
    if (isTiredOfWaiting(error)) return false
    throw error
  }
}

/** The same for those who may not wait, since others wait for them: `WouldBlock` where somebody has it. */
export async function claimOrLeave(tx: Tx, name: string): Promise<boolean> {
  const { rows } = await sql<{ claimed: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as claimed`.execute(tx)
  if (rows[0]?.claimed) return true
  throw new WouldBlock()
}
