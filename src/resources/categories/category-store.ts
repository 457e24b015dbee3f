import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../database/engine.ts'
import type { CategoryTable } from '../../database/tables.ts'
import { type CategoryId, isId, type ProjectId } from '../../values/ids.ts'
import { firstFreeSlug } from '../../values/slug.ts'
import { slugNeighbours } from '../../values/slug-search.ts'
import type { Category } from './category.ts'

export async function findCategory(db: Db, projectId: ProjectId, idOrSlug: string): Promise<Category | undefined> {
  const column = isId('cat', idOrSlug) ? 'id' : 'slug'
  const row = await db
    .selectFrom('categories')
    .selectAll()
    .where('project_id', '=', projectId)
    .where(column, '=', idOrSlug)
    .executeTakeFirst()
  return row && toCategory(row)
}

/** The categories with these ids, in no order. */
export async function findCategories(db: Db, projectId: ProjectId, ids: readonly string[]): Promise<readonly Category[]> {
  const rows = await db
    .selectFrom('categories')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', 'in', ids as readonly CategoryId[])
    .execute()
  return rows.map(toCategory)
}

/** The category of exactly this name; the one that came first where there are several. */
export async function findCategoryByName(db: Db, projectId: ProjectId, name: string): Promise<Category | undefined> {
  const row = await db
    .selectFrom('categories')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row && toCategory(row)
}

/** The first of `base`, `base-2`, `base-3`, … that no category has. */
export async function findFreeSlug(db: Db, projectId: ProjectId, base: string): Promise<string> {
  const [from, to] = slugNeighbours(base)
  const taken = await db
    .selectFrom('categories')
    .select('slug')
    .where('project_id', '=', projectId)
    .where((eb) => eb.or([eb('slug', '=', base), eb.and([eb('slug', '>=', from), eb('slug', '<', to)])]))
    .execute()
  return firstFreeSlug(base, new Set(taken.map((row) => row.slug)))
}

/** False where the slug is taken by another category: nothing is written then. */
export async function insertCategory(tx: Tx, projectId: ProjectId, category: Category): Promise<boolean> {
  const inserted = await tx
    .insertInto('categories')
    .values({ project_id: projectId, id: category.id, created_at: category.createdAt, ...toRow(category) })
    .onConflict((conflict) => conflict.columns(['project_id', 'slug']).doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows !== 0n
}

/** Writes a changed category over the version it was made from. False where somebody else was faster. */
export async function saveCategory(tx: Tx, projectId: ProjectId, before: Category, after: Category): Promise<boolean> {
  const updated = await tx
    .updateTable('categories')
    .set(toRow(after))
    .where('project_id', '=', projectId)
    .where('id', '=', after.id)
    .where('version', '=', before.version)
    .executeTakeFirst()
  return updated.numUpdatedRows > 0n
}

/** Deletes a category under which no post is filed, and where it was imported from. False where somebody else was faster. */
export async function deleteCategory(tx: Tx, projectId: ProjectId, { id, version }: Category): Promise<boolean> {
  await tx.deleteFrom('sources').where('project_id', '=', projectId).where('entity_id', '=', id).execute()
  const deleted = await tx
    .deleteFrom('categories')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

function toCategory(row: Selectable<CategoryTable>): Category {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  }
}

function toRow({ name, slug, description, updatedAt, version }: Category) {
  return { name, slug, description, updated_at: updatedAt, version }
}
