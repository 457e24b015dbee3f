import type { Db } from '../database/engine.ts'
import { type AuthorId, type CategoryId, isId, type ProjectId } from '../ids.ts'

/** The author with this id, if the project has one. */
export async function findAuthorId(db: Db, projectId: ProjectId, id: string): Promise<AuthorId | undefined> {
  if (!isId('auth', id)) return undefined
  const row = await db.selectFrom('authors').select('id').where('project_id', '=', projectId).where('id', '=', id).executeTakeFirst()
  return row?.id
}

/** The category with this id or slug, if the project has one. */
export async function findCategoryId(db: Db, projectId: ProjectId, idOrSlug: string): Promise<CategoryId | undefined> {
  const column = isId('cat', idOrSlug) ? 'id' : 'slug'
  const row = await db
    .selectFrom('categories')
    .select('id')
    .where('project_id', '=', projectId)
    .where(column, '=', idOrSlug)
    .executeTakeFirst()
  return row?.id
}
