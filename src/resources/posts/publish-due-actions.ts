import type { Action } from '../../actions/action.ts'
import type { Change } from '../../actions/change-log/change.ts'
import { recordChanges } from '../../actions/change-log/change-log-store.ts'
import { type CountChange, countChanges, summed } from '../../lists/post-count.ts'
import { changePostCounts } from '../../lists/post-count-store.ts'
import { publishScheduled } from './post.ts'
import { keepRevisions, savePost } from './post-save-store.ts'
import { listDuePosts } from './post-store.ts'
import { toLogEntry, toRecounted } from './post-write.ts'

/** How many due posts are held in memory at once. */
const batch = 200

/**
 * Publishes every post of the project whose time has come, in the order of those times. It is one transaction and can be run by anybody,
 * any number of times: who comes second finds nothing to do. Returns how many there were.
 */
export const publishDuePosts: Action<null, number> = {
  name: 'posts.settle',
  async run(tx, caller, _, random) {
    const changes: Change[] = []
    const counts: CountChange[] = []
    for (;;) {
      const due = await listDuePosts(tx, caller.projectId, caller.now, batch)
      if (due.length === 0) break
      const written = due.map((post) => ({ before: post, change: publishScheduled(post) }))
      for (const { before, change } of written) await savePost(tx, caller.projectId, before, change.post, random)
      await keepRevisions(
        tx,
        caller,
        written.map(({ change }) => change.post),
      )
      changes.push(...written.map(toLogEntry))
      counts.push(...countChanges(written.map(toRecounted)))
    }
    // Only now, when no post is waited for any more: whoever is changing one of them waits for the log.
    if (changes.length > 0) await recordChanges(tx, caller, changes)
    await changePostCounts(tx, caller.projectId, summed(counts))
    return changes.length
  },
}
