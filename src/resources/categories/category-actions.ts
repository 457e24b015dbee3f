import type { Action } from '../../actions/action.ts'
import { type Caller, sightOf } from '../../actions/caller.ts'
import { recordChange } from '../../actions/change-log/change-log-store.ts'
import { requireVersion, type VersionCheck } from '../../actions/if-match.ts'
import { accepted, type Validated } from '../../actions/validation/validated.ts'
import { type Tx, WriteConflict } from '../../database/engine.ts'
import { type CategoryId, newId, type Random } from '../../values/ids.ts'
import { notFound } from '../../values/problems.ts'
import { removalOf } from '../references/reference-actions.ts'
import { insertUnderSlug, requireFreeSlug } from '../references/reference-slug-store.ts'
import { type Category, type CategoryEdits, categoryChange, editedCategory, newCategory } from './category.ts'
import type { Category as CategoryBody, CategoryCreate, CategoryPatch } from './category-schema.ts'
import { findCategory, findCategoryBody, insertCategory, saveCategory } from './category-store.ts'

/** Creates a category. Its slug is the one given (409 where it is taken) or made from the name. */
export const createCategory: Action<{ readonly body: Validated<CategoryCreate> }, CategoryBody> = {
  name: 'categories.create',
  async run(tx, caller, { body }, random) {
    const category = await insertNewCategory(tx, caller, accepted(body), random)
    await recordChange(tx, caller, categoryChange(category, 'created'))
    return readBack(tx, caller, category.id)
  },
}

interface Edit {
  readonly idOrSlug: string
  readonly ifMatch: VersionCheck
  readonly body: Validated<CategoryPatch>
}

/** Changes a category by a merge patch (RFC 7396). Problems come in the order 404, 412, 422, 409. */
export const editCategory: Action<Edit, CategoryBody> = {
  name: 'categories.edit',
  async run(tx, caller, { idOrSlug, ifMatch, body }) {
    const category = await findCategory(tx, caller.projectId, idOrSlug)
    if (!category) throw notFound('category')
    requireVersion('category', category.version, ifMatch)
    const edited = editedCategory(category, accepted(body), caller.now)
    if (edited !== category) {
      if (edited.slug !== category.slug) await requireFreeSlug(tx, caller.projectId, 'category', edited.slug)
      if (!(await saveCategory(tx, caller.projectId, category, edited))) throw new WriteConflict('category')
      await recordChange(tx, caller, categoryChange(edited, 'updated'))
    }
    return readBack(tx, caller, category.id)
  },
}

/** Deletes a category; 409 if posts name it and get no other category. Deleting it again by id changes nothing. */
export const removeCategory = removalOf<Category>({
  kind: 'category',
  name: 'categories.remove',
  find: (tx, { projectId }, idOrSlug) => findCategory(tx, projectId, idOrSlug),
  toReference: ({ id }) => ({ kind: 'category', id }),
  toChange: categoryChange,
})

async function readBack(tx: Tx, caller: Caller, id: CategoryId): Promise<CategoryBody> {
  const body = await findCategoryBody(tx, sightOf(caller), id)
  if (!body) throw new Error('a category that was just written is not there')
  return body
}

/** Inserts a new category, under the slug given (409 where it is taken) or one made from the name. */
async function insertNewCategory(
  tx: Tx,
  caller: Caller,
  edits: CategoryEdits & { readonly name: string },
  random: Random,
): Promise<Category> {
  const { projectId, now } = caller
  const id = newId('cat', now, random)
  const insert = async (slug: string) => {
    const category = newCategory(id, { ...edits, slug }, now)
    return (await insertCategory(tx, projectId, category)) ? category : undefined
  }
  return insertUnderSlug(tx, projectId, { kind: 'category', slug: edits.slug, name: edits.name, insert }, random)
}
