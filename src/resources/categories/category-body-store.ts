import type { Sight } from '../../actions/caller.ts'
import type { Db } from '../../database/engine.ts'
import type { ListPlan } from '../../lists/list-spec.ts'
import { countAsked, onPage, type Page, toPage } from '../../lists/page-query.ts'
import { countOf } from '../../lists/post-count-store.ts'
import { orderBy, orderTerms, type SortColumns } from '../../lists/sort-terms.ts'
import { isId } from '../../values/ids.ts'
import type { Category as CategoryBody, categoryList } from './category-schema.ts'

const sortColumns: SortColumns<(typeof categoryList)['sorts'][number]> = {
  name: [{ column: 'name', type: 'text' }],
  created_at: [{ column: 'created_at', type: 'text' }],
  slug: [{ column: 'slug', type: 'text' }],
  post_count: [{ column: 'post_count', type: 'number' }],
}

/** One category as its representation, by id or slug. */
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

/** Categories with the number of their posts that the caller may see. */
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
