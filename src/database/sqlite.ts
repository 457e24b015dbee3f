import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely, type LogEvent, type SqliteDatabase, SqliteDialect, sql } from 'kysely'
import { type Instant, instantsOf } from '../instant.ts'
import type { Observations } from '../observations.ts'
import type { BehindHandle, Engine, Tx } from './engine.ts'
import { toProblem } from './sqlite-problems.ts'
import { transactionsOn } from './sqlite-transaction.ts'
import { stampOf } from './stamp.ts'
import { StatementMemo } from './statement-memo.ts'
import type { Tables } from './tables.ts'
import { openWriteGroups } from './write-groups.ts'

/** How long a write waits for another process (a command beside the server) before it gives up. */
const busyTimeoutMs = 5_000
/** Page cache per connection, in KiB. */
const cacheKib = 16 * 1024

type Watch = Pick<Observations, 'statement' | 'writeBatch'>

/** SQLite in a file of its own: one connection that writes, one that reads beside it (WAL), every commit flushed to the disk. */
export function openSqlite(path: string, clock: () => Date, observations: Watch): Engine {
  mkdirSync(dirname(path), { recursive: true })
  const writer = connect(path)
  const reader = connect(path)
  const writing = kyselyOn(writer, observations)
  const reading = kyselyOn(reader, observations)
  // Another number after every commit of another connection, and all writes are made on another (https://sqlite.org/pragma.html#pragma_data_version).
  const version = reader.prepare<[], number>('pragma data_version').pluck()
  const stamp = stampOf(() => version.get() ?? 0)
  const engine: BehindHandle = {
    memo: new StatementMemo(),
    invertedIndex: 'fts5',
    skipsLockedRows: false,
    isAmong: (column, words) => sql`${sql.ref(column)} in (select value from json_each('["' || replace(${words}, ' ', '","') || '"]'))`,
    clock: instantsOf(clock),
    nowSql: (now) => sql<Instant>`${now}`,
    // One transaction writes at a time: there is no other.
    claim: async (_, [first]) => first,
    await: async () => true,
  }
  const transactions = transactionsOn(writing, writer)
  const groups = openWriteGroups<Kysely<Tables>>(
    { ...transactions, run: (work) => transactions.run(work).finally(stamp.forget) },
    observations,
  )
  const withEngine = (connection: Kysely<Tables>) => Object.assign(connection, { engine }) as Tx
  return {
    abilities: { textType: 'text', writesOneByOne: true },
    db: Object.assign(reading, { engine }),
    now: async () => engine.clock(),
    stamp,
    write: (work) => groups.join((connection) => work(withEngine(connection))),
    alone: (work) => groups.apart((connection) => work(withEngine(connection))),
    snapshot: (work) => unchanging(kyselyOn(connect(path), observations), (db) => work(Object.assign(db, { engine }))),
    migrate: (work) => groups.apart((connection) => work(connection as Kysely<unknown>)),
    check: async () => [...pragmaFaults(reader, 'integrity_check'), ...pragmaFaults(reader, 'foreign_key_check')],
    async close() {
      await groups.idle()
      await reading.destroy()
      await writing.destroy()
    },
  }
}

function connect(path: string): Database.Database {
  const database = new Database(path, { timeout: busyTimeoutMs })
  database.pragma('journal_mode = wal')
  // better-sqlite3 is compiled with synchronous=NORMAL under WAL, which loses acknowledged writes in a power cut.
  database.pragma('synchronous = full')
  database.pragma('foreign_keys = on')
  database.pragma(`cache_size = -${cacheKib}`)
  return database
}

function pragmaFaults(database: Database.Database, pragma: 'integrity_check' | 'foreign_key_check'): readonly string[] {
  const rows = database.pragma(pragma) as readonly Readonly<Record<string, unknown>>[]
  return rows.map((row) => Object.values(row).join(' ')).filter((fault) => fault !== 'ok')
}

function kyselyOn(database: Database.Database, observations: Watch): Kysely<Tables> {
  const log = (event: LogEvent) => observations.statement(event.query.sql, event.queryDurationMillis)
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: keepingStatements(database) }), log })
}

/** Compiles a statement once and keeps it: the program has a bounded number of different ones. */
function keepingStatements(database: Database.Database): SqliteDatabase {
  const kept = new Map<string, ReturnType<SqliteDatabase['prepare']>>()
  const most = 1_000
  return {
    close: () => database.close(),
    prepare(text) {
      const known = kept.get(text)
      if (known) return known
      if (kept.size >= most) kept.clear()
      const statement = database.prepare(text) as unknown as ReturnType<SqliteDatabase['prepare']>
      kept.set(text, statement)
      return statement
    },
  }
}

/** Reading work on a connection of its own, which is closed afterwards. */
async function unchanging<T>(own: Kysely<Tables>, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  try {
    return await own.connection().execute(async (connection) => {
      await sql`begin`.execute(connection)
      return work(connection)
    })
  } catch (error) {
    throw toProblem(error)
  } finally {
    await own.destroy()
  }
}
