import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/**
 * How many rows are written between two checkpoints: about 16 MiB of log. Small enough for a checkpoint to take some tens of milliseconds,
 * large enough for pages that change again and again to be copied once.
 */
const rowsBetween = 4_000
/** For the thread's JavaScript, which does next to nothing; SQLite's memory is not part of it. */
const heapMb = 16

interface CheckpointParts {
  readonly path: string
  /** How many rows were ever written here. */
  rowsWritten(): number
}

/** Copies what was committed from the log into the database, so that the log begins anew. */
interface Checkpoints {
  /** To be called after every commit. Resolves when the checkpoint that it began is made; undefined where it began none. */
  committed(): Promise<void> | undefined
  close(): Promise<void>
}

/**
 * Checkpoints in a thread of their own, started when it is first needed. A checkpoint writes megabytes and flushes them, and the event loop
 * would wait for that inside every tenth commit or so. Passive checkpoints block neither writers nor readers
 * (https://sqlite.org/wal.html#ckpt). Where they fail, the connection that writes makes its own when the log is far longer.
 */
export function openCheckpoints({ path, rowsWritten }: CheckpointParts): Checkpoints {
  let worker: Worker | undefined
  let running: Promise<void> | undefined
  let isBroken = false
  let reached = rowsWritten()

  const begin = async () => {
    worker ??= startWorker(path)
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
      // A checkpoint that is awaited must keep the process alive.
      worker?.ref()
      await running
      await worker?.terminate()
    },
  }
}

function startWorker(path: string): Worker {
  // The build puts it beside every file that this module ends up in (`scripts/build.js`).
  const thread = new URL('./checkpoint-thread.js', import.meta.url)
  const worker = new Worker(thread, { workerData: { path }, resourceLimits: { maxOldGenerationSizeMb: heapMb } })
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
