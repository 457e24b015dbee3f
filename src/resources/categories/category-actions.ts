import type { Action } from '../../actions/action.ts'
import { type Caller, sightOf } from '../../actions/caller.ts'
import { recordChange, recordChanges, wasEver } from '../../actions/change-log/change-log-store.ts'
import { claimSlug, slugConflict } from '../../actions/claim-slug.ts'
import { requireVersion, type VersionCheck } from '../../actions/if-match.ts'
import { trashHorizon } from '../../actions/retention.ts'
import { accepted, type Checked } from '../../actions/validation/validated.ts'
import { type Tx, WriteConflict } from '../../database/engine.ts'
import { changePostCounts } from '../../lists/post-count-store.ts'
import { type CategoryId, isId, newId, type ProjectId, type Random } from '../../values/ids.ts'
import { notFound } from '../../values/problems.ts'
import { badTarget, type Reference } from '../references/reference.ts'
import { releaseFromPosts } from '../references/reference-store.ts'
import { type Category, type CategoryEdits, categoryChange, editedCategory, newCategory } from './category.ts'
import type { Category as CategoryBody, CategoryCreate, CategoryPatch } from './category-schema.ts'
import { deleteCategory, findCategory, findCategoryBody, findFreeSlug, insertCategory, saveCategory } from './category-store.ts'

/** Creates a category. Its slug is the one given (409 where it is taken) or made from the name. */
export const createCategory: Action<{ readonly body: Checked<CategoryCreate> }, CategoryBody> = {
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
  readonly body: Checked<CategoryPatch>
}

/** Changes a category by a merge patch (RFC 7396): 404, 412, 422 and 409 are judged in this order. */
export const editCategory: Action<Edit, CategoryBody> = {
  name: 'categories.edit',
  async run(tx, caller, { idOrSlug, ifMatch, body }) {
    const category = await findCategory(tx, caller.projectId, idOrSlug)
    if (!category) throw notFound('category')
    requireVersion('category', category.version, ifMatch)
    const edited = editedCategory(category, accepted(body), caller.now)
    if (edited !== category) {
      await saveEdited(tx, caller, category, edited)
      await recordChange(tx, caller, categoryChange(edited, 'updated'))
    }
    return readBack(tx, caller, category.id)
  },
}

interface Removal {
  readonly idOrSlug: string
  readonly ifMatch: VersionCheck
  /** The id or slug of the category that posts get instead; without one, a category in use stays. */
  readonly reassignTo: string | undefined
}

/** Deletes a category. Deleting again by id is no mistake. */
export const removeCategory: Action<Removal, void> = {
  name: 'categories.remove',
  async run(tx, caller, { idOrSlug, ifMatch, reassignTo }) {
    const category = await findCategory(tx, caller.projectId, idOrSlug)
    if (!category) return requirePast(tx, caller, idOrSlug)
    requireVersion('category', category.version, ifMatch)
    const to = reassignTo === undefined ? undefined : await findTarget(tx, caller, category, reassignTo)
    const horizon = trashHorizon(caller.now)
    const released = await releaseFromPosts(tx, caller, { kind: 'category', id: category.id }, { to, horizon })
    if (!(await deleteCategory(tx, caller.projectId, category))) throw new WriteConflict('category')
    const deletion = categoryChange({ ...category, version: category.version + 1 }, 'deleted')
    await recordChanges(tx, caller, [...released.changes, deletion])
    await changePostCounts(tx, caller.projectId, released.counts)
  },
}

async function findTarget(tx: Tx, caller: Caller, category: Category, idOrSlug: string): Promise<Reference> {
  const target = await findCategory(tx, caller.projectId, idOrSlug)
  if (!target) throw badTarget('not_found', 'There is no such category to reassign posts to.')
  if (target.id === category.id) throw badTarget('not_allowed', 'Posts cannot be reassigned to the very category that is deleted.')
  return { kind: 'category', id: target.id }
}

/** 404 for what never was and for a slug that is free; what was, and is gone, is deleted as asked. */
async function requirePast(tx: Tx, caller: Caller, idOrSlug: string): Promise<void> {
  if (!isId('cat', idOrSlug) || !(await wasEver(tx, caller.projectId, idOrSlug))) throw notFound('category')
}

async function readBack(tx: Tx, caller: Caller, id: CategoryId): Promise<CategoryBody> {
  const body = await findCategoryBody(tx, sightOf(caller), id)
  if (!body) throw new Error('a category that was just written is not there')
  return body
}

/** Inserts a new category, under the slug given (409 where it is taken) or one made from the name. */
export async function insertNewCategory(
  tx: Tx,
  caller: Caller,
  edits: CategoryEdits & { readonly name: string },
  random: Random,
): Promise<Category> {
  const { projectId, now } = caller
  const id = newId('cat', now, random)
  const slugs = slugsOf(tx, projectId)
  const insert = async (slug: string) => {
    const category = newCategory(id, { ...edits, slug }, now)
    return (await insertCategory(tx, projectId, category)) ? category : undefined
  }
  const insertFree = async (base: string) => insert(await slugs.findFree(base))
  return claimSlug({ ...slugs, slug: edits.slug, name: edits.name, insert, insertFree }, random)
}

async function saveEdited(tx: Tx, { projectId }: Caller, before: Category, after: Category): Promise<void> {
  const isTaken = after.slug !== before.slug && (await findCategory(tx, projectId, after.slug)) !== undefined
  if (isTaken) throw await slugConflict(slugsOf(tx, projectId), after.slug)
  if (!(await saveCategory(tx, projectId, before, after))) throw new WriteConflict('category')
}

function slugsOf(tx: Tx, projectId: ProjectId) {
  return { noun: 'category', findFree: (base: string) => findFreeSlug(tx, projectId, base) }
}
