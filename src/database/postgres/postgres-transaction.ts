import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'
import { afterLastTry, lostRace } from './postgres-errors.ts'
import { limitsOf, type PoolSettings } from './postgres-settings.ts'

/** For work that loses a race: a deadlock, or a name that another transaction takes at the same time. */
const maxTries = 10
/** The key of an advisory lock under which retries take turns. */
const retryLock = 0x7665_7274

/** Limits for statements and locks in a transaction that several writes share. */
const sharedStatementMs = 1_000
const sharedLockMs = 300
/** The limit for the pauses between them: work on large texts takes a busy machine a while. */
const sharedPauseMs = 5_000

/** Writers rely on it; a server may have another default. */
const readCommitted = 'isolation level read committed'
const readOnlySnapshot = 'isolation level repeatable read read only'

/** Runs work in a transaction that `begin` begins. `found` is the result of the last statement of `begin`. */
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
      // A lost connection has rolled back already, and rejects.
      await sql`rollback`.execute(connection).catch(() => undefined)
      throw error
    }
  })
}

/** Runs work, and retries it whenever it loses a race. Retries take turns on all nodes, so that each one gets through. */
export async function retryLostRaces<T>(work: (begin: string) => Promise<T>, settings: PoolSettings): Promise<T> {
  const first = settings.prepare ? `begin ${readCommitted}` : beginWithin(settings)
  const later = `${first}; select pg_advisory_xact_lock(${retryLock})`
  for (let tries = 1; ; tries++) {
    try {
      return await work(tries === 1 ? first : later)
    } catch (error) {
      if (!lostRace(error)) throw error
      if (tries === maxTries) throw afterLastTry(error)
    }
  }
}

/** Begins a transaction that several writes share, with short limits: while one of them waits, all wait. */
export function beginShared({ statementTimeoutMs, lockTimeoutMs, ...settings }: PoolSettings): string {
  const limits = { statementTimeoutMs: atMost(statementTimeoutMs, sharedStatementMs), lockTimeoutMs: atMost(lockTimeoutMs, sharedLockMs) }
  const pause = atMost(statementTimeoutMs, sharedPauseMs)
  return `${beginWithin({ ...settings, ...limits })}; set local idle_in_transaction_session_timeout = ${pause}`
}

/** Allows the last statements of a shared transaction, which update counters, to wait longer for other nodes. */
export function extendLockTimeout({ lockTimeoutMs }: PoolSettings): string {
  return `set local lock_timeout = ${atMost(lockTimeoutMs, sharedStatementMs)}`
}

function atMost(ms: number, most: number): number {
  return ms === 0 ? most : Math.min(ms, most)
}

/** Begins a transaction with its own limits instead of the connection's. */
export function beginWithin(settings: PoolSettings, mode = readCommitted): string {
  return [`begin ${mode}`, ...Object.entries(limitsOf(settings)).map(([name, ms]) => `set local ${name} = ${ms}`)].join('; ')
}

/**
 * Begins a snapshot for statements that may take long. Each is planned for its values, which takes a millisecond or two:
 * a plan for any values expects few rows, and takes many times as long for a frequent word. Each has one processor, and leaves the others free.
 */
export function beginSnapshot(settings: PoolSettings): string {
  const planning = 'set local plan_cache_mode = force_custom_plan; set local max_parallel_workers_per_gather = 0'
  return `${beginWithin(settings, readOnlySnapshot)}; ${planning}`
}
