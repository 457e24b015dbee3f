import { Kysely, type LogEvent, PostgresDialect, type PostgresPool, sql } from 'kysely'
import { type Instant, toInstant } from '../../values/instant.ts'
import type { Observations } from '../../values/observations.ts'
import type { Db, Engine, EngineAbilities, InstantSql, Tx } from '../engine.ts'
import { openPlaces } from '../queues/long-reads.ts'
import { StatementCache } from '../statement-cache.ts'
import type { Tables } from '../tables.ts'
import { awaitClaim, claim } from './advisory-locks.ts'
import { beginSchemaChange, beginSnapshots, type Citus, findCitus, findServer, listTablePlaces, shardTables } from './citus.ts'
import { isSchemaClash } from './postgres-errors.ts'
import { findPostgresFaults, requireSuitable } from './postgres-health.ts'
import { openPool } from './postgres-pool.ts'
import type { PoolSettings, PostgresSettings } from './postgres-settings.ts'
import { beginSnapshot, beginWithin, retryLostRaces, transaction } from './postgres-transaction.ts'
import { openWrites, type Work } from './postgres-writes.ts'
import { type GuardedServers, openShardServers, type Places, poolOf } from './shard-servers.ts'

type Watch = Pick<Observations, 'statement' | 'writeBatch'>

/** The key of an advisory lock, so that nodes that start together migrate one after the other. */
const migrationLock = 0x7665_7273
/** Waits for running writers, which share a lock of the table (`postgres-writes.ts`), and blocks new ones. */
const lockOutWriters = 'lock table installation in access exclusive mode'
const serverInstant = sql<Instant>`to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** PostgreSQL 14 and later: a pool of connections; any number of nodes may share the database. Its tables may be sharded with Citus. */
export async function openPostgres(settings: PostgresSettings, clock: () => Date, watch: Watch): Promise<Engine> {
  const pool = openPool(settings)
  const kysely = kyselyOn(pool, watch)
  try {
    const citus = await findCitus(kysely)
    if (citus !== 'sharded') return openEngine({ settings, pool, kysely, citus }, clock, watch)
    const servers = openShardServers({
      places: placesOf(settings.poolSize - pool.reserved.places, citus),
      find: (id) => findServer(pool, id),
    })
    const engine = openEngine({ settings, pool, kysely: kyselyOn(poolOf(pool, servers), watch), citus, servers }, clock, watch)
    // The other handle may not have been used yet, and then it would not close the pool.
    return { ...engine, close: () => kysely.destroy() }
  } catch (error) {
    await kysely.destroy()
    throw error
  }
}

interface Opened {
  readonly settings: PostgresSettings
  readonly pool: ReturnType<typeof openPool>
  readonly kysely: Kysely<Tables>
  readonly citus: Citus
  readonly servers?: GuardedServers
}

function openEngine({ settings, pool, kysely, citus, servers }: Opened, clock: () => Date, watch: Watch): Engine {
  const forLookUps = pool.reserved.places > 0 ? kyselyOn(pool.reserved, watch) : kysely
  const engine: EngineAbilities = {
    statements: new StatementCache(),
    textType: 'text collate "C"',
    invertedIndex: 'gin',
    skipsLockedRows: true,
    mergesWhole: false,
    isSharded: citus === 'sharded',
    ...(servers && { servers }),
    // Citus would run each part of such a statement by itself and pass the rows through the coordinator.
    ...(citus !== 'sharded' && { writesInside }),
    isAmong: (column, words) => sql`${sql.ref(column)} = any(string_to_array(${words}, ' '))`,
    pause: async () => undefined,
    clock: () => toInstant(clock()),
    nowSql: (now) => (settings.clock === 'database' ? serverInstant : sql<Instant>`${now}::text`),
    claim,
    awaitClaim: (tx, name, maxWaitMs) => awaitClaim(tx, name, { maxWaitMs, usualMs: settings.lockTimeoutMs }),
    isSchemaClash,
  }
  const inTransaction = <T>(begin: string, work: Work<T>, abilities = engine): Promise<T> =>
    transaction(kysely, begin, (tx, found) => work(Object.assign(tx, { engine: abilities }) as Tx, found))
  const connections = settings.poolSize - pool.reserved.places
  const { write: places, longRead } = placesOf(connections, citus)
  const longReads = openPlaces(() => longRead)
  const inSnapshot = <T>(work: (db: Db) => Promise<T>) =>
    transaction(kysely, beginSnapshot(settings), (db) => work(Object.assign(db, { engine })))
  const alone: Engine['alone'] = (work) => retryLostRaces((begin) => inTransaction(`${begin}; ${lockOutWriters}`, work), settings)
  return {
    db: Object.assign(kysely, { engine }),
    forLookUps: { db: Object.assign(forLookUps, { engine }), most: Math.max(1, pool.reserved.places) },
    now: async () => readInstant(kysely, engine.nowSql(engine.clock())),
    write: openWrites({ settings, inTransaction, places, watch, engine, servers }),
    alone,
    longRead(asker, work) {
      const read = async () => {
        const leave = await longReads.enter(asker)
        return inSnapshot(work).finally(leave)
      }
      return servers ? servers.within(asker.projectId, asker, read) : read()
    },
    // Every server takes its snapshot while nobody writes, so that together they are the state of one instant.
    snapshot: servers ? (work) => inSnapshot((db) => alone(() => beginSnapshots(db)).then(() => work(db))) : inSnapshot,
    migrate: (work) => migrate({ settings, watch, citus }, work),
    ...(citus !== 'none' && {
      sharding: {
        shard: () =>
          migrate({ settings, watch, citus: 'present' }, (schema) =>
            sql
              .raw(lockOutWriters)
              .execute(schema)
              .then(() => shardTables(schema)),
          ),
        places: () => listTablePlaces(kysely),
      },
    }),
    analyze: () =>
      transaction(kysely, beginWithin({ ...settings, statementTimeoutMs: 0 }), async (tx) => void (await sql`analyze`.execute(tx))),
    check: () => findPostgresFaults(kysely),
    close: () => kysely.destroy(),
  }
}

function kyselyOn(pool: PostgresPool, watch: Watch): Kysely<Tables> {
  const log = (event: LogEvent) => watch.statement(event.query.sql, event.queryDurationMillis)
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), log })
}

const writesInside = { claim: (name: string) => sql<boolean>`pg_try_advisory_xact_lock(hashtextextended(${name}, 0))` }

interface Migrating {
  readonly settings: PoolSettings
  readonly watch: Watch
  readonly citus: Citus
}

/** Migrations run on their own connection, without time limits. In a sharded database, new tables are sharded too. */
async function migrate<T>({ settings, watch, citus }: Migrating, work: (schema: Kysely<unknown>) => Promise<T>): Promise<T> {
  const unlimited = { ...settings, poolSize: 1, statementTimeoutMs: 0, lockTimeoutMs: 0 }
  const kysely = kyselyOn(openPool(unlimited), watch)
  try {
    return await transaction(kysely, beginWithin(unlimited), async (tx) => {
      await requireSuitable(tx)
      await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(tx)
      if (citus !== 'none') await sql.raw(beginSchemaChange).execute(tx)
      const result = await work(tx as Kysely<unknown>)
      if (citus === 'sharded') await shardTables(tx as Kysely<unknown>)
      return result
    })
  } finally {
    await kysely.destroy()
  }
}

/**
 * Writes leave a quarter of the connections to reads. Long reads have a quarter, so that short ones find a connection beside them; where servers
 * share them, and some stay free for others, a third.
 */
function placesOf(connections: number, citus: Citus): Places {
  return {
    all: connections,
    write: Math.max(1, Math.floor(connections * 0.75)),
    longRead: Math.max(1, Math.floor(connections / (citus === 'sharded' ? 3 : 4))),
  }
}

async function readInstant(kysely: Kysely<Tables>, now: InstantSql): Promise<Instant> {
  const row = await kysely.selectNoFrom(now.as('now')).executeTakeFirstOrThrow()
  return row.now
}
