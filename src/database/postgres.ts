import { createHash } from 'node:crypto'
import { Kysely, type LogEvent, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import pg from 'pg'
import { type Instant, toInstant } from '../instant.ts'
import type { Observations } from '../observations.ts'
import { Problem } from '../problems.ts'
import type { BehindHandle, Engine, InstantSql, Tx } from './engine.ts'
import { afterLastTry, lostRace, toPostgresProblem } from './postgres-problems.ts'
import { StatementMemo } from './statement-memo.ts'
import type { Tables } from './tables.ts'

export interface PostgresSettings {
  readonly url: string
  readonly poolSize: number
  readonly statementTimeoutMs: number
  readonly lockTimeoutMs: number
  /** Statements are prepared once per connection; off behind poolers in transaction mode, which also forbid settings per session. */
  readonly prepare: boolean
  /** Whose clock counts: the database's, which all nodes share, or this process's. */
  readonly clock: 'database' | 'process'
}

/** How long a request waits for a connection before it is told that the database is away. */
const connectTimeoutMs = 2_500
/** An idle connection is closed after this time. */
const idleTimeoutMs = 30_000
/** How often work is run again that lost a race against another node's: a deadlock, or a name taken in the same moment. */
const maxTries = 10
/** Of Verso's own making: the key under which nodes that start together migrate one after the other. */
const migrationLock = 0x7665_7273
const bigint = 20
const serverInstant = sql<Instant>`to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** PostgreSQL 14 and later: a pool of connections; any number of nodes may share the database. */
export function openPostgres(settings: PostgresSettings, clock: () => Date, observations: Pick<Observations, 'statement'>): Engine {
  const pool = openPool(settings)
  const log = (event: LogEvent) => observations.statement(event.query.sql, event.queryDurationMillis)
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: guarded(pool, settings.prepare) }), log })
  const engine: BehindHandle = {
    memo: new StatementMemo(),
    clock: () => toInstant(clock()),
    nowSql: (now) => (settings.clock === 'database' ? serverInstant : sql<Instant>`${now}::text`),
  }
  return {
    abilities: { textType: 'text collate "C"', writesOneByOne: false },
    db: Object.assign(kysely, { engine }),
    now: async () => readInstant(kysely, engine.nowSql(engine.clock())),
    write: (work) => again(() => transaction(kysely, (tx) => work(Object.assign(tx, { engine }) as Tx)), maxTries),
    migrate: (work) =>
      transaction(kysely, async (tx) => {
        await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(tx)
        await work(tx as Kysely<unknown>)
      }),
    check: async () => [],
    close: () => kysely.destroy(),
  }
}

function openPool({ url, poolSize, statementTimeoutMs, lockTimeoutMs, prepare }: PostgresSettings): pg.Pool {
  const perSession = {
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
  }
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    application_name: 'verso',
    keepAlive: true,
    types: { getTypeParser: (oid, format) => (oid === bigint ? Number : pg.types.getTypeParser(oid, format)) },
    ...(prepare && perSession),
  })
  // A connection that the server ends emits an error; without a listener it would end the process. Who uses it next is told.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** A pool whose errors are said in the words of the contract, and whose statements are prepared. */
function guarded(pool: pg.Pool, prepare: boolean): PostgresPool {
  return {
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect().catch((error: unknown) => Promise.reject(toPostgresProblem(error)))
      return guardedClient(client, prepare)
    },
  }
}

function guardedClient(client: pg.PoolClient, prepare: boolean): PostgresPoolClient {
  let broken = false
  const query = async (text: string, values: readonly unknown[]) => {
    try {
      return await client.query({ text, values: [...values], ...(prepare && values.length > 0 && { name: nameOf(text) }) })
    } catch (error) {
      const problem = toPostgresProblem(error)
      broken ||= problem instanceof Problem
      throw text === 'commit' && problem instanceof Problem ? outcomeUnknown() : problem
    }
  }
  return { query, release: () => client.release(broken) } as unknown as PostgresPoolClient
}

async function readInstant(kysely: Kysely<Tables>, now: InstantSql): Promise<Instant> {
  const row = await kysely.selectNoFrom(now.as('now')).executeTakeFirstOrThrow()
  return row.now
}

async function transaction<T>(kysely: Kysely<Tables>, work: (tx: Kysely<Tables>) => Promise<T>): Promise<T> {
  return kysely.connection().execute(async (connection) => {
    await sql`begin`.execute(connection)
    try {
      const result = await work(connection)
      await sql`commit`.execute(connection)
      return result
    } catch (error) {
      // A connection that is lost has rolled back by itself, and says so when it is asked to.
      await sql`rollback`.execute(connection).catch(() => undefined)
      throw error
    }
  })
}

/** Runs work again from its start while it loses races; nothing of a lost try is kept. */
async function again<T>(work: () => Promise<T>, most: number): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!lostRace(error)) throw error
      if (tries === most) throw afterLastTry(error)
    }
  }
}

function outcomeUnknown(): Problem {
  const detail = 'The database went away during the commit; whether the write was kept is unknown. Read before you try again.'
  return new Problem('outcome_unknown', detail, { headers: { 'retry-after': '5' } })
}

/** A name for a prepared statement that is the same on every connection, and short enough (63 bytes). */
function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 32)
}
