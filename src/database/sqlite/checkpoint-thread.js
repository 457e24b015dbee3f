// The thread that copies what was committed from the log into the database. JavaScript, so that it is the same file in the sources and in every build.
import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'

let database

/** Whatever fails, the thread lives on and says so: the next checkpoint is another try. */
parentPort.on('message', () => {
  try {
    database ??= open()
    database.pragma('wal_checkpoint(passive)')
    parentPort.postMessage('done')
  } catch (error) {
    parentPort.postMessage(`failed: ${error?.code ?? error}`)
  }
})

function open() {
  const opened = new Database(workerData.path, { fileMustExist: true })
  opened.pragma('synchronous = normal')
  return opened
}
