import type { Action } from '../../actions/action.ts'
import type { Caller } from '../../actions/caller.ts'
import { recordChange, recordChanges, wasEver } from '../../actions/change-log/change-log-store.ts'
import { requireVersion, type VersionCheck } from '../../actions/if-match.ts'
import { trashHorizon } from '../../actions/retention.ts'
import { accepted, type Checked } from '../../actions/validation/validated.ts'
import { type Tx, WriteConflict } from '../../database/engine.ts'
import { changePostCounts } from '../../lists/post-count-store.ts'
import { isId, newId } from '../../values/ids.ts'
import { notFound } from '../../values/problems.ts'
import { badTarget, type Reference } from '../references/reference.ts'
import { releaseFromPosts } from '../references/reference-store.ts'
import { type Author, administratorSight, authorChange, editedAuthor, newAuthor } from './author.ts'
import type { AuthorCreate, AuthorPatch } from './author-schema.ts'
import { deleteAuthor, findAuthor, insertAuthor, saveAuthor } from './author-store.ts'

export const createAuthor: Action<{ readonly body: Checked<AuthorCreate> }, Author> = {
  name: 'authors.create',
  async run(tx, caller, { body }, random) {
    const author = newAuthor(newId('auth', caller.now, random), accepted(body), caller.now)
    await insertAuthor(tx, caller.projectId, author)
    await recordChange(tx, caller, authorChange(author, 'created'))
    return author
  },
}

/** Changes an author by a merge patch (RFC 7396): 404, 412 and 422 are judged in this order. */
export const editAuthor: Action<{ readonly id: string; readonly ifMatch: VersionCheck; readonly body: Checked<AuthorPatch> }, Author> = {
  name: 'authors.edit',
  async run(tx, caller, { id, ifMatch, body }) {
    const author = await findAuthor(tx, administratorSight(caller), id)
    if (!author) throw notFound('author')
    requireVersion('author', author.version, ifMatch)
    const edited = editedAuthor(author, accepted(body), caller.now)
    if (edited === author) return author
    if (!(await saveAuthor(tx, caller.projectId, author, edited))) throw new WriteConflict('author')
    await recordChange(tx, caller, authorChange(edited, 'updated'))
    return edited
  },
}

interface Removal {
  readonly id: string
  readonly ifMatch: VersionCheck
  /** The author whom posts get instead; without one, an author in use stays. */
  readonly reassignTo: string | undefined
}

/** Deletes an author. Deleting again is no mistake. */
export const removeAuthor: Action<Removal, void> = {
  name: 'authors.remove',
  async run(tx, caller, { id, ifMatch, reassignTo }) {
    const author = await findAuthor(tx, administratorSight(caller), id)
    if (!author) return requirePast(tx, caller, id)
    requireVersion('author', author.version, ifMatch)
    const to = reassignTo === undefined ? undefined : await findTarget(tx, caller, author, reassignTo)
    const horizon = trashHorizon(caller.now)
    const released = await releaseFromPosts(tx, caller, { kind: 'author', id: author.id }, { to, horizon })
    if (!(await deleteAuthor(tx, caller.projectId, author))) throw new WriteConflict('author')
    const deletion = authorChange({ ...author, version: author.version + 1 }, 'deleted')
    await recordChanges(tx, caller, [...released.changes, deletion])
    await changePostCounts(tx, caller.projectId, released.counts)
  },
}

async function findTarget(tx: Tx, caller: Caller, author: Author, id: string): Promise<Reference> {
  if (id === author.id) throw badTarget('not_allowed', 'Posts cannot be reassigned to the very author who is deleted.')
  const target = await findAuthor(tx, administratorSight(caller), id)
  if (!target) throw badTarget('not_found', 'There is no such author to reassign posts to.')
  return { kind: 'author', id: target.id }
}

/** 404 for what never was; what was, and is gone, is deleted as asked. */
async function requirePast(tx: Tx, caller: Caller, id: string): Promise<void> {
  if (!isId('auth', id) || !(await wasEver(tx, caller.projectId, id))) throw notFound('author')
}
