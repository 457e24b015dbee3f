// The thread that copies what was committed from the log into the database. JavaScript, so that it is the same file in the sources and in every build.
import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'

const database = new Database(workerData.path, { fileMustExist: true })
database.pragma('synchronous = normal')
parentPort.on('message', () => {
  try {
    database.pragma('wal_checkpoint(passive)')
  } finally {
    parentPort.postMessage('done')
  }
})
