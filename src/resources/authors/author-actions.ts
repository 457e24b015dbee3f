import type { Action } from '../../actions/action.ts'
import type { Caller } from '../../actions/caller.ts'
import { recordChange } from '../../actions/change-log/change-log-store.ts'
import { requireVersion, type VersionCheck } from '../../actions/if-match.ts'
import { accepted, type Validated } from '../../actions/validation/validated.ts'
import { type Tx, WriteConflict } from '../../database/engine.ts'
import { type AuthorId, newId, type Random } from '../../values/ids.ts'
import { notFound } from '../../values/problems.ts'
import { removalOf } from '../references/reference-actions.ts'
import { insertUnderSlug, requireFreeSlug } from '../references/reference-slug-store.ts'
import { type Author, type AuthorEdits, administratorSight, authorChange, editedAuthor, newAuthor } from './author.ts'
import type { Author as AuthorBody, AuthorCreate, AuthorPatch } from './author-schema.ts'
import { findAuthor, findAuthorBody, insertAuthor, saveAuthor } from './author-store.ts'

/** Creates an author. Its slug is the one given (409 where it is taken) or made from the name. */
export const createAuthor: Action<{ readonly body: Validated<AuthorCreate> }, AuthorBody> = {
  name: 'authors.create',
  async run(tx, caller, { body }, random) {
    const author = await insertNewAuthor(tx, caller, accepted(body), random)
    await recordChange(tx, caller, authorChange(author, 'created'))
    return readBack(tx, caller, author.id)
  },
}

interface Edit {
  readonly idOrSlug: string
  readonly ifMatch: VersionCheck
  readonly body: Validated<AuthorPatch>
}

/** Changes an author by a merge patch (RFC 7396). Problems come in the order 404, 412, 422, 409. */
export const editAuthor: Action<Edit, AuthorBody> = {
  name: 'authors.edit',
  async run(tx, caller, { idOrSlug, ifMatch, body }) {
    const author = await findAuthor(tx, administratorSight(caller), idOrSlug)
    if (!author) throw notFound('author')
    requireVersion('author', author.version, ifMatch)
    const edited = editedAuthor(author, accepted(body), caller.now)
    if (edited !== author) {
      if (edited.slug !== author.slug) await requireFreeSlug(tx, caller.projectId, 'author', edited.slug)
      if (!(await saveAuthor(tx, caller.projectId, author, edited))) throw new WriteConflict('author')
      await recordChange(tx, caller, authorChange(edited, 'updated'))
    }
    return readBack(tx, caller, author.id)
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

async function readBack(tx: Tx, caller: Caller, id: AuthorId): Promise<AuthorBody> {
  const body = await findAuthorBody(tx, administratorSight(caller), id)
  if (!body) throw new Error('an author who was just written is not there')
  return body
}

/** Inserts a new author, under the slug given (409 where it is taken) or one made from the name. */
async function insertNewAuthor(tx: Tx, caller: Caller, edits: AuthorEdits & { readonly name: string }, random: Random): Promise<Author> {
  const { projectId, now } = caller
  const id = newId('auth', now, random)
  const insert = async (slug: string) => {
    const author = newAuthor(id, { ...edits, slug }, now)
    return (await insertAuthor(tx, projectId, author)) ? author : undefined
  }
  return insertUnderSlug(tx, projectId, { kind: 'author', slug: edits.slug, name: edits.name, insert }, random)
}
