import type { Action } from '../../actions/action.ts'
import type { Change } from '../../actions/change-log/change.ts'
import { recordChanges } from '../../actions/change-log/change-log-store.ts'
import { type CountChange, countChanges, summed } from '../../lists/post-count.ts'
import { changePostCounts } from '../../lists/post-count-store.ts'
import { publishScheduled } from './post.ts'
import { keepRevisions, savePost } from './post-save-store.ts'
import { listDuePosts } from './post-store.ts'
import { toLogEntry, toRecounted } from './post-write.ts'

/** How many due posts are read at a time. */
const batch = 200

/**
 * Publishes every due post of the project, ordered by the time it was scheduled for, in one transaction. It can run any number of times, on
 * any node: a second run finds nothing to do. Returns the number of posts.
 */
export const publishDuePosts: Action<null, number> = {
  name: 'posts.settle',
  async run(tx, caller) {
    const changes: Change[] = []
    const counts: CountChange[] = []
    for (;;) {
      const due = await listDuePosts(tx, caller.projectId, caller.now, batch)
      if (due.length === 0) break
      const written = due.map((post) => ({ before: post, change: publishScheduled(post) }))
      for (const { before, change } of written) await savePost(tx, caller.projectId, before, change.post)
      await keepRevisions(
        tx,
        caller,
        written.map(({ change }) => change.post),
      )
      changes.push(...written.map(toLogEntry))
      counts.push(...countChanges(written.map(toRecounted)))
    }
    // The log comes last: it is locked until the commit, and this must not wait for posts that others are changing.
    if (changes.length > 0) await recordChanges(tx, caller, changes)
    await changePostCounts(tx, caller.projectId, summed(counts))
    return changes.length
  },
}
