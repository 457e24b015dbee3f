// A thread that reads beside the event loop. JavaScript, so that it is the same file in the sources and in every build.
import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'

const { path, cacheKib, maxStatements } = workerData
const database = new Database(path, { readonly: true, fileMustExist: true })
database.pragma(`cache_size = -${cacheKib}`)
database.pragma('temp_store = memory')

const statements = new Map()

function prepare(sql) {
  const known = statements.get(sql)
  const statement = known ?? database.prepare(sql)
  statements.delete(sql)
  statements.set(sql, statement)
  if (statements.size > maxStatements) statements.delete(statements.keys().next().value)
  return statement
}

/** One snapshot, that of the first statement, until `end`. */
function query({ sql, parameters }) {
  if (!database.inTransaction) database.exec('begin')
  return prepare(sql).all(...parameters)
}

function end() {
  if (database.inTransaction) database.exec('rollback')
}

parentPort.on('message', (message) => {
  if (message === 'end') return end()
  const { id, ...statement } = message
  try {
    parentPort.postMessage({ id, rows: query(statement) })
  } catch ({ name, message, code }) {
    parentPort.postMessage({ id, error: { name, message, code } })
  }
})
