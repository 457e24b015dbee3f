import type { Action } from '../../../actions/action.ts'
import { type Caller, requireScope, sightOf } from '../../../actions/caller.ts'
import type { Change } from '../../../actions/change-log/change.ts'
import { findNextVersion, recordChange, recordChanges } from '../../../actions/change-log/change-log-store.ts'
import { requireNone, requireVersion, type VersionCheck } from '../../../actions/if-match.ts'
import { accepted, readable, type Validated } from '../../../actions/validation/validated.ts'
import type { Tx } from '../../../database/engine.ts'
import type { PostId } from '../../../values/ids.ts'
import { type Fault, notFound } from '../../../values/problems.ts'
import type { Post } from '../post.ts'
import { findReferenceEdits } from '../post-actions.ts'
import { findNamedPost, type NamedPost } from '../post-body-store.ts'
import { plainEdits } from '../post-fields.ts'
import {
  type EditState,
  type FieldValues,
  isSameEdit,
  noun,
  type PendingEdit,
  representPending,
  savedEdits,
  valuesIn,
} from './pending-edit.ts'
import type { PendingEdit as PendingEditBody, PendingEditPatch } from './pending-edit-schema.ts'
import { deletePendingEdit, findBase, findPendingEdit, insertPendingEdit, lookAhead, savePendingEdit } from './pending-edit-store.ts'

interface Save {
  readonly idOrSlug: string
  readonly ifMatch: VersionCheck
  /** There must be no pending edit yet. */
  readonly onlyNew: boolean
  readonly body: Validated<PendingEditPatch>
}

/** Saves a pending edit by a merge patch; makes it where there is none. Problems come in the order 404, 412, 422. */
export const savePending: Action<Save, PendingEditBody> = {
  name: 'posts.savePending',
  async run(tx, caller, { idOrSlug, ifMatch, onlyNew, body }) {
    const { named, edit: before } = await findEdited(tx, caller, idOrSlug)
    if (!before && onlyUnschedules(body)) throw notFound(noun)
    if (before) requireVersion(noun, before.version, onlyNew ? [] : ifMatch)
    else requireNone(noun, ifMatch)
    if (before?.scheduledFor) requireScope(caller, 'posts:publish')
    const { patch, base, faults } = await readPatch(tx, caller, { post: named.post, before, body })
    const asked = accepted(body, faults)
    const edits = savedEdits(base, before?.edits ?? {}, patch)
    const after = {
      edits,
      basedOn: base.version,
      scheduledFor: asked.scheduledFor === null ? null : (before?.scheduledFor ?? null),
      problem: null,
    }
    const edit = before ? await change(tx, caller, before, after) : await begin(tx, caller, named.post, after)
    return representPending(await lookAhead(tx, sightOf(caller), named, edit), edit)
  },
}

/** Whether a patch takes an edit off the schedule and does nothing else. The clock may have applied that edit meanwhile. */
function onlyUnschedules(body: Validated<PendingEditPatch>): boolean {
  return body.ok && Object.keys(body.value).join() === 'scheduledFor'
}

/** Discards a pending edit. */
export const discardPending: Action<{ readonly idOrSlug: string; readonly ifMatch: VersionCheck }, void> = {
  name: 'posts.discardPending',
  async run(tx, caller, { idOrSlug, ifMatch }) {
    const { named, edit } = await findEdited(tx, caller, idOrSlug)
    if (!edit) throw notFound(noun)
    if (edit.scheduledFor !== null) requireScope(caller, 'posts:publish')
    requireVersion(noun, edit.version, ifMatch)
    await removePending(tx, caller, edit)
    await recordChange(tx, caller, flagChange(named.post))
  },
}

/** Takes back the last save of a pending edit: it is as before, or gone if that save began it. */
export const undoPending: Action<{ readonly idOrSlug: string; readonly ifMatch: VersionCheck }, void> = {
  name: 'posts.undoPending',
  async run(tx, caller, { idOrSlug, ifMatch }) {
    const { named, edit } = await findEdited(tx, caller, idOrSlug)
    if (!edit) throw notFound(noun)
    if (edit.scheduledFor ?? edit.previous?.scheduledFor) requireScope(caller, 'posts:publish')
    requireVersion(noun, edit.version, ifMatch)
    if (edit.previous) {
      const { scheduledFor } = edit.previous
      const isMissed = scheduledFor !== null && scheduledFor <= caller.now
      await change(tx, caller, edit, { ...edit.previous, ...(isMissed && { scheduledFor: null }) })
      return
    }
    await removePending(tx, caller, edit)
    await recordChange(tx, caller, flagChange(named.post))
  },
}

/** The post, and its pending edit if it has one; 404 if the caller may not see the post. */
export async function findEdited(
  tx: Tx,
  caller: Caller,
  idOrSlug: string,
): Promise<{ readonly named: NamedPost; readonly edit: PendingEdit | undefined }> {
  const named = await findNamedPost(tx, sightOf(caller), idOrSlug)
  if (!named) throw notFound('post')
  return { named, edit: named.post.hasPendingEdit ? await findPendingEdit(tx, caller.projectId, named.post.id) : undefined }
}

/** Deletes a pending edit that was discarded or applied, and logs that. */
export async function removePending(tx: Tx, caller: Caller, edit: PendingEdit): Promise<void> {
  await deletePendingEdit(tx, caller.projectId, edit)
  await recordChange(tx, caller, pendingChange(edit.postId, edit.version + 1))
}

async function begin(tx: Tx, caller: Caller, post: Post, saved: EditState): Promise<PendingEdit> {
  const { actor, now, projectId } = caller
  // An edit that was discarded or applied had versions, too, and somebody may still have its ETag.
  const version = await findNextVersion(tx, projectId, { kind: 'pending_edit', id: post.id })
  const edit = { postId: post.id, version, actor, createdAt: now, updatedAt: now, previous: null, ...saved }
  await insertPendingEdit(tx, projectId, edit)
  await recordChanges(tx, caller, [flagChange(post), pendingChange(post.id, version)])
  return edit
}

/** Saves a pending edit that has changed. A save that changes nothing leaves its version and no trace. */
export async function change(tx: Tx, caller: Caller, before: PendingEdit, saved: Partial<EditState>): Promise<PendingEdit> {
  if (isSameEdit({ ...before, ...saved }, before)) return before
  const { edits, basedOn, scheduledFor, problem } = before
  const previous = { edits, basedOn, scheduledFor, problem }
  const after = { ...before, ...saved, previous, version: before.version + 1, actor: caller.actor, updatedAt: caller.now }
  await savePendingEdit(tx, caller.projectId, before, after)
  await recordChange(tx, caller, pendingChange(after.postId, after.version))
  return after
}

/** Logs that a pending edit went to the trash with its post, or is about to be erased with it. */
export async function logPendingGone(tx: Tx, caller: Caller, post: Post): Promise<void> {
  const edit = post.hasPendingEdit ? await findPendingEdit(tx, caller.projectId, post.id) : undefined
  if (edit) await recordChange(tx, caller, pendingChange(post.id, edit.version + 1))
}

/** Takes up a pending edit again that was in the trash with its post. If its scheduled time has passed, it is no longer scheduled. */
export async function takeUpPending(tx: Tx, caller: Caller, post: Post): Promise<void> {
  const edit = post.hasPendingEdit ? await findPendingEdit(tx, caller.projectId, post.id) : undefined
  if (!edit) return
  const isMissed = edit.scheduledFor !== null && edit.scheduledFor <= caller.now
  const after = isMissed ? { ...edit, version: edit.version + 1, scheduledFor: null } : edit
  if (isMissed) await savePendingEdit(tx, caller.projectId, edit, after)
  await recordChange(tx, caller, pendingChange(post.id, after.version))
}

/** The entry in the log for a pending edit that was saved, discarded or applied. */
export function pendingChange(id: PostId, version: number): Change {
  return { kind: 'pending_edit', id, version, news: [], publicBefore: false, publicAfter: false }
}

/** The entry for a post that has got or lost its pending edit, and is otherwise as it was. */
export function flagChange({ id, version }: Post): Change {
  return { kind: 'post', id, version, news: [], publicBefore: false, publicAfter: false }
}

interface ReadPatch {
  readonly patch: FieldValues
  /** The version of the post that the edit continues. */
  readonly base: Post
  readonly faults: readonly Fault[]
}

interface PatchOf {
  readonly post: Post
  readonly before: PendingEdit | undefined
  readonly body: Validated<PendingEditPatch>
}

async function readPatch(tx: Tx, caller: Caller, { post, before, body }: PatchOf): Promise<ReadPatch> {
  const { basedOn = before?.basedOn ?? post.version, scheduledFor: _, ...asked } = readable(body)
  const base = await findBase(tx, sightOf(caller), post, basedOn)
  const references = await findReferenceEdits(tx, caller.projectId, asked)
  const tags = asked.tags === undefined ? undefined : (asked.tags ?? [])
  return {
    patch: valuesIn({ ...plainEdits(asked), ...references.edits }, tags),
    base: base ?? post,
    faults: [
      ...references.faults,
      ...(base ? [] : [{ pointer: '/basedOn', code: 'not_found', detail: `The post has no version ${basedOn}.` }]),
    ],
  }
}
