import type { LogWatch } from '../../actions/change-log/log-watch.ts'
import type { Engine } from '../../database/engine.ts'
import { startStopwatch } from '../../values/stopwatch.ts'
import type { FeedPage, Reading } from './feed.ts'
import type { FeedPlan } from './feed-plan.ts'
import { isAtEnd, readFeed } from './read-feed.ts'

/** Reads the next page of the feed. If it is empty, waits for changes until the signal aborts. */
type FollowFeed = (first: Reading, plan: FeedPlan, signal: AbortSignal) => Promise<FollowedPage>

interface FollowedPage extends FeedPage {
  /** How long the request waited for a change. */
  readonly waitedMs: number
}

/** Requests for the same page that wake up at the same change share one read. */
export function followingFeed(watch: LogWatch, longRead: Engine['longRead']): FollowFeed {
  const read = sharedReads(longRead)
  return async (first, { position, limit }, signal) => {
    let reading = first
    let waitedMs = 0
    let page = await read(reading, position, limit)
    while (page.entries.length === 0) {
      if (!page.hasMore) {
        const elapsed = startStopwatch()
        const revision = await watch.beyond(reading.revision, reading.sight, signal)
        waitedMs += elapsed()
        if (revision === undefined) break
        reading = { ...reading, revision }
      }
      page = await read(reading, page.next, limit)
    }
    return { ...page, waitedMs }
  }
}

/** Reads the feed. Concurrent requests for the same page at the same revision share one read. */
function sharedReads(longRead: Engine['longRead']): typeof readFeed {
  const running = new Map<string, Promise<FeedPage>>()
  const read: typeof readFeed = (reading, position, limit) =>
    isAtEnd(reading, position)
      ? readFeed(reading, position, limit)
      : longRead({ name: reading.asker, projectId: reading.sight.projectId }, (db) => readFeed({ ...reading, db }, position, limit))
  return (reading, position, limit) => {
    const key = JSON.stringify([reading.sight, reading.kinds.map(({ name }) => name), reading.revision, position, limit])
    const shared = running.get(key)
    if (shared) return shared
    const page = read(reading, position, limit).finally(() => running.delete(key))
    running.set(key, page)
    return page
  }
}
