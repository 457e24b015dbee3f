import { Overtaken } from '../../actions/action.ts'
import type { Caller } from '../../actions/caller.ts'
import type { Tx } from '../../database/engine.ts'
import { newId, type Random } from '../../values/ids.ts'
import { Problem } from '../../values/problems.ts'
import { slugBase } from '../../values/slug.ts'
import { randomSlug } from '../../values/slug-search.ts'
import { type Category, type CategoryEdits, newCategory } from './category.ts'
import { findCategory, findFreeSlug, insertCategory, saveCategory } from './category-store.ts'

/** How often a made slug is made again when somebody else takes it first; a hundred at once need a hundred at most. */
const maxSlugTries = 1_000

/** Puts a new category in its place, under the slug given (409 where it is taken) or one made from the name. */
export async function insertNewCategory(
  tx: Tx,
  caller: Caller,
  edits: CategoryEdits & { readonly name: string },
  random: Random,
): Promise<Category> {
  const id = newId('cat', caller.now, random)
  const { projectId, now } = caller
  if (edits.slug !== undefined) {
    const category = newCategory(id, { ...edits, slug: edits.slug }, now)
    if (!(await insertCategory(tx, projectId, category))) throw await slugConflict(tx, caller, edits.slug)
    return category
  }
  const base = slugBase(edits.name) || randomSlug('category', random)
  for (let tries = 0; tries < maxSlugTries; tries++) {
    const category = newCategory(id, { ...edits, slug: await findFreeSlug(tx, projectId, base) }, now)
    if (await insertCategory(tx, projectId, category)) return category
  }
  throw new Problem('overloaded', 'Too many categories of this name are being created at once.', { headers: { 'retry-after': '1' } })
}

export async function saveEdited(tx: Tx, caller: Caller, before: Category, after: Category): Promise<void> {
  const { projectId } = caller
  const isTaken = after.slug !== before.slug && (await findCategory(tx, projectId, after.slug)) !== undefined
  if (isTaken) throw await slugConflict(tx, caller, after.slug)
  if (!(await saveCategory(tx, projectId, before, after))) throw new Overtaken('category')
}

/** 409 with a slug that is free. */
async function slugConflict(tx: Tx, caller: Caller, slug: string): Promise<Problem> {
  const suggestion = await findFreeSlug(tx, caller.projectId, slug)
  return new Problem('slug_conflict', `The slug ${slug} belongs to another category; ${suggestion} is free.`, {
    errors: [{ pointer: '/slug', code: 'taken', detail: `${suggestion} is free.` }],
    members: { suggestion },
  })
}
