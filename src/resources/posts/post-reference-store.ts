import type { Db } from '../../database/engine.ts'
import { prepared } from '../../database/prepared.ts'
import { type AuthorId, type CategoryId, isId, type ProjectId } from '../../values/ids.ts'

/** The author with this id, if the project has one. */
export async function findAuthorId(db: Db, projectId: ProjectId, id: string): Promise<AuthorId | undefined> {
  if (!isId('auth', id)) return undefined
  const [row] = await authorWith(db, { projectId, id })
  return row?.id
}

const authorWith = prepared((db, { projectId, id }: { readonly projectId: ProjectId; readonly id: AuthorId }) =>
  db.selectFrom('authors').select('id').where('project_id', '=', projectId).where('id', '=', id),
)

/** The category with this id or slug, if the project has one. */
export async function findCategoryId(db: Db, projectId: ProjectId, idOrSlug: string): Promise<CategoryId | undefined> {
  const [row] = await categoryWith(db, { projectId, idOrSlug }, isId('cat', idOrSlug) ? 'id' : 'slug')
  return row?.id
}

const categoryWith = prepared(
  (db, { projectId, idOrSlug }: { readonly projectId: ProjectId; readonly idOrSlug: string }, column: 'id' | 'slug') =>
    db.selectFrom('categories').select('id').where('project_id', '=', projectId).where(column, '=', idOrSlug),
)
