import Database from 'better-sqlite3'
import { Kysely, type LogEvent, type SqliteDatabase, SqliteDialect, sql } from 'kysely'
import type { Context } from '../../context.ts'
import { BoundedMap } from '../../values/bounded-map.ts'
import { type Instant, instantsOf } from '../../values/instant.ts'
import type { Observations } from '../../values/observations.ts'
import { startStopwatch } from '../../values/stopwatch.ts'
import { type Engine, type EngineAbilities, RunsByItself, runByItself, type Tx } from '../engine.ts'
import { openWriteGroups } from '../group-commit.ts'
import { StatementCache } from '../statement-cache.ts'
import type { Tables } from '../tables.ts'
import { UnsupportedDatabase } from '../unsupported-database.ts'
import { prepareFiles, wideModes } from './database-files.ts'
import { dropErasedWords, markErasure } from './erased-words.ts'
import { openFileUse } from './file-use.ts'
import { openFlushes } from './fsync-queue.ts'
import { openReaderThreads } from './reader-threads.ts'
import { isSchemaClash, toProblem } from './sqlite-errors.ts'
import { transactionsOn } from './sqlite-transaction.ts'
import { openUpkeep } from './upkeep-worker.ts'
import { openWriterThread } from './writer-thread.ts'

/** Prepared statements per connection. */
const maxStatements = 1_000
/** How long a transaction that pauses holds the event loop. */
const mostWithoutPauseMs = 10
/** Page cache of a connection, in KiB. The writer's is smaller: a commit writes all that is changed in it to the log, in one go. */
const [cacheKib, writerCacheKib] = [16 * 1024, 4 * 1024]

/** What is kept of a log that a long reader has let grow, in bytes: more than large writes need. */
const logBytesKept = 160 * 1024 * 1024

/** How long the engine itself waits for a lock: at the start, and in a read, which hardly ever meets one. */
const [openTimeoutMs, readTimeoutMs] = [5_000, 250]

const withoutLog = 'SQLite cannot keep its log (WAL) beside the database: the folder must be writable and on a disk of this machine.'

type Watch = Pick<Observations, 'statement' | 'writeBatch' | 'flushFailed'>

/** A SQLite file with one connection that writes and one that reads (WAL). Both wait for the same flush. */
export function openSqlite(path: string, context: Pick<Context, 'now' | 'openFile'>, observations: Watch): Engine {
  const files = prepareFiles(path)
  const writer = connect(path)
  const reader = connect(path)
  // From here on, waiting blocks the event loop. Writes wait beside it (`sqlite-transaction.ts`).
  writer.pragma('busy_timeout = 0')
  writer.pragma(`cache_size = -${writerCacheKib}`)
  reader.pragma(`busy_timeout = ${readTimeoutMs}`)
  const writing = kyselyOn(writer, observations)
  const reading = kyselyOn(reader, observations)
  const openLog = () => context.openFile(files.log())
  const durability = openFlushes({
    foreign: dataVersion(writer),
    readable: dataVersion(reader),
    openFile: openLog,
    onFailure: observations.flushFailed,
  })
  const engine = abilitiesWith(context.now)
  const threadParts = { path, log: statementLog(observations) }
  const threads = openReaderThreads(threadParts)
  const transactions = transactionsOn(writing, writer, durability.requireSound)
  const writerThread = openWriterThread({
    ...threadParts,
    requireSound: durability.requireSound,
    requireOpen: transactions.requireOpen,
    flushFailed: durability.failed,
  })
  const upkeep = openUpkeep({
    path,
    logBytesKept,
    pagesWaiting: pagesWaiting(writer),
    rowsWritten: numberIn(writer, 'select total_changes()'),
    lastResort: () => checkpointOn(writer),
  })
  const flush = () => {
    upkeep.committed()
    const [overdue, flushed] = [upkeep.overdue(), durability.flush()]
    return overdue ? overdue.then(() => flushed) : flushed
  }
  const groups = openWriteGroups({ ...transactions, flush }, observations)
  const use = openFileUse({ writer, files, groups, openLog })
  const withEngine = (connection: Kysely<Tables>, abilities = engine) => Object.assign(connection, { engine: abilities }) as Tx
  const onEventLoop: EngineAbilities = { ...engine, runByItself }
  return {
    db: Object.assign(reading, { engine }),
    now: async () => engine.clock(),
    durability,
    async write(work) {
      try {
        return await groups.join((connection) => work(withEngine(connection, onEventLoop)))
      } catch (error) {
        if (!(error instanceof RunsByItself)) throw error
      }
      return groups.alone((connection) => work(withEngine(connection)), writerThread.run)
    },
    alone: (work) => groups.alone((connection) => work(withEngine(connection))),
    longRead: (asker, work) => threads.read(asker, (connection) => work(Object.assign(connection, { engine }))),
    snapshot: (work) => inSnapshot(kyselyOn(connect(path), observations), (db) => work(Object.assign(db, { engine }))),
    migrate: (work) => groups.alone((connection) => work(connection as Kysely<unknown>)),
    check: async () => faultsIn(path),
    serving: { warnings: () => wideModes(path), begin: use.begin },
    missingLog: use.missingLog,
    async close() {
      await groups.idle()
      const wasServing = await use.end()
      await upkeep.close()
      // A command beside the service leaves that to the service.
      if (wasServing) dropErasedWords(writer)
      await durability.close()
      await threads.close()
      await writerThread.close()
      await reading.destroy()
      if (!wasServing) use.unmarkIfLast()
      await writing.destroy()
    },
  }
}

function abilitiesWith(now: Context['now']): EngineAbilities {
  return {
    statements: new StatementCache(),
    textType: 'text',
    invertedIndex: 'fts5',
    skipsLockedRows: false,
    mergesWhole: true,
    isSharded: false,
    isAmong: (column, words) => sql`${sql.ref(column)} in (select value from json_each('["' || replace(${words}, ' ', '","') || '"]'))`,
    pause: pausing(),
    clock: instantsOf(now),
    nowSql: (clock) => sql<Instant>`${clock}`,
    // There is only one writing transaction at a time.
    claim: async (_, [first]) => first,
    awaitClaim: async () => true,
    isSchemaClash,
    noteErasure: markErasure,
  }
}

/** Every statement blocks the event loop. */
function pausing(): () => Promise<void> {
  let elapsed = startStopwatch()
  return async () => {
    if (elapsed() < mostWithoutPauseMs) return
    await new Promise(setImmediate)
    elapsed = startStopwatch()
  }
}

function connect(path: string): Database.Database {
  const database = new Database(path, { timeout: openTimeoutMs })
  if (database.pragma('journal_mode = wal', { simple: true }) !== 'wal') throw new UnsupportedDatabase(withoutLog)
  // A commit does not flush the log. `fsync-queue.ts` does, off the event loop (ADR 20).
  database.pragma('synchronous = normal')
  // SQLite would count all pages of the log, also those that a checkpoint has copied. `upkeep-worker.ts` makes them.
  database.pragma('wal_autocheckpoint = 0')
  // Rollback of a statement would otherwise need a writable folder for temporary files.
  database.pragma('temp_store = memory')
  // What is erased is overwritten with zeros.
  database.pragma('secure_delete = on')
  database.pragma('foreign_keys = on')
  database.pragma(`cache_size = -${cacheKib}`)
  return database
}

/** Changes with every commit of another connection (https://sqlite.org/pragma.html#pragma_data_version). */
function dataVersion(database: Database.Database): () => number {
  return numberIn(database, 'pragma data_version')
}

/** Pages of the log that are not in the database's file (https://sqlite.org/pragma.html#pragma_wal_checkpoint). */
function pagesWaiting(database: Database.Database): () => number {
  const statement = database.prepare<[], { readonly log: number; readonly checkpointed: number }>('pragma wal_checkpoint(noop)')
  return () => {
    const { log, checkpointed } = statement.get() ?? { log: 0, checkpointed: 0 }
    return log - checkpointed
  }
}

function checkpointOn(database: Database.Database): void {
  try {
    database.pragma('wal_checkpoint(passive)')
  } catch {
    // A full disk, or a failed one: the log stays.
  }
}

function numberIn(database: Database.Database, query: string): () => number {
  const statement = database.prepare<[], number>(query).pluck()
  return () => statement.get() ?? 0
}

/** Uses a new connection: FTS5 of SQLite 3.53 would check an index that an older one has cached. */
function faultsIn(path: string): readonly string[] {
  const own = connect(path)
  try {
    return [...pragmaFaults(own, 'integrity_check'), ...pragmaFaults(own, 'foreign_key_check')]
  } finally {
    own.close()
  }
}

function pragmaFaults(database: Database.Database, pragma: 'integrity_check' | 'foreign_key_check'): readonly string[] {
  const rows = database.pragma(pragma) as readonly Readonly<Record<string, unknown>>[]
  return rows.map((row) => Object.values(row).join(' ')).filter((fault) => fault !== 'ok')
}

function kyselyOn(database: Database.Database, observations: Watch): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: withStatementCache(database) }), log: statementLog(observations) })
}

function statementLog(observations: Watch) {
  return (event: LogEvent) => observations.statement(event.query.sql, event.queryDurationMillis)
}

function withStatementCache(database: Database.Database): SqliteDatabase {
  const statements = new BoundedMap<string, ReturnType<SqliteDatabase['prepare']>>(maxStatements)
  return {
    close: () => database.close(),
    prepare(text) {
      const statement = statements.get(text) ?? (database.prepare(text) as unknown as ReturnType<SqliteDatabase['prepare']>)
      statements.set(text, statement)
      return statement
    },
  }
}

/** Reads on their own connection, which is closed afterwards. */
async function inSnapshot<T>(own: Kysely<Tables>, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
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
