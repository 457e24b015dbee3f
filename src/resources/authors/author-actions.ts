import type { Action } from '../../actions/action.ts'
import { recordChange } from '../../actions/change-log/change-log-store.ts'
import { requireVersion, type VersionCheck } from '../../actions/if-match.ts'
import { accepted, type Validated } from '../../actions/validation/validated.ts'
import { WriteConflict } from '../../database/engine.ts'
import { newId } from '../../values/ids.ts'
import { notFound } from '../../values/problems.ts'
import { removalOf } from '../references/reference-actions.ts'
import { type Author, administratorSight, authorChange, editedAuthor, newAuthor } from './author.ts'
import type { AuthorCreate, AuthorPatch } from './author-schema.ts'
import { findAuthor, insertAuthor, saveAuthor } from './author-store.ts'

export const createAuthor: Action<{ readonly body: Validated<AuthorCreate> }, Author> = {
  name: 'authors.create',
  async run(tx, caller, { body }, random) {
    const author = newAuthor(newId('auth', caller.now, random), accepted(body), caller.now)
    await insertAuthor(tx, caller.projectId, author)
    await recordChange(tx, caller, authorChange(author, 'created'))
    return author
  },
}

/** Changes an author by a merge patch (RFC 7396). Problems come in the order 404, 412, 422. */
export const editAuthor: Action<{ readonly id: string; readonly ifMatch: VersionCheck; readonly body: Validated<AuthorPatch> }, Author> = {
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

/** Deletes an author; 409 if posts name it and get no other author. Deleting it again by id changes nothing. */
export const removeAuthor = removalOf<Author>({
  kind: 'author',
  name: 'authors.remove',
  find: (tx, caller, id) => findAuthor(tx, administratorSight(caller), id),
  toReference: ({ id }) => ({ kind: 'author', id }),
  toChange: authorChange,
})
