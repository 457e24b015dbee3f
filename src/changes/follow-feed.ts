import type { FeedPage, Reading } from './feed.ts'
import type { FeedPlan } from './feed-plan.ts'
import type { LogWatch } from './log-watch.ts'
import { readFeed } from './read-feed.ts'

interface Waiting {
  readonly watch: LogWatch
  /** Over when nobody waits any more. */
  readonly patience: AbortSignal
}

/** The next things of the feed; where there are none, those that come while it waits. */
export async function followFeed(first: Reading, { position, limit }: FeedPlan, { watch, patience }: Waiting): Promise<FeedPage> {
  let reading = first
  let page = await readFeed(reading, position, limit)
  while (page.entries.length === 0) {
    if (!page.hasMore) {
      const revision = await watch.beyond(reading.revision, reading.sight, patience)
      if (revision === undefined) return page
      reading = { ...reading, revision }
    }
    page = await readFeed(reading, page.next, limit)
  }
  return page
}
