import Type from 'typebox'
import { Author } from '../resources/authors/author-schema.ts'
import { findAuthors, listAuthors } from '../resources/authors/author-store.ts'
import { listCategories } from '../resources/categories/category-body-store.ts'
import { Category } from '../resources/categories/category-schema.ts'
import { findCategories } from '../resources/categories/category-store.ts'
import type { FeedKind } from '../resources/changes/feed.ts'
import { Media } from '../resources/media/media-schema.ts'
import { findMediaRecords, listMedia } from '../resources/media/media-store.ts'
import { findPostBodies, listPosts } from '../resources/posts/post-body-store.ts'
import { Post } from '../resources/posts/post-schema.ts'

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
