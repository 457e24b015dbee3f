import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'
import { afterLastTry, lostRace } from './postgres-errors.ts'
import { limitsOf, type PoolSettings } from './postgres-settings.ts'

/** How often work is run again that lost a race against another node's: a deadlock, or a name taken in the same moment. */
const maxTries = 10
/** Of Verso's own making: the key of the lock under which work that lost a race takes turns. */
const secondTries = 0x7665_7274

/** How long a statement may take in a transaction that several writes share, and how long it may wait in there for other transactions. */
const sharedStatementMs = 1_000
const sharedLockMs = 300

/** The mode on which writers rely; a server may be configured for another one. */
const readCommitted = 'isolation level read committed'
/** The mode of a transaction that sees one state from its beginning to its end. */
export const unchanging = 'isolation level repeatable read read only'

/** Runs work between `begin`, said as given, and a commit; or undoes it where it fails. It is told what the last statement of the beginning found. */
export async function transaction<T>(
  kysely: Kysely<Tables>,
  begin: string,
  work: (tx: Kysely<Tables>, found: readonly unknown[]) => Promise<T>,
): Promise<T> {
  return kysely.connection().execute(async (connection) => {
    try {
      const { rows } = await sql.raw(begin).execute(connection)
      const result = await work(connection, rows)
      await sql`commit`.execute(connection)
      return result
    } catch (error) {
      // A connection that is lost has rolled back by itself, and says so when it is asked to.
      await sql`rollback`.execute(connection).catch(() => undefined)
      throw error
    }
  })
}

/**
 * Runs work again from its start while it loses races; nothing of a lost try is kept. Who has lost once takes turns with all who have,
 * on every node, so that a crowd around one resource thins out instead of being overtaken again and again.
 */
export async function again<T>(work: (begin: string) => Promise<T>, settings: PoolSettings): Promise<T> {
  const first = settings.prepare ? `begin ${readCommitted}` : beginWithin(settings)
  const later = `${first}; select pg_advisory_xact_lock(${secondTries})`
  for (let tries = 1; ; tries++) {
    try {
      return await work(tries === 1 ? first : later)
    } catch (error) {
      if (!lostRace(error)) throw error
      if (tries === maxTries) throw afterLastTry(error)
    }
  }
}

/** Begins a transaction that several share: none of them waits for longer than the others, and those behind them, can put up with. */
export function beginSharing({ statementTimeoutMs, lockTimeoutMs, ...settings }: PoolSettings): string {
  const limits = { statementTimeoutMs: atMost(statementTimeoutMs, sharedStatementMs), lockTimeoutMs: atMost(lockTimeoutMs, sharedLockMs) }
  return beginWithin({ ...settings, ...limits })
}

/** Sets how long the last statements of such a transaction may wait for the other nodes' counterparts. */
export function waitLonger({ lockTimeoutMs }: PoolSettings): string {
  return `set local lock_timeout = ${atMost(lockTimeoutMs, sharedStatementMs)}`
}

function atMost(ms: number, most: number): number {
  return ms === 0 ? most : Math.min(ms, most)
}

/** Begins a transaction with limits of its own, for connections that have none or other ones. */
export function beginWithin(settings: PoolSettings, mode = readCommitted): string {
  return [`begin ${mode}`, ...Object.entries(limitsOf(settings)).map(([name, ms]) => `set local ${name} = ${ms}`)].join('; ')
}
