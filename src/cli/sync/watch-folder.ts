import type { MissingPicture } from './apply-page.ts'
import { FeedAway } from './feed-client.ts'
import type { SyncedFolder } from './sync-folder.ts'

export interface Total {
  readonly written: number
  readonly deleted: number
  readonly missing: readonly MissingPicture[]
  /** It was stopped before the end. */
  readonly hasMore: boolean
}

interface Watch {
  readonly stop: AbortSignal
  onDone(total: Total): void
  onAway(error: FeedAway, pauseMs: number): void
  /** Rejects when it is stopped. */
  pause(ms: number): Promise<unknown>
  /** Milliseconds since a time that does not change. */
  elapsedMs(): number
}

/** The longest wait that the service allows. */
const waitSeconds = 30
/** A service that stops answers at once, with nothing, who waits for a change. */
const shortestPollMs = 1_000
const longestPauseMs = 30_000

/** Fetches every change that is there already. */
export async function catchUp(folder: SyncedFolder, stop: AbortSignal, seconds = 0): Promise<Total> {
  let total = await folder.next(seconds)
  while (total.hasMore && !stop.aborted) {
    const { written, deleted, hasMore, missing } = await folder.next(0)
    total = { written: total.written + written, deleted: total.deleted + deleted, hasMore, missing: [...total.missing, ...missing] }
  }
  return total
}

/** Fetches changes until it is stopped. While the service is unreachable it retries, more and more slowly. */
export async function watchFolder(folder: SyncedFolder, { stop, onDone, onAway, pause, elapsedMs }: Watch): Promise<void> {
  let pauseMs = 1_000
  while (!stop.aborted) {
    const asked = elapsedMs()
    try {
      const total = await catchUp(folder, stop, waitSeconds)
      pauseMs = 1_000
      if (total.written + total.deleted > 0) onDone(total)
      else await pause(Math.max(asked + shortestPollMs - elapsedMs(), 0))
    } catch (error) {
      if (!(error instanceof FeedAway) || stop.aborted) throw error
      onAway(error, pauseMs)
      await pause(pauseMs)
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    }
  }
}
