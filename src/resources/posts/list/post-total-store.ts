import { sql } from 'kysely'
import type { Sight } from '../../../actions/caller.ts'
import type { Db } from '../../../database/engine.ts'
import { prepared } from '../../../database/prepared.ts'
import type { PostCountTable } from '../../../database/tables.ts'
import type { ListPlan } from '../../../lists/list-spec.ts'
import { statusesInSight } from '../../../lists/visible-posts.ts'
import type { ProjectId } from '../../../values/ids.ts'
import type { postList } from '../post-schema.ts'

type Filters = ListPlan<typeof postList>['filters']
type Dimension = Exclude<PostCountTable['dimension'], 'day'>
type Status = PostCountTable['status']

/** Which counts make up a total: those of one dimension and of what it is asked for by, author ids or slugs. */
interface Asked {
  readonly dimension: Dimension
  readonly names: readonly string[]
}

/** The total of a list, added up from the counts that every write keeps; none where the filters ask for more than those can tell. */
export async function findKeptTotal(db: Db, sight: Sight, filters: Filters): Promise<number | undefined> {
  const asked = sight.onlyPost === undefined ? askedOf(filters) : undefined
  if (!asked) return undefined
  const statuses = statusesInSight(sight, filters.status)
  const [row] = await adding(db, { projectId: sight.projectId, names: asked.names, statuses }, { dimension: asked.dimension })
  // Sums are text on PostgreSQL, and null where there is nothing to add.
  return Number(row?.total ?? 0)
}

/** Several authors or categories have no post in common, so their counts add up; several tags have. */
function askedOf({ status: _, author, category, tag, ...others }: Filters): Asked | undefined {
  const asked: readonly Asked[] = [
    ...(author ? [{ dimension: 'author', names: author } as const] : []),
    ...(category ? [{ dimension: 'category', names: category } as const] : []),
    ...(tag ? [{ dimension: 'tag', names: tag } as const] : []),
  ]
  if (asked.length > 1 || (tag && tag.length > 1) || Object.keys(others).length > 0) return undefined
  return asked[0] ?? { dimension: 'all', names: [''] }
}

type Counts = { readonly projectId: ProjectId; readonly names: readonly string[]; readonly statuses: readonly Status[] }

const adding = prepared((db, { projectId, names, statuses }: Counts, { dimension }: { readonly dimension: Dimension }) =>
  db
    .selectFrom('post_counts')
    .select((eb) => eb.fn.sum<number | string | null>('posts').as('total'))
    .where('project_id', '=', projectId)
    .where('dimension', '=', dimension)
    .where('ref', 'in', refs(db, projectId, dimension, names))
    .where('status', 'in', statuses),
)

function refs(db: Db, projectId: ProjectId, dimension: Dimension, names: readonly string[]) {
  if (dimension === 'category')
    return db.selectFrom('categories').select(sql<string>`id`.as('ref')).where('project_id', '=', projectId).where('slug', 'in', names)
  if (dimension === 'tag')
    return db.selectFrom('tags').select('folded as ref').where('project_id', '=', projectId).where('slug', 'in', names)
  return names
}
