import type { Action } from '../../../actions/action.ts'
import { type Caller, requireScope, sightOf } from '../../../actions/caller.ts'
import { recordChange } from '../../../actions/change-log/change-log-store.ts'
import { requireVersion, type VersionCheck } from '../../../actions/if-match.ts'
import { accepted, readable, type Validated } from '../../../actions/validation/validated.ts'
import type { Tx } from '../../../database/engine.ts'
import { type Instant, parseInstant } from '../../../values/instant.ts'
import { type Fault, notFound, refuseFaults } from '../../../values/problems.ts'
import { editPost, goesOut, type Post, type PostChange } from '../post.ts'
import { requireFreeAliases } from '../post-alias-store.ts'
import type { NamedPost } from '../post-body-store.ts'
import type { Post as PostBody } from '../post-schema.ts'
import { tagsNamed } from '../post-tag-store.ts'
import { finishWrite, requireFreeSlug, saveEdited } from '../post-write.ts'
import { findReferences } from '../revisions/post-revision-store.ts'
import {
  conflictsIn,
  editsReferences,
  type FieldValues,
  noun,
  type PendingEdit,
  pendingConflict,
  remainingEdits,
  representPending,
  toPostEdits,
  withEdits,
} from './pending-edit.ts'
import { change, findEdited, flagChange, removePending } from './pending-edit-actions.ts'
import type { PendingEditApplication, PendingEdit as PendingEditBody } from './pending-edit-schema.ts'
import { findBase, lookAhead } from './pending-edit-store.ts'

interface Application {
  readonly idOrSlug: string
  readonly ifMatch: VersionCheck
  readonly body: Validated<PendingEditApplication>
}

/** Makes a pending edit one version of its post, now or at a later time. Problems come in the order 404, 412, 422, 409. */
export const applyPending: Action<Application, PostBody | PendingEditBody> = {
  name: 'posts.applyPending',
  async run(tx, caller, { idOrSlug, ifMatch, body }) {
    const { named, edit } = await findEdited(tx, caller, idOrSlug)
    // Else the clock would publish what the caller may not.
    if (goesOut(named.post.status) || readable(body).scheduledFor !== undefined || edit?.scheduledFor) requireScope(caller, 'posts:publish')
    if (!edit) throw notFound(noun)
    requireVersion(noun, edit.version, ifMatch)
    const { scheduledFor } = accepted(body)
    if (scheduledFor !== undefined) return schedule(tx, caller, { named, edit }, parseInstant(scheduledFor) ?? caller.now)
    const written = await writeEdit(tx, caller, named.post, edit)
    await removePending(tx, caller, edit)
    if (written.news.length === 0) await recordChange(tx, caller, flagChange(named.post))
    return finishWrite(tx, caller, named.post, written)
  },
}

interface Edited {
  readonly named: NamedPost
  readonly edit: PendingEdit
}

/** Refuses at once what would stand in the way if the edit were applied now. */
async function schedule(tx: Tx, caller: Caller, { named, edit }: Edited, scheduledFor: Instant): Promise<PendingEditBody> {
  refuseFaults(scheduledFor > caller.now ? [] : [inThePast])
  await requireMergeable(tx, caller, named.post, edit)
  const sight = sightOf(caller)
  const { post: ahead } = await lookAhead(tx, sight, named, edit)
  if (ahead.slug !== named.post.slug) await requireFreeSlug(tx, caller, ahead.slug)
  await requireFreeAliases(tx, caller.projectId, ahead)
  const scheduled = await change(tx, caller, edit, { scheduledFor, problem: null })
  return representPending(await lookAhead(tx, sight, named, scheduled), scheduled)
}

const inThePast: Fault = { pointer: '/scheduledFor', code: 'in_the_past', detail: 'scheduledFor must lie in the future.' }

/** Writes what a pending edit makes of its post. 409 if both have changed the same field, or if its slug or an alias is taken. */
export async function writeEdit(tx: Tx, caller: Caller, post: Post, edit: PendingEdit): Promise<PostChange> {
  const edits = await requireMergeable(tx, caller, post, edit)
  const tags = edits.tags && (await tagsNamed(tx, caller.projectId, edits.tags, caller.now))
  const written = editPost({ ...post, hasPendingEdit: false }, toPostEdits(edits, tags), caller.now)
  if (written.news.length > 0) await saveEdited(tx, caller, post, written.post)
  return written
}

/** The edits as they would be applied; 409 `pending_conflict` if both sides have changed the same field. */
async function requireMergeable(tx: Tx, caller: Caller, post: Post, { edits, basedOn }: PendingEdit): Promise<FieldValues> {
  const sight = sightOf(caller)
  const remaining = editsReferences(edits)
    ? remainingEdits(edits, await findReferences(tx, sight, withEdits(post, edits, undefined)))
    : edits
  const base = await findBase(tx, sight, post, basedOn)
  const conflicts = base ? conflictsIn(post, base, remaining) : []
  if (conflicts.length > 0) throw pendingConflict(post, conflicts)
  return remaining
}
