import Type from 'typebox'
import type { Sight } from '../actions/caller.ts'
import type { Db } from '../database/engine.ts'
import { Author } from '../resources/authors/author-schema.ts'
import { findAuthor, findAuthors, listAuthors } from '../resources/authors/author-store.ts'
import { Category } from '../resources/categories/category-schema.ts'
import { findCategories, findCategoryBody, listCategories } from '../resources/categories/category-store.ts'
import type { FeedKind } from '../resources/changes/feed.ts'
import { Media } from '../resources/media/media-schema.ts'
import { findMedia, findMediaRecords, listMedia } from '../resources/media/media-store.ts'
import { findPostBodies, findPostBody, listPosts } from '../resources/posts/post-body-store.ts'
import { Post } from '../resources/posts/post-schema.ts'
import { isId, type ProjectId } from '../values/ids.ts'

/** `postCount` changes without a change of the category; who follows the feed counts for himself. */
const ToldCategory = Type.Omit(Category, ['postCount'], { title: 'ToldCategory' })

/** What the changes feed tells of, in the order of a walk: what posts name comes before them. */
export const feedKinds: readonly FeedKind[] = [
  { name: 'author', scope: 'authors:read', shape: Author, find: findAuthors, list: listAuthors },
  {
    name: 'category',
    scope: 'posts:read',
    shape: ToldCategory,
    find: (db, { projectId }, ids) => findCategories(db, projectId, ids),
    async list(db, sight, plan) {
      const page = await listCategories(db, sight, plan)
      return { ...page, items: page.items.map(({ postCount: _, ...category }) => category) }
    },
  },
  {
    name: 'media',
    scope: 'media:read',
    shape: Media,
    find: (db, { projectId }, ids) => findMediaRecords(db, projectId, ids),
    list: (db, { projectId }, plan) => listMedia(db, projectId, plan),
  },
  { name: 'post', scope: 'posts:read', shape: Post, find: findPostBodies, list: listPosts },
]

/**
 * A resource by its id, whatever its kind, as those see it who may see what is unpublished; none where it is gone. E-mail addresses of authors
 * are kept back: those who are told of a change have not asked for them.
 */
export async function represent(db: Db, projectId: ProjectId, id: string): Promise<object | undefined> {
  const sight: Sight = { projectId, drafts: true, emails: false }
  if (isId('post', id)) return findPostBody(db, sight, id)
  if (isId('auth', id)) return findAuthor(db, sight, id)
  if (isId('cat', id)) return findCategoryBody(db, sight, id)
  return findMedia(db, projectId, id)
}
