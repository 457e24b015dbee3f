import type { Sight } from '../actions/caller.ts'
import type { Db } from '../database/engine.ts'
import { findAuthor } from '../resources/authors/author-store.ts'
import { findCategoryBody } from '../resources/categories/category-body-store.ts'
import { findMedia } from '../resources/media/media-store.ts'
import { findPostBody } from '../resources/posts/post-body-store.ts'
import { isId, type ProjectId } from '../values/ids.ts'

/**
 * A thing by its id, whatever its kind, as those see it who may see what is unpublished; none where it is gone. E-mail addresses of authors
 * are kept back: those who are told of a change have not asked for them.
 */
export async function represent(db: Db, projectId: ProjectId, id: string): Promise<object | undefined> {
  const sight: Sight = { projectId, drafts: true, emails: false }
  if (isId('post', id)) return findPostBody(db, sight, id)
  if (isId('auth', id)) return findAuthor(db, sight, id)
  if (isId('cat', id)) return findCategoryBody(db, sight, id)
  return findMedia(db, projectId, id)
}
