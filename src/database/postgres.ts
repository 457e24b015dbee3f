import { Kysely, type LogEvent, PostgresDialect, type PostgresPool, sql } from 'kysely'
import { type Instant, toInstant } from '../instant.ts'
import type { Observations } from '../observations.ts'
import type { BehindHandle, Engine, InstantSql, Tx } from './engine.ts'
import { type InstallationState, requireOpen } from './installation-state.ts'
import { findPostgresFaults, requireSuitable } from './postgres-check.ts'
import { openPool } from './postgres-pool.ts'
import { crowded, isTiredOfWaiting } from './postgres-problems.ts'
import type { PoolSettings, PostgresSettings } from './postgres-settings.ts'
import { again, beginWithin, transaction, unchanging } from './postgres-transaction.ts'
import { StatementMemo } from './statement-memo.ts'
import type { Tables } from './tables.ts'
import { openTurnstile } from './turnstile.ts'

type Watch = Pick<Observations, 'statement'>

/** How long a write waits until another of the same node is done, where as many are under way as may be. */
const patienceMs = 15_000
/** Of Verso's own making: the key of the lock under which nodes that start together migrate one after the other. */
const migrationLock = 0x7665_7273
/**
 * In the one trip to the database that begins a writing transaction, it asks whether the installation takes writes. Having asked, it holds a
 * lock for which `keepWritersOut` alone waits: a writer is either done when an installation is closed, or finds it closed.
 */
const askState = 'select state from installation'
const keepWritersOut = 'lock table installation in access exclusive mode'
const serverInstant = sql<Instant>`to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** PostgreSQL 14 and later: a pool of connections; any number of nodes may share the database. */
export function openPostgres(settings: PostgresSettings, clock: () => Date, watch: Watch): Engine {
  const pool = openPool(settings)
  const kysely = kyselyOn(pool, watch)
  const lookingUp = pool.kept.places > 0 ? kyselyOn(pool.kept, watch) : kysely
  const engine: BehindHandle = {
    memo: new StatementMemo(),
    invertedIndex: 'gin',
    skipsLockedRows: true,
    mergesWhole: false,
    isAmong: (column, words) => sql`${sql.ref(column)} = any(string_to_array(${words}, ' '))`,
    clock: () => toInstant(clock()),
    nowSql: (now) => (settings.clock === 'database' ? serverInstant : sql<Instant>`${now}::text`),
    claim,
    await: (tx, name, patienceMs) => awaitClaim(tx, name, { patienceMs, usualMs: settings.lockTimeoutMs }),
  }
  const inTurn = writersApart(settings.poolSize - pool.kept.places)
  const inTransaction = <T>(first: string, work: (tx: Tx, found: readonly unknown[]) => Promise<T>): Promise<T> =>
    again((begin) => transaction(kysely, `${begin}; ${first}`, (tx, found) => work(Object.assign(tx, { engine }) as Tx, found)), settings)
  return {
    abilities: { textType: 'text collate "C"', writesOneByOne: false },
    db: Object.assign(kysely, { engine }),
    forLookUps: { db: Object.assign(lookingUp, { engine }), most: Math.max(1, pool.kept.places) },
    now: async () => readInstant(kysely, engine.nowSql(engine.clock())),
    write: (work) =>
      inTurn(() =>
        inTransaction(askState, (tx, [installation]) => {
          requireOpen((installation as { readonly state: InstallationState } | undefined)?.state)
          return work(tx)
        }),
      ),
    alone: (work) => inTransaction(keepWritersOut, work),
    snapshot: (work) => transaction(kysely, beginWithin(settings, unchanging), (db) => work(Object.assign(db, { engine }))),
    migrate: (work) => migrate(settings, watch, work),
    check: () => findPostgresFaults(kysely),
    close: () => kysely.destroy(),
  }
}

function kyselyOn(pool: PostgresPool, watch: Watch): Kysely<Tables> {
  const log = (event: LogEvent) => watch.statement(event.query.sql, event.queryDurationMillis)
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), log })
}

/** Migrations take as long as they take: on a connection of their own, without limits. */
async function migrate<T>(settings: PoolSettings, watch: Watch, work: (schema: Kysely<unknown>) => Promise<T>): Promise<T> {
  const unlimited = { ...settings, poolSize: 1, statementTimeoutMs: 0, lockTimeoutMs: 0 }
  const kysely = kyselyOn(openPool(unlimited), watch)
  try {
    return await transaction(kysely, beginWithin(unlimited), async (tx) => {
      await requireSuitable(tx)
      await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(tx)
      return work(tx as Kysely<unknown>)
    })
  } finally {
    await kysely.destroy()
  }
}

/** Leaves a part of the connections to reads: writes of one project wait for each other anyway, and reads need not wait with them. */
function writersApart(poolSize: number): <T>(work: () => Promise<T>) => Promise<T> {
  const line = openTurnstile({ places: Math.max(1, Math.floor(poolSize * 0.75)), patienceMs, tooLong: crowded })
  return async (work) => {
    const leave = await line.enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}

/** The server tries one name after the other and stops at the first whose lock it gets. */
async function claim(tx: Tx, names: readonly string[]): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${names}::text[]) as name where pg_try_advisory_xact_lock(hashtextextended(name, 0)) limit 1
  `.execute(tx)
  return rows[0]?.name
}

/** The lock that `claim` tries, waited for. */
async function awaitClaim(tx: Tx, name: string, { patienceMs, usualMs }: { patienceMs: number; usualMs: number }): Promise<boolean> {
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

async function readInstant(kysely: Kysely<Tables>, now: InstantSql): Promise<Instant> {
  const row = await kysely.selectNoFrom(now.as('now')).executeTakeFirstOrThrow()
  return row.now
}
