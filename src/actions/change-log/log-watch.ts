import type { Db } from '../../database/engine.ts'
import type { ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import { singleFlight } from '../../values/single-flight.ts'
import type { Sight } from '../caller.ts'
import { type LogProgress, listProgress } from './change-log-store.ts'

/** Waits until logs move. All who wait cost one statement a look together, and none where nobody waits. */
export interface LogWatch {
  /**
   * The revision of the log, as far as this sight may know, once it is beyond `revision`. None where the wait was given up before: by the
   * signal of the one who waits, or by the end of the service.
   */
  beyond(revision: number, sight: Sight, signal: AbortSignal): Promise<number | undefined>
  /** Looks how far the logs are that are waited for, and publishes what is due there. Writes of other processes are found in no other way. */
  look(): Promise<void>
  /** The same, by the one who wrote. What fails here is found by the next look. */
  nudge(): void
  /** Sends everybody away who waits, and lets nobody wait any more. */
  stop(): void
}

interface Waiting {
  readonly sight: Sight
  readonly revision: number
  end(revision: number | undefined): void
}

/** Publishes what is due in a project. */
type PublishDue = (projectId: ProjectId, now: Instant) => Promise<unknown>

export function watchLogs(db: Db, publishDue: PublishDue): LogWatch {
  const line = new Set<Waiting>()
  let isStopped = false
  const look = singleFlight(async () => {
    if (line.size === 0) return
    const progress = await listProgress(db, [...new Set([...line].map(({ sight }) => sight.projectId))])
    wake(line, new Map(progress.map((each) => [each.projectId, each])))
    for (const { projectId, nextDueAt, now } of progress) if (nextDueAt !== null && nextDueAt <= now) await publishDue(projectId, now)
  })
  const nudge = () => {
    if (line.size > 0) look().catch(() => undefined)
  }
  return {
    async beyond(revision, sight, signal) {
      if (isStopped || signal.aborted) return undefined
      const ended = waitIn(line, { revision, sight, signal })
      // What was written before it stood in the line woke nobody.
      nudge()
      return ended
    },
    look,
    nudge,
    stop() {
      isStopped = true
      for (const waiting of [...line]) waiting.end(undefined)
    },
  }
}

function wake(line: Set<Waiting>, progress: ReadonlyMap<ProjectId, LogProgress>): void {
  for (const waiting of [...line]) {
    const { projectId, drafts } = waiting.sight
    const log = progress.get(projectId)
    const reached = (drafts ? log?.revision : log?.publicRevision) ?? 0
    if (reached > waiting.revision) waiting.end(reached)
  }
}

type Wait = Pick<Waiting, 'revision' | 'sight'> & { readonly signal: AbortSignal }

function waitIn(line: Set<Waiting>, { revision, sight, signal }: Wait): Promise<number | undefined> {
  return new Promise((resolve) => {
    const giveUp = () => waiting.end(undefined)
    const waiting: Waiting = {
      sight,
      revision,
      end(reached) {
        signal.removeEventListener('abort', giveUp)
        line.delete(waiting)
        resolve(reached)
      },
    }
    signal.addEventListener('abort', giveUp)
    line.add(waiting)
  })
}
