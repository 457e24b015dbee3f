import type { Action } from '../../actions/action.ts'
import type { Caller } from '../../actions/caller.ts'
import type { Change } from '../../actions/change-log/change.ts'
import { recordChanges } from '../../actions/change-log/change-log-store.ts'
import type { Tx } from '../../database/engine.ts'
import { type CountChange, countChanges, summed } from '../../lists/post-count.ts'
import { changePostCounts } from '../../lists/post-count-store.ts'
import type { PostId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import { settleEdit } from './pending/due-pending-actions.ts'
import { type Due, listDue } from './pending/pending-edit-store.ts'
import { publishScheduled } from './post.ts'
import { keepRevisions, savePost } from './post-save-store.ts'
import { listDuePosts } from './post-store.ts'
import { toLogEntry, toRecounted } from './post-write.ts'

/** How many due posts are read at a time. */
const batch = 50
/** How many changes are logged between two pauses. */
const logBatch = 100
/** How many posts and pending edits one transaction settles, unless more are due at one instant. */
const mostInTurn = 300

interface Turn {
  readonly more: boolean
  /** Pending edits that could not be applied. They stay, with the reason. */
  readonly refused: readonly { readonly postId: PostId; readonly code: string }[]
}

/** What a turn has written, to be logged at its end. */
interface Written {
  readonly log: { readonly caller: Caller; readonly change: Change }[]
  readonly counts: CountChange[]
  readonly refused: { readonly postId: PostId; readonly code: string }[]
  moved(): void
}

/**
 * Publishes due posts of the project and applies due pending edits, ordered by the time they were scheduled for; at the same instant posts come
 * first. What is due at the same instant shares a transaction, so nobody ever sees only some of it. It can run any number of times, on any node:
 * a further run finds nothing to do. Says whether more is due. Calls `moved` with everything that it writes.
 */
export const publishDuePosts = (moved: () => void): Action<null, Turn> => ({
  name: 'posts.settle',
  async run(tx, caller) {
    const first = await listDue(tx, caller.projectId, caller.now, mostInTurn + 1)
    const last = lastInTurn(caller, first)
    const written: Written = { log: [], counts: [], refused: [], moved }
    for (let due = first; ; due = await listDue(tx, caller.projectId, last, mostInTurn + 1)) {
      for (const edit of due.filter(({ isEdit, scheduledFor }) => isEdit && scheduledFor <= last)) {
        await publishPosts(tx, caller, edit.scheduledFor, written)
        await applyEdit(tx, caller, edit, written)
        await pause(tx, written)
      }
      await publishPosts(tx, caller, last, written)
      if (due.length <= mostInTurn) break
    }
    await finish(tx, caller, written)
    return { more: last < caller.now, refused: written.refused }
  },
})

function pause(tx: Tx, { moved }: Written): Promise<void> {
  moved()
  return tx.engine.pause()
}

/** Publishes the posts that are due by this instant. */
async function publishPosts(tx: Tx, caller: Caller, by: Instant, all: Written): Promise<void> {
  for (let isFull = true; isFull; ) {
    const due = await listDuePosts(tx, caller.projectId, by, batch)
    const written = due.map((post) => ({ before: post, change: publishScheduled(post) }))
    for (const { before, change } of written) {
      await savePost(tx, caller.projectId, before, change.post)
      await pause(tx, all)
    }
    const posts = written.map(({ change }) => change.post)
    await keepRevisions(tx, caller, posts)
    all.log.push(...written.map((each) => ({ caller, change: toLogEntry(each) })))
    all.counts.push(...countChanges(written.map(toRecounted)))
    isFull = due.length === batch
  }
}

async function applyEdit(tx: Tx, caller: Caller, due: Due, { log, counts, refused }: Written): Promise<void> {
  const settled = await settleEdit(tx, caller, due)
  if (!settled) return
  log.push(...settled.changes.map((change) => ({ caller: settled.caller, change })))
  if (settled.written) counts.push(...countChanges([toRecounted(settled.written)]))
  if (settled.refused) refused.push(settled.refused)
}

/** The log comes last: it is locked until the commit, and this must not wait for posts that others are changing. */
async function finish(tx: Tx, { projectId }: Caller, written: Written): Promise<void> {
  const { log, counts } = written
  for (let start = 0; start < log.length; ) {
    const { caller } = log[start] ?? {}
    if (!caller) break
    const others = log.findIndex((entry, at) => at > start && (entry.caller !== caller || at === start + logBatch))
    const end = others < 0 ? log.length : others
    await recordChanges(
      tx,
      caller,
      log.slice(start, end).map(({ change }) => change),
    )
    await pause(tx, written)
    start = end
  }
  await changePostCounts(tx, projectId, summed(counts))
}

/** The last instant of which everything belongs to this turn. What is due at the first instant does, however much it is. */
function lastInTurn({ now }: Caller, due: readonly Due[]): Instant {
  const next = due[mostInTurn]?.scheduledFor
  if (next === undefined) return now
  return due.findLast(({ scheduledFor }) => scheduledFor < next)?.scheduledFor ?? next
}
