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

const tasks = {
  /** A transaction sees the state of its first read. */
  begin() {
    database.exec('begin')
    database.prepare('select 1 from sqlite_schema limit 1').get()
    return []
  },
  end() {
    if (database.inTransaction) database.exec('rollback')
    return []
  },
  query: ({ sql, parameters }) => prepare(sql).all(...parameters),
}

parentPort.on('message', ({ id, task, ...input }) => {
  try {
    parentPort.postMessage({ id, rows: tasks[task](input) })
  } catch ({ name, message, code }) {
    parentPort.postMessage({ id, error: { name, message, code } })
  }
})
