import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Pages of the log between two checkpoints, 32 MiB. A checkpoint takes some tens of milliseconds, and pages that change often are copied once. */
const pagesBetween = 8_000
/** From this many pages on, writes wait for the checkpoint under way: one that the writing connection had to make would stall everybody. */
const mostPages = 16_000
/** From this many pages on, 160 MB, the writing connection makes the checkpoint itself if the worker cannot. */
const lastResortPages = 40_000
/** Rows after which parts of search indexes are merged: some 25 ordinary posts, or three very long ones. A step merges about as many. */
const rowsPerStep = 500
/** From this many rows on, some five batches of the largest posts, writes wait for steps. */
const mostRows = 20_000
/** Between two steps, in which others write. */
const mergePauseMs = 50
/** Enough for the thread's JavaScript. SQLite's memory does not count. */
const heapMb = 16

interface UpkeepParts {
  readonly path: string
  /** A checkpoint that has copied all of a longer log cuts it. */
  readonly logBytesKept: number
  /** The number of rows written since the start, of indexes too. */
  rowsWritten(): number
  /** The pages of the log that no checkpoint has copied. */
  pagesWaiting(): number
  /** Makes a checkpoint at once, on the writing connection. If that fails, the log stays. */
  lastResort(): void
}

/** Copies commits from the log into the database, so that the log can start over, and merges parts of search indexes. */
interface Upkeep {
  /** Call it after every commit. If it starts a checkpoint, it resolves when that is done. */
  committed(): Promise<void> | undefined
  /** What further writes should wait for. */
  overdue(): Promise<void> | undefined
  close(): Promise<void>
}

/**
 * Keeps the file in order in a worker thread, which it starts when needed.
 *
 * A checkpoint flushes megabytes, and would block the event loop in about every tenth commit. Passive checkpoints block neither writers nor
 * readers (https://sqlite.org/wal.html#ckpt). One that fails (a full disk, say) loses nothing, since the log stays: it is tried again after the
 * next pages, by another thread if the first has died. Where none succeeds, the writing connection makes its own once the log is far longer.
 *
 * FTS5 writes what a transaction adds to an index as a part of its own, and merges parts in a commit once there are many, however long that
 * takes: 0.1 s for a word of 1,000,000 posts. Here they are merged before, one step after the other; only writes wait for a step.
 */
export function openUpkeep({ path, logBytesKept, pagesWaiting, rowsWritten, lastResort }: UpkeepParts): Upkeep {
  let worker: Worker | undefined
  let tasks: Promise<unknown> = Promise.resolve()
  let checkpoint: Promise<void> | undefined
  let pause: NodeJS.Timeout | undefined
  let isClosed = false
  /** The pages that waited when the last checkpoint began, or that wait now if those are fewer. The next one begins `pagesBetween` pages later. */
  let tried = 0
  /** The worker could not make the last checkpoint. One that readers hold up does not count: nobody could make it. */
  let hasFailed = false
  /** How many of the rows written have been merged, or needed no merging. */
  let merged = rowsWritten()

  /** One task at a time. Undefined if there is no thread to answer. */
  const perform = (task: 'checkpoint' | 'merge'): Promise<string | undefined> => {
    const ask = async () => {
      worker ??= startWorker({ path, logBytesKept })
      const given = await answerTo(worker, task)
      if (given === undefined) worker = undefined
      return given
    }
    // The system may have no more threads. The next task is another try.
    const answer = tasks.then(ask).catch(() => undefined)
    tasks = answer
    return answer
  }
  /** Merges one step; false if there is nothing more to merge. */
  const step = async (): Promise<boolean> => {
    const written = rowsWritten()
    const goesOn = (await perform('merge')) === 'more'
    merged = goesOn ? Math.min(merged + rowsPerStep, written) : written
    return goesOn
  }
  const mergeSoon = () => {
    pause ??= setTimeout(async () => {
      const goesOn = await step()
      pause = undefined
      if (goesOn && !isClosed) mergeSoon()
    }, mergePauseMs).unref()
  }
  const catchUp = async () => {
    while (!isClosed && rowsWritten() - merged > mostRows) await step()
  }

  return {
    committed() {
      const waiting = pagesWaiting()
      tried = Math.min(tried, waiting)
      if (!checkpoint && hasFailed && tried > lastResortPages) lastResort()
      if (rowsWritten() - merged >= rowsPerStep) mergeSoon()
      if (checkpoint || waiting - tried < pagesBetween) return undefined
      tried = waiting
      checkpoint = perform('checkpoint').then((answer) => {
        hasFailed = answer !== 'done'
        checkpoint = undefined
      })
      return checkpoint
    },
    overdue() {
      if (checkpoint && pagesWaiting() > mostPages) return checkpoint
      return rowsWritten() - merged > mostRows ? catchUp() : undefined
    },
    async close() {
      isClosed = true
      clearTimeout(pause)
      // A task that is awaited must keep the process alive.
      worker?.ref()
      await tasks
      await worker?.terminate()
    },
  }
}

function startWorker(workerData: Pick<UpkeepParts, 'path' | 'logBytesKept'>): Worker {
  // The build puts the worker's file beside every bundle with this module (`scripts/build.js`).
  const thread = new URL('./upkeep-thread.js', import.meta.url)
  const worker = new Worker(thread, { workerData, resourceLimits: { maxOldGenerationSizeMb: heapMb } })
  // An error that nobody listens for would end the process. The thread ends with it, and `answerTo` sees that.
  worker.on('error', () => undefined)
  worker.unref()
  return worker
}

/** Gives the worker a task and waits for its answer; undefined if the thread has ended instead. */
async function answerTo(worker: Worker, task: string): Promise<string | undefined> {
  const answered = new AbortController()
  const first = async (event: string) => (await once(worker, event, { signal: answered.signal }))[0]
  worker.postMessage(task)
  const answer = await Promise.race([first('message'), first('exit').then(() => undefined)]).catch(() => undefined)
  answered.abort()
  return answer
}
