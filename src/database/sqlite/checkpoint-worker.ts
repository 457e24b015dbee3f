import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/**
 * Rows between two checkpoints, about 16 MiB of log. A checkpoint takes some tens of milliseconds, and pages that change often are copied
 * once.
 */
const rowsBetween = 4_000
/** Enough for the thread's JavaScript. SQLite's memory does not count. */
const heapMb = 16

interface CheckpointParts {
  readonly path: string
  /** The number of rows written since the start. */
  rowsWritten(): number
}

/** Copies commits from the log into the database, so that the log can start over. */
interface Checkpoints {
  /** Call it after every commit. If it starts a checkpoint, it resolves when that is done. */
  committed(): Promise<void> | undefined
  close(): Promise<void>
}

/**
 * Makes checkpoints in a worker thread, which it starts when needed. A checkpoint flushes megabytes, and would block the event loop in about
 * every tenth commit. Passive checkpoints block neither writers nor readers (https://sqlite.org/wal.html#ckpt). One that fails (a full disk,
 * say) loses nothing, since the log stays: it is tried again after the next rows, by another thread if the first has died. Where none
 * succeeds, the writing connection makes its own once the log is far longer.
 */
export function openCheckpoints({ path, rowsWritten }: CheckpointParts): Checkpoints {
  let worker: Worker | undefined
  let running: Promise<void> | undefined
  let reached = rowsWritten()

  const begin = async () => {
    worker ??= startWorker(path)
    if (!(await answers(worker))) worker = undefined
    running = undefined
  }

  return {
    committed() {
      const rows = rowsWritten()
      if (running || rows - reached < rowsBetween) return undefined
      reached = rows
      running = begin()
      return running
    },
    async close() {
      // A checkpoint that is awaited must keep the process alive.
      worker?.ref()
      await running
      await worker?.terminate()
    },
  }
}

function startWorker(path: string): Worker {
  // The build puts the worker's file beside every bundle with this module (`scripts/build.js`).
  const thread = new URL('./checkpoint-thread.js', import.meta.url)
  const worker = new Worker(thread, { workerData: { path }, resourceLimits: { maxOldGenerationSizeMb: heapMb } })
  // An error that nobody listens for would end the process. The thread ends with it, and `answers` sees that.
  worker.on('error', () => undefined)
  worker.unref()
  return worker
}

/** Asks for a checkpoint and waits until it has succeeded or failed; false if the thread has ended instead. */
async function answers(worker: Worker): Promise<boolean> {
  const answered = new AbortController()
  const ended = (event: string) => once(worker, event, { signal: answered.signal }).then(() => event)
  worker.postMessage('checkpoint')
  const first = await Promise.race([ended('message'), ended('exit')]).catch(() => 'error')
  answered.abort()
  return first === 'message'
}
