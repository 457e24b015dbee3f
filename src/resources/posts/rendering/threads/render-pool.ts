import { Worker } from 'node:worker_threads'
import { startStopwatch } from '../../../../values/stopwatch.ts'
import { RenderQueue, type Turn } from './render-queue.ts'
import type { ThreadReply, ThreadTask } from './thread-messages.ts'

/** One asker never has all of them. More would take cores from the event loop, and some 30 MB each. */
const maxThreads = 3
const heapMb = 192
const youngHeapMb = 32
/** A typical post takes a few milliseconds. */
const deadlineMs = 250
/** Where other programs take the processors, a thread gets its time later, but not as late as this. */
const longestMs = 2_500
/** Text takes linear time. */
const textDeadlineMs = 10_000

/** A post to be rendered. */
export interface RenderJob {
  readonly task: ThreadTask
  readonly size: number
  /** `isLate`: it missed the deadline and is shown as text, though another time it may not. */
  done(reply: ThreadReply & { readonly isLate: boolean }): void
  /** No thread could render it. */
  failed(error: Error): void
}

interface RenderPool {
  add(asker: string, jobs: readonly RenderJob[]): void
  /** The work that waits, in characters of Markdown. */
  waiting(): number
  close(): Promise<void>
}

/** Renders posts in threads, which are started when they are needed. A post that takes too long ends its thread and is rendered as text by the next. */
export function openRenderPool(file: string): RenderPool {
  const queue = new RenderQueue<RenderJob>()
  const threads = new Set<RenderThread>()
  const idle: RenderThread[] = []
  const running = new Map<string, number>()

  const mayRun = (asker: string) => (running.get(asker) ?? 0) < maxThreads - 1
  const count = (asker: string, by: number) => {
    const left = (running.get(asker) ?? 0) + by
    if (left === 0) running.delete(asker)
    else running.set(asker, left)
  }

  const start = (): RenderThread => {
    const thread = startThread(file, () => threads.delete(thread))
    threads.add(thread)
    return thread
  }

  const next = (): void => {
    while (idle.length > 0 || threads.size < maxThreads) {
      const turn = queue.take(mayRun)
      if (!turn) return
      try {
        void run(living(idle) ?? start(), turn)
      } catch (error) {
        postpone(turn, error as Error)
        return
      }
    }
  }

  /** The system may have no more threads. The work waits for those that run; without any, it fails. */
  const postpone = ({ asker, jobs }: Turn<RenderJob>, error: Error): void => {
    if (threads.size > 0) {
      queue.add(asker, jobs, { first: true })
    } else {
      for (const job of jobs) job.failed(error)
      setImmediate(next)
    }
  }

  const run = async (thread: RenderThread, { asker, jobs }: Turn<RenderJob>): Promise<void> => {
    count(asker, 1)
    const left = await thread.run(jobs)
    count(asker, -1)
    if (thread.isAlive()) idle.push(thread)
    queue.add(asker, left, { first: true })
    next()
  }

  return {
    add(asker, jobs) {
      queue.add(asker, jobs)
      next()
    },
    waiting: () => queue.size,
    async close() {
      await Promise.all([...threads].map((thread) => thread.end()))
    },
  }
}

/** An idle thread. One that has ended meanwhile is forgotten. */
function living(idle: RenderThread[]): RenderThread | undefined {
  const thread = idle.pop()
  return thread === undefined || thread.isAlive() ? thread : living(idle)
}

interface RenderThread {
  /** Returns the jobs that are left because the thread has ended; the first of them, which ended it, as text. */
  run(jobs: readonly RenderJob[]): Promise<readonly RenderJob[]>
  isAlive(): boolean
  end(): Promise<unknown>
}

function startThread(file: string, ended: () => void): RenderThread {
  const worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngHeapMb } })
  worker.unref()
  let death: Error | undefined
  const ready = new Promise<boolean>((resolve) => worker.once('message', () => resolve(true)))
  const dead = new Promise<false>((resolve) => {
    const die = (reason: Error) => {
      death ??= reason
      ended()
      resolve(false)
    }
    worker.once('error', (error) => die(error as Error))
    worker.once('exit', () => die(new Error('A thread that renders posts has ended.')))
  })

  return {
    isAlive: () => death === undefined,
    end: () => worker.terminate(),
    async run(jobs) {
      if (!(await Promise.race([ready, dead]))) {
        // It has never begun, and another one would not either.
        for (const job of jobs) job.failed(death ?? new Error('A thread that renders posts did not start.'))
        return []
      }
      const [late, ...others] = await sendTo(worker, jobs, dead)
      return late ? [{ ...late, task: { ...late.task, asText: true } }, ...others] : []
    },
  }
}

/** Sends jobs to a thread, and ends it if one of them takes too long. Returns the jobs that have no reply. */
async function sendTo(worker: Worker, jobs: readonly RenderJob[], dead: Promise<unknown>): Promise<readonly RenderJob[]> {
  const left = [...jobs]
  let deadline: NodeJS.Timeout | undefined
  const expect = (job: RenderJob | undefined) => {
    clearTimeout(deadline)
    if (!job) return
    const { asText } = job.task
    const cpu = process.cpuUsage()
    const elapsed = startStopwatch()
    const expire = () => {
      // A thread cannot have had more time than the whole process.
      const had = process.cpuUsage(cpu)
      const missing = asText ? 0 : deadlineMs - (had.user + had.system) / 1_000
      if (left[0] !== job) return
      if (missing > 0 && elapsed() < longestMs) deadline = setTimeout(expire, Math.max(missing, 10))
      else void worker.terminate()
    }
    // A reply may have come while the event loop was busy.
    deadline = setTimeout(() => setImmediate(expire), asText ? textDeadlineMs : deadlineMs)
  }
  const replied = new Promise<void>((resolve) => {
    worker.on('message', function receive(reply: ThreadReply) {
      const job = left.shift()
      expect(left[0])
      job?.done({ ...reply, isLate: job.task.asText === true })
      if (left.length > 0) return
      worker.off('message', receive)
      resolve()
    })
  })
  worker.postMessage(jobs.map(({ task }) => task))
  expect(left[0])
  await Promise.race([replied, dead])
  expect(undefined)
  return left
}
