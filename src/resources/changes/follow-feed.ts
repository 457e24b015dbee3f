import type { LogWatch } from '../../actions/change-log/log-watch.ts'
import { startStopwatch } from '../../values/stopwatch.ts'
import type { FeedPage, Reading } from './feed.ts'
import type { FeedPlan } from './feed-plan.ts'
import { readFeed } from './read-feed.ts'

/** The next resources of the feed; where there are none, those that come until nobody has patience any more. */
type FollowFeed = (first: Reading, plan: FeedPlan, patience: AbortSignal) => Promise<FollowedPage>

interface FollowedPage extends FeedPage {
  /** How long there was nothing, and nothing was done but wait for it. */
  readonly waitedMs: number
}

/** Those who wait for the same, and are woken by the same change, are answered by one reading. */
export function followingFeed(watch: LogWatch): FollowFeed {
  const read = sharedReads()
  return async (first, { position, limit }, patience) => {
    let reading = first
    let waitedMs = 0
    let page = await read(reading, position, limit)
    while (page.entries.length === 0) {
      if (!page.hasMore) {
        const elapsed = startStopwatch()
        const revision = await watch.beyond(reading.revision, reading.sight, patience)
        waitedMs += elapsed()
        if (revision === undefined) break
        reading = { ...reading, revision }
      }
      page = await read(reading, page.next, limit)
    }
    return { ...page, waitedMs }
  }
}

/** Reads the feed; who asks for what is being read already, of the same state, gets the same. */
function sharedReads(): typeof readFeed {
  const underWay = new Map<string, Promise<FeedPage>>()
  return (reading, position, limit) => {
    const key = JSON.stringify([reading.sight, reading.kinds.map(({ name }) => name), reading.revision, position, limit])
    const known = underWay.get(key)
    if (known) return known
    const page = readFeed(reading, position, limit).finally(() => underWay.delete(key))
    underWay.set(key, page)
    return page
  }
}
