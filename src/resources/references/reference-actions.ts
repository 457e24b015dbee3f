import type { Action } from '../../actions/action.ts'
import type { Caller } from '../../actions/caller.ts'
import type { Change } from '../../actions/change-log/change.ts'
import { isInLog, recordChanges } from '../../actions/change-log/change-log-store.ts'
import { eraseResponsesOf } from '../../actions/idempotency/stored-response-store.ts'
import { requireVersion, type VersionCheck } from '../../actions/if-match.ts'
import { trashHorizon } from '../../actions/retention.ts'
import { type Tx, WriteConflict } from '../../database/engine.ts'
import { changePostCounts } from '../../lists/post-count-store.ts'
import { kindOf } from '../../values/ids.ts'
import { notFound, Problem } from '../../values/problems.ts'
import type { Reference } from './reference.ts'
import { deleteReference, releaseFromPosts } from './reference-store.ts'

/** What the deletion of authors differs in from that of categories. */
interface Removable<R> {
  readonly kind: Reference['kind']
  readonly name: string
  find(tx: Tx, caller: Caller, idOrSlug: string): Promise<R | undefined>
  toReference(found: R): Reference
  toChange(found: R, what: 'deleted'): Change
}

interface Removal {
  readonly idOrSlug: string
  readonly ifMatch: VersionCheck
  /** The author or category that posts get instead. Without one, what posts name stays. */
  readonly reassignTo: string | undefined
}

/** Makes the action that deletes an author or a category. Deleting it again by id changes nothing. */
export function removalOf<R extends { readonly version: number }>(removable: Removable<R>): Action<Removal, void> {
  const { kind, name, find, toReference, toChange } = removable
  return {
    name,
    async run(tx, caller, { idOrSlug, ifMatch, reassignTo }) {
      const found = await find(tx, caller, idOrSlug)
      if (!found) return requirePast(tx, caller, kind, idOrSlug)
      requireVersion(kind, found.version, ifMatch)
      const from = toReference(found)
      const target = reassignTo === undefined ? undefined : await find(tx, caller, reassignTo)
      const to = target && toReference(target)
      if (reassignTo !== undefined) requireTarget(from, to)
      const released = await releaseFromPosts(tx, caller, from, { to, horizon: trashHorizon(caller.now) })
      if (!(await deleteReference(tx, caller.projectId, from, found.version))) throw new WriteConflict(kind)
      await eraseResponsesOf(tx, caller.projectId, from.id)
      const deletion = toChange({ ...found, version: found.version + 1 }, 'deleted')
      await recordChanges(tx, caller, [...released.changes, deletion])
      await changePostCounts(tx, caller.projectId, released.counts)
    },
  }
}

/** 400 for a `reassign_to` that posts cannot get. */
function requireTarget({ kind, id }: Reference, to: Reference | undefined): void {
  if (to && to.id !== id) return
  const [code, detail] = to
    ? ['not_allowed', `Posts cannot be reassigned to the ${kind} that is deleted.`]
    : ['not_found', `There is no such ${kind} to reassign posts to.`]
  throw new Problem('invalid_parameter', detail, { errors: [{ parameter: 'reassign_to', code, detail }] })
}

/** 404, unless this is the id of an author or category that was deleted. */
async function requirePast(tx: Tx, { projectId }: Caller, kind: Reference['kind'], id: string): Promise<void> {
  if (kindOf(id) !== kind || !(await isInLog(tx, projectId, id as Reference['id']))) throw notFound(kind)
}
