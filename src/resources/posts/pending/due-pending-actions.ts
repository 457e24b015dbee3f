import { type Caller, sightOf } from '../../../actions/caller.ts'
import type { Change } from '../../../actions/change-log/change.ts'
import type { Tx } from '../../../database/engine.ts'
import { attempt } from '../../../database/savepoint.ts'
import type { PostId } from '../../../values/ids.ts'
import { isRefusal, type Problem } from '../../../values/problems.ts'
import { findNamedPost } from '../post-body-store.ts'
import { keepRevisions } from '../post-save-store.ts'
import { toLogEntry, type WrittenPost } from '../post-write.ts'
import { writeEdit } from './apply-pending-actions.ts'
import type { PendingEdit } from './pending-edit.ts'
import { flagChange, pendingChange } from './pending-edit-actions.ts'
import { type Due, deletePendingEdit, findPendingEdit, savePendingEdit } from './pending-edit-store.ts'

/** What became of a due pending edit. */
interface SettledEdit {
  /** The entries for the log, and who made the changes. */
  readonly caller: Caller
  readonly changes: readonly Change[]
  /** The post, unless the edit made no difference or was not applied. */
  readonly written: WrittenPost | undefined
  /** Why it could not be applied. */
  readonly refused: { readonly postId: PostId; readonly code: string } | undefined
}

/**
 * Applies a due pending edit, as of the time for which it was scheduled, in the name of whoever scheduled it. One that cannot be applied stays,
 * loses its time and says why. The log is left to the caller, because it comes last.
 */
export async function settleEdit(tx: Tx, caller: Caller, { postId, scheduledFor }: Due): Promise<SettledEdit | undefined> {
  const edit = await findPendingEdit(tx, caller.projectId, postId)
  const named = await findNamedPost(tx, sightOf(caller), postId)
  if (!edit || !named) return undefined
  const { post } = named
  const author: Caller = { ...caller, actor: edit.actor }
  try {
    const change = await attempt(tx, async () => {
      const written = await writeEdit(tx, { ...author, now: scheduledFor }, post, edit)
      await deletePendingEdit(tx, caller.projectId, edit)
      return written
    })
    const written = change.news.length > 0 ? { before: post, change } : undefined
    if (written) await keepRevisions(tx, author, [change.post])
    const changes = [pendingChange(postId, edit.version + 1), written ? toLogEntry(written) : flagChange(post)]
    return { caller: author, changes, written, refused: undefined }
  } catch (error) {
    if (!isRefusal(error)) throw error
    const stopped = await stop(tx, caller, edit, error)
    return { caller, changes: [pendingChange(postId, stopped.version)], written: undefined, refused: { postId, code: error.code } }
  }
}

/** Takes an edit off the schedule with the reason. What was written stays. */
async function stop(tx: Tx, { projectId }: Caller, edit: PendingEdit, { code, detail }: Problem): Promise<PendingEdit> {
  const problem = { code, detail, at: edit.scheduledFor ?? edit.updatedAt }
  const stopped: PendingEdit = { ...edit, scheduledFor: null, problem, version: edit.version + 1 }
  await savePendingEdit(tx, projectId, edit, stopped)
  return stopped
}
