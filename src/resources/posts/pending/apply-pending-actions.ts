import type { Action } from '../../../actions/action.ts'
import { type Caller, requireScope, type Sight, sightOf } from '../../../actions/caller.ts'
import { requireVersion, type VersionCheck } from '../../../actions/if-match.ts'
import { accepted, type Validated } from '../../../actions/validation/validated.ts'
import type { Tx } from '../../../database/engine.ts'
import { notFound } from '../../../values/problems.ts'
import { editPost, goesOut, type Post, type PostChange, type PostEdits } from '../post.ts'
import type { Post as PostBody } from '../post-schema.ts'
import { tagsNamed } from '../post-tag-store.ts'
import { finishWrite, saveEdited } from '../post-write.ts'
import { findReferences } from '../revisions/post-revision-store.ts'
import { conflictsIn, type FieldValues, noun, type PendingEdit, pendingConflict, toPostEdits, withEdits } from './pending-edit.ts'
import { findEdited, removePending } from './pending-edit-actions.ts'
import type { PendingEditApplication } from './pending-edit-schema.ts'
import { findBase } from './pending-edit-store.ts'

interface Application {
  readonly idOrSlug: string
  readonly ifMatch: VersionCheck
  readonly body: Validated<PendingEditApplication>
}

/** Makes a pending edit one version of its post. Problems come in the order 404, 412, 422, 409. */
export const applyPending: Action<Application, PostBody> = {
  name: 'posts.applyPending',
  async run(tx, caller, { idOrSlug, ifMatch, body }) {
    const { named, edit } = await findEdited(tx, caller, idOrSlug)
    if (goesOut(named.post.status)) requireScope(caller, 'posts:publish')
    if (!edit) throw notFound(noun)
    requireVersion(noun, edit.version, ifMatch)
    accepted(body)
    const change = await writeEdit(tx, caller, named.post, edit)
    await removePending(tx, caller, edit)
    return finishWrite(tx, caller, named.post, change)
  },
}

/** Writes what a pending edit makes of its post. 409 if both have changed the same field, or if its slug or an alias is taken. */
async function writeEdit(tx: Tx, caller: Caller, post: Post, { edits, basedOn }: PendingEdit): Promise<PostChange> {
  const sight = sightOf(caller)
  const base = await findBase(tx, sight, post, basedOn)
  const conflicts = base ? conflictsIn(post, base, edits) : []
  if (conflicts.length > 0) throw pendingConflict(post, conflicts)
  const references = await remainingReferences(tx, sight, withEdits(post, edits, undefined), edits)
  const tags = edits.tags && (await tagsNamed(tx, caller.projectId, edits.tags, caller.now))
  const change = editPost({ ...post, hasPendingEdit: false }, { ...toPostEdits(edits, tags), ...references }, caller.now)
  if (change.news.length > 0) await saveEdited(tx, caller, post, change.post)
  return change
}

/** The edited author and category. Like those of a revision that is restored, they become null if they were deleted. */
async function remainingReferences(tx: Tx, sight: Sight, ahead: Post, edits: FieldValues): Promise<PostEdits> {
  if (edits.authorId === undefined && edits.categoryId === undefined) return {}
  const { author, category } = await findReferences(tx, sight, ahead)
  return {
    ...(edits.authorId !== undefined && { authorId: author?.id ?? null }),
    ...(edits.categoryId !== undefined && { categoryId: category?.id ?? null }),
  }
}
