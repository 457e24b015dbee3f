import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Pages of the log between two checkpoints, 32 MiB. A checkpoint takes some tens of milliseconds, and pages that change often are copied once. */
const pagesBetween = 8_000
/** From so many pages on, writes wait for the checkpoint under way: one that the writing connection had to make would stall everybody. */
const mostPages = 16_000
/** From so many pages on, 160 MB, that the worker has tried to copy and could not, the writing connection makes the checkpoint itself. */
const lastResortPages = 40_000
/** Enough for the thread's JavaScript. SQLite's memory does not count. */
const heapMb = 16

interface CheckpointParts {
  readonly path: string
  /** The pages of the log that no checkpoint has copied. */
  pagesWaiting(): number
  /** Makes a checkpoint at once, on the writing connection. If that fails, the log stays. */
  lastResort(): void
}

/** Copies commits from the log into the database, so that the log can start over. */
interface Checkpoints {
  /** Call it after every commit. If it starts a checkpoint, it resolves when that is done. */
  committed(): Promise<void> | undefined
  /** The checkpoint that further writes should wait for. */
  overdue(): Promise<void> | undefined
  close(): Promise<void>
}

/**
 * Makes checkpoints in a worker thread, which it starts when needed. A checkpoint flushes megabytes, and would block the event loop in about
 * every tenth commit. Passive checkpoints block neither writers nor readers (https://sqlite.org/wal.html#ckpt). One that fails (a full disk,
 * say) loses nothing, since the log stays: it is tried again after the next pages, by another thread if the first has died. Where none
 * succeeds, the writing connection makes its own once the log is far longer.
 */
export function openCheckpoints({ path, pagesWaiting, lastResort }: CheckpointParts): Checkpoints {
  let worker: Worker | undefined
  let running: Promise<void> | undefined
  /** Those that the last checkpoint was to copy, and at most those that wait: after one that fails, the next is made as much later. */
  let tried = 0

  const begin = async () => {
    worker ??= startWorker(path)
    if (!(await answers(worker))) worker = undefined
    running = undefined
  }

  return {
    committed() {
      const waiting = pagesWaiting()
      tried = Math.min(tried, waiting)
      if (!running && tried > lastResortPages) lastResort()
      if (running || waiting - tried < pagesBetween) return undefined
      tried = waiting
      running = begin()
      return running
    },
    overdue: () => (running && pagesWaiting() > mostPages ? running : undefined),
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
