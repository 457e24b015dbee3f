import type { Action } from '../action.ts'
import { settlePost } from './post.ts'
import { savePost } from './post-save-store.ts'
import { listDuePosts } from './post-store.ts'
import { logPostChanges } from './post-write.ts'

/** How many due posts are held in memory at once. */
const batch = 200

/**
 * Publishes every post of the project whose time has come, in the order of those times. It is one transaction and can be run by anybody,
 * any number of times: who comes second finds nothing to do. Returns how many there were.
 */
export const settleDuePosts: Action<null, number> = {
  name: 'posts.settle',
  async run(tx, caller, _, random) {
    let settled = 0
    for (;;) {
      const due = await listDuePosts(tx, caller.projectId, caller.now, batch)
      const written = due.map((post) => ({ before: post, change: settlePost(post) }))
      for (const { before, change } of written) await savePost(tx, caller.projectId, before, change.post, random)
      await logPostChanges(tx, caller, written)
      settled += due.length
      if (due.length < batch) return settled
    }
  },
}
