import type { Db } from '../../database/engine.ts'
import type { ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import { singleFlight } from '../../values/single-flight.ts'
import type { Sight } from '../caller.ts'
import { type LogProgress, listProgress } from './change-log-store.ts'

/** Waits for new changes. One statement per poll serves all waiting callers; without any, there is none. */
export interface LogWatch {
  /** Waits until the revision that this sight may see is beyond `revision`, and returns it; undefined after the signal aborts or `stop`. */
  beyond(revision: number, sight: Sight, signal: AbortSignal): Promise<number | undefined>
  /** Reads the revisions of the logs with waiting callers, and publishes due posts. Only this finds writes of other processes. */
  poll(): Promise<void>
  /** Polls after a write, in the background. After a failure the next poll finds the write. */
  pollSoon(): void
  /** Ends all waits, now and later. */
  stop(): void
}

interface Waiting {
  readonly sight: Sight
  readonly revision: number
  end(revision: number | undefined): void
}

/** Publishes the due posts of a project. */
type PublishDue = (projectId: ProjectId, now: Instant) => Promise<unknown>

export function watchLogs(db: Db, publishDue: PublishDue): LogWatch {
  const queue = new Set<Waiting>()
  let isStopped = false
  const poll = singleFlight(async () => {
    if (queue.size === 0) return
    const progress = await listProgress(db, [...new Set([...queue].map(({ sight }) => sight.projectId))])
    wake(queue, new Map(progress.map((each) => [each.projectId, each])))
    for (const { projectId, nextDueAt, now } of progress) if (nextDueAt !== null && nextDueAt <= now) await publishDue(projectId, now)
  })
  const pollSoon = () => {
    if (queue.size > 0) poll().catch(() => undefined)
  }
  return {
    async beyond(revision, sight, signal) {
      if (isStopped || signal.aborted) return undefined
      const reached = waitIn(queue, { revision, sight, signal })
      // The log may have moved before this caller began to wait.
      pollSoon()
      return reached
    },
    poll,
    pollSoon,
    stop() {
      isStopped = true
      for (const waiting of [...queue]) waiting.end(undefined)
    },
  }
}

function wake(queue: Set<Waiting>, progress: ReadonlyMap<ProjectId, LogProgress>): void {
  for (const waiting of [...queue]) {
    const { projectId, drafts } = waiting.sight
    const log = progress.get(projectId)
    const reached = (drafts ? log?.revision : log?.publicRevision) ?? 0
    if (reached > waiting.revision) waiting.end(reached)
  }
}

type Wait = Pick<Waiting, 'revision' | 'sight'> & { readonly signal: AbortSignal }

function waitIn(queue: Set<Waiting>, { revision, sight, signal }: Wait): Promise<number | undefined> {
  return new Promise((resolve) => {
    const giveUp = () => waiting.end(undefined)
    const waiting: Waiting = {
      sight,
      revision,
      end(reached) {
        signal.removeEventListener('abort', giveUp)
        queue.delete(waiting)
        resolve(reached)
      },
    }
    signal.addEventListener('abort', giveUp)
    queue.add(waiting)
  })
}
