// The thread that keeps the file in order beside the event loop: it copies what was committed from the log into the database, and merges parts
// of search indexes. JavaScript, so that it is the same file in the sources and in every build.
import { realpathSync, statSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'

const { path, logBytesKept } = workerData
/** What one transaction merges. Writes wait for it. */
const pagesPerStep = 500
const indexes = ['search_words', 'search_titles']

let database

const tasks = {
  checkpoint() {
    const [{ log, checkpointed }] = database.pragma('wal_checkpoint(passive)')
    if (log === checkpointed && statSync(`${realpathSync(path)}-wal`).size > logBytesKept) cutLog()
    return 'done'
  },
  merge() {
    const before = changes()
    database
      .transaction(() => {
        for (const table of indexes) database.exec(`insert into ${table} (${table}, rank) values ('merge', ${pagesPerStep})`)
      })
      .immediate()
    // A merge that does nothing writes one row (https://sqlite.org/fts5.html#the_merge_command).
    return changes() - before > indexes.length ? 'more' : 'done'
  },
}

/** Whatever fails, the thread lives on and says so: the next time is another try. */
parentPort.on('message', (task) => {
  try {
    database ??= open()
    parentPort.postMessage(tasks[task]())
  } catch (error) {
    parentPort.postMessage(`failed: ${error?.code ?? error}`)
  }
})

/** Gives back the space of a log that a long reader has let grow. Whoever uses the log now is not waited for: there is a next checkpoint. */
function cutLog() {
  const patience = database.pragma('busy_timeout', { simple: true })
  database.pragma('busy_timeout = 0')
  try {
    database.pragma('wal_checkpoint(truncate)')
  } finally {
    database.pragma(`busy_timeout = ${patience}`)
  }
}

function changes() {
  return database.prepare('select total_changes()').pluck().get()
}

function open() {
  const opened = new Database(path, { fileMustExist: true })
  // A commit is seen only once it is on the disk, so no read that meets it waits for a flush.
  opened.pragma('synchronous = full')
  opened.pragma('secure_delete = on')
  opened.pragma('wal_autocheckpoint = 0')
  opened.pragma('temp_store = memory')
  return opened
}
