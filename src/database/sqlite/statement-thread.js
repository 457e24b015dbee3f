// A thread that runs statements beside the event loop. JavaScript, so that it is the same file in the sources and in every build.
import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'

const { path, cacheKib, maxStatements, writes } = workerData
// Whoever begins a transaction that writes waits for the lock by itself (`sqlite-transaction.ts`).
const database = new Database(path, { readonly: !writes, fileMustExist: true, ...(writes && { timeout: 0 }) })
database.pragma(`cache_size = -${cacheKib}`)
database.pragma('temp_store = memory')
if (writes) {
  // A commit is seen only once it is on the disk, so no read waits for the flush of all that a long transaction wrote.
  database.pragma('synchronous = full')
  database.pragma('wal_autocheckpoint = 0')
  database.pragma('secure_delete = on')
  database.pragma('foreign_keys = on')
}

const statements = new Map()

function prepare(sql) {
  const known = statements.get(sql)
  const statement = known ?? database.prepare(sql)
  statements.delete(sql)
  statements.set(sql, statement)
  if (statements.size > maxStatements) statements.delete(statements.keys().next().value)
  return statement
}

/** One snapshot, that of the first statement, until `end`. A transaction that writes is begun by a statement of its own. */
function query({ sql, parameters }) {
  if (!writes && !database.inTransaction) database.exec('begin')
  const statement = prepare(sql)
  if (statement.reader) return { rows: statement.all(...parameters) }
  return { rows: [], changes: statement.run(...parameters).changes }
}

function end() {
  if (database.inTransaction) database.exec('rollback')
}

parentPort.on('message', (message) => {
  if (message === 'end') return end()
  const { id, ...statement } = message
  try {
    parentPort.postMessage({ id, ...query(statement) })
  } catch ({ name, message, code }) {
    parentPort.postMessage({ id, error: { name, message, code } })
  }
})
