import type { Action } from '../../actions/action.ts'
import type { Caller } from '../../actions/caller.ts'
import type { Change } from '../../actions/change-log/change.ts'
import { recordChanges } from '../../actions/change-log/change-log-store.ts'
import type { Tx } from '../../database/engine.ts'
import { type CountChange, countChanges, summed } from '../../lists/post-count.ts'
import { changePostCounts } from '../../lists/post-count-store.ts'
import type { Instant } from '../../values/instant.ts'
import { type Post, publishScheduled } from './post.ts'
import { keepRevisions, savePost } from './post-save-store.ts'
import { listDueInstants, listDuePosts } from './post-store.ts'
import { toLogEntry, toRecounted } from './post-write.ts'

/** How many due posts are read at a time. */
const batch = 50
/** How many changes are logged between two pauses. */
const logBatch = 100
/** How many posts one transaction publishes, unless more are due at one instant. */
const mostInTurn = 300

/**
 * Publishes due posts of the project, ordered by the time they were scheduled for. Posts that are due at the same instant share a transaction,
 * so nobody ever sees only some of them. It can run any number of times, on any node: a further run finds nothing to do. Returns whether
 * more are due.
 */
export const publishDuePosts: Action<null, boolean> = {
  name: 'posts.settle',
  async run(tx, caller) {
    const first = await listDuePosts(tx, caller.projectId, caller.now, batch)
    const last = first.length < batch ? caller.now : await lastInTurn(tx, caller)
    const changes: Change[] = []
    const counts: CountChange[] = []
    for (let due: readonly Post[] = first.filter((post) => isDueBy(post, last)); due.length > 0; ) {
      const written = due.map((post) => ({ before: post, change: publishScheduled(post) }))
      for (const { before, change } of written) {
        await savePost(tx, caller.projectId, before, change.post)
        await tx.engine.pause()
      }
      const posts = written.map(({ change }) => change.post)
      await keepRevisions(tx, caller, posts)
      changes.push(...written.map(toLogEntry))
      counts.push(...countChanges(written.map(toRecounted)))
      due = due.length < batch ? [] : await listDuePosts(tx, caller.projectId, last, batch)
    }
    await finish(tx, caller, changes, counts)
    return last < caller.now
  },
}

/** The log comes last: it is locked until the commit, and this must not wait for posts that others are changing. */
async function finish(tx: Tx, caller: Caller, changes: readonly Change[], counts: readonly CountChange[]): Promise<void> {
  for (let start = 0; start < changes.length; start += logBatch) {
    await recordChanges(tx, caller, changes.slice(start, start + logBatch))
    await tx.engine.pause()
  }
  await changePostCounts(tx, caller.projectId, summed(counts))
}

/** The last instant whose posts all belong to this turn. The first due instant does, however many posts it has. */
async function lastInTurn(tx: Tx, { projectId, now }: Caller): Promise<Instant> {
  const instants = await listDueInstants(tx, projectId, now, mostInTurn + 1)
  const next = instants[mostInTurn]
  if (next === undefined) return now
  return instants.findLast((instant) => instant < next) ?? next
}

function isDueBy({ scheduledFor }: Post, last: Instant): boolean {
  return scheduledFor !== null && scheduledFor <= last
}
