import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/**
 * How many rows are written between two checkpoints: about 16 MiB of log. Small enough for a checkpoint to take some tens of milliseconds,
 * large enough for pages that change again and again to be copied once.
 */
const rowsBetween = 4_000
/** Of the thread, beside what SQLite takes; it does nothing but ask. */
const heapMb = 16

export interface CheckpointParts {
  readonly path: string
  /** Where the driver is loaded from. */
  readonly driver: string
  /** How many rows were ever written here. */
  rowsWritten(): number
}

/** Copies what was committed from the log into the database, so that the log begins anew. */
export interface Checkpoints {
  /** To be told after every commit; the answer ends with the checkpoint that it began, if it began one. */
  committed(): Promise<void> | undefined
  close(): Promise<void>
}

/**
 * Checkpoints in a thread of their own, begun when it is first needed: they write megabytes and flush them, for which the event loop waited
 * inside every tenth commit or so. They neither hold up writers nor readers (https://sqlite.org/wal.html#ckpt). What fails here is made up
 * for by the connection that writes, which makes checkpoints itself when the log is far longer.
 */
export function openCheckpoints({ path, driver, rowsWritten }: CheckpointParts): Checkpoints {
  let worker: Worker | undefined
  let running: Promise<void> | undefined
  let isBroken = false
  let reached = rowsWritten()

  const begin = async () => {
    worker ??= startWorker({ path, driver })
    isBroken = !(await isDone(worker))
    running = undefined
  }

  return {
    committed() {
      const rows = rowsWritten()
      if (isBroken || running || rows - reached < rowsBetween) return undefined
      reached = rows
      running = begin()
      return running
    },
    async close() {
      // What is waited for keeps the process alive.
      worker?.ref()
      await running
      await worker?.terminate()
    },
  }
}

/** As text, for a file of its own would have to be found in the sources and in every way in which they are built. */
const work = `
const { parentPort, workerData: { driver, path } } = require('node:worker_threads')
const database = new (require(driver))(path)
database.pragma('synchronous = normal')
parentPort.on('message', () => {
  try {
    database.pragma('wal_checkpoint(passive)')
  } finally {
    parentPort.postMessage('done')
  }
})`

function startWorker(workerData: { readonly path: string; readonly driver: string }): Worker {
  const worker = new Worker(work, { eval: true, workerData, resourceLimits: { maxOldGenerationSizeMb: heapMb } })
  worker.unref()
  return worker
}

/** Waits for the checkpoint; false where the thread failed and is gone. */
async function isDone(worker: Worker): Promise<boolean> {
  const answered = new AbortController()
  const ended = (event: string) => once(worker, event, { signal: answered.signal }).then(() => event)
  worker.postMessage('checkpoint')
  const first = await Promise.race([ended('message'), ended('exit')]).catch(() => 'error')
  answered.abort()
  return first === 'message'
}
