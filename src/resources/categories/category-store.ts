import type { Selectable } from 'kysely'
import type { Sight } from '../../actions/caller.ts'
import type { Db, Tx } from '../../database/engine.ts'
import { insertRows } from '../../database/insert-rows.ts'
import { withHash } from '../../database/row-hash.ts'
import type { CategoryTable } from '../../database/tables.ts'
import type { ListPlan } from '../../lists/list-spec.ts'
import { countAsked, onPage, type Page, toPage } from '../../lists/page-query.ts'
import { countOf } from '../../lists/post-count-store.ts'
import { orderBy, orderTerms, type SortColumns } from '../../lists/sort-terms.ts'
import { type CategoryId, isId, type ProjectId } from '../../values/ids.ts'
import type { Category } from './category.ts'
import type { Category as CategoryBody, categoryList } from './category-schema.ts'

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

/** The categories with exactly these names, the oldest first. */
export async function findCategoriesByName(db: Db, projectId: ProjectId, names: readonly string[]): Promise<readonly Category[]> {
  if (names.length === 0) return []
  const rows = await db
    .selectFrom('categories')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('name', 'in', names)
    .orderBy('id')
    .execute()
  return rows.map(toCategory)
}

/** False if another category has the slug; nothing is written then. */
export async function insertCategory(tx: Tx, projectId: ProjectId, category: Category): Promise<boolean> {
  const inserted = await tx
    .insertInto('categories')
    .values(toRow(projectId, category))
    .onConflict((conflict) => conflict.columns(['project_id', 'slug']).doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows !== 0n
}

/** Inserts categories whose slugs are free. */
export async function insertCategories(tx: Tx, projectId: ProjectId, categories: readonly Category[]): Promise<void> {
  await insertRows(
    tx,
    'categories',
    categories.map((category) => toRow(projectId, category)),
  )
}

/** Writes a changed category over the version it was made from. False if another write was faster. */
export async function saveCategory(tx: Tx, projectId: ProjectId, before: Category, after: Category): Promise<boolean> {
  const { project_id, id, created_at, ...changing } = toRow(projectId, after)
  const updated = await tx
    .updateTable('categories')
    .set(changing)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('version', '=', before.version)
    .executeTakeFirst()
  return updated.numUpdatedRows > 0n
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

function toRow(projectId: ProjectId, { createdAt, updatedAt, ...category }: Category) {
  return withHash('categories', { project_id: projectId, created_at: createdAt, updated_at: updatedAt, ...category })
}

const sortColumns: SortColumns<(typeof categoryList)['sorts'][number]> = {
  name: [{ column: 'name', type: 'text' }],
  created_at: [{ column: 'created_at', type: 'text' }],
  slug: [{ column: 'slug', type: 'text' }],
  post_count: [{ column: 'post_count', type: 'number' }],
}

/** The representation of the category with this id or slug. */
export async function findCategoryBody(db: Db, sight: Sight, idOrSlug: string): Promise<CategoryBody | undefined> {
  const column = isId('cat', idOrSlug) ? 'categories.id' : 'categories.slug'
  const row = await counted(db, sight).selectAll().where(column, '=', idOrSlug).executeTakeFirst()
  return row && toBody(row)
}

/** A page of categories. */
export async function listCategories(db: Db, sight: Sight, plan: ListPlan<typeof categoryList>): Promise<Page<CategoryBody>> {
  const terms = orderTerms('categories', plan.sort, sortColumns)
  const found = counted(db, sight)
  const rows = await found
    .selectAll()
    .where('categories.id', 'in', onPage(found, plan, terms).select('categories.id'))
    .orderBy(orderBy(terms))
    .execute()
  return toPage(rows, plan, terms, { total: await countAsked(found, plan), toItem: toBody })
}

/** Categories, each with the number of its posts that the caller may see. */
function counted(db: Db, sight: Sight) {
  const categories = db
    .selectFrom('categories')
    .selectAll()
    .select(countOf(db, sight, { dimension: 'category', column: 'categories.id' }).as('post_count'))
    .where('categories.project_id', '=', sight.projectId)
  return db.selectFrom(categories.as('categories'))
}

type Row = Awaited<ReturnType<ReturnType<ReturnType<typeof counted>['selectAll']>['execute']>>[number]

function toBody(row: Row): CategoryBody {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    postCount: row.post_count ?? 0,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  }
}
