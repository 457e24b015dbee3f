import type { FastifyInstance } from 'fastify'
import Type, { type TSchema } from 'typebox'
import type { Sight } from '../actions/caller.ts'
import type { Db } from '../database/engine.ts'
import type { Route } from '../http/route-config.ts'
import type { Service } from '../http/route-services.ts'
import type { Page } from '../lists/page-query.ts'
import { authorAdminOperations, authorOperations, authorRoutes } from '../resources/authors/author-routes.ts'
import { Author } from '../resources/authors/author-schema.ts'
import { findAuthorBody, findAuthors, listAuthors } from '../resources/authors/author-store.ts'
import { categoryAdminOperations, categoryOperations, categoryRoutes } from '../resources/categories/category-routes.ts'
import { Category } from '../resources/categories/category-schema.ts'
import { findCategories, findCategoryBody, listCategories } from '../resources/categories/category-store.ts'
import type { FeedKind } from '../resources/changes/feed.ts'
import { mediaOperations, mediaRoutes } from '../resources/media/media-routes.ts'
import { Media } from '../resources/media/media-schema.ts'
import { findMedia, findMediaRecords, listMedia } from '../resources/media/media-store.ts'
import { listPosts } from '../resources/posts/list/post-list-store.ts'
import { pendingOperations } from '../resources/posts/pending/pending-edit-routes.ts'
import { PendingEditNotice } from '../resources/posts/pending/pending-edit-schema.ts'
import { findNotices, listNotices } from '../resources/posts/pending/pending-edit-store.ts'
import { findPostBodies, findPostBody } from '../resources/posts/post-body-store.ts'
import { postOperations, postRoutes } from '../resources/posts/post-routes.ts'
import { Post } from '../resources/posts/post-schema.ts'
import { relatedOperation } from '../resources/posts/related/related-post-routes.ts'
import type { PostRendering } from '../resources/posts/rendering/include-fields.ts'
import { revisionOperations } from '../resources/posts/revisions/post-revision-routes.ts'
import { visibilityOperation } from '../resources/posts/visibility/post-visibility-routes.ts'
import { type Kind, kindOf, type ProjectId } from '../values/ids.ts'

/** A kind of resource as the feed, webhooks, the server and the OpenAPI document need it. */
interface ResourceKind extends FeedKind {
  /** The resource as webhooks send it; none where it is gone. */
  findOne(db: Db, sight: Sight, id: string): Promise<object | undefined>
  readonly routes: readonly Route[]
  serve(app: FastifyInstance, service: Service, rendering: PostRendering): void
}

/** The feed shows authors and categories without `postCount`, which changes without a change of them. */
const FeedAuthor = Type.Omit(Author, ['postCount'], { title: 'ToldAuthor' })
const FeedCategory = Type.Omit(Category, ['postCount'], { title: 'ToldCategory' })

function withoutCounts<T extends { readonly postCount: number }>(page: Page<T>): Page<Omit<T, 'postCount'>> {
  return { ...page, items: page.items.map(({ postCount: _, ...item }) => item) }
}

/** Everything decided per kind, in the order in which the feed walks: what posts name comes before them. */
const resourceKinds = {
  author: {
    name: 'author',
    scope: 'authors:read',
    schema: FeedAuthor,
    find: findAuthors,
    list: async (db, sight, plan) => withoutCounts(await listAuthors(db, sight, plan)),
    findOne: findAuthorBody,
    routes: [...Object.values(authorOperations), ...Object.values(authorAdminOperations)],
    serve: authorRoutes,
  },
  category: {
    name: 'category',
    scope: 'posts:read',
    schema: FeedCategory,
    find: (db, { projectId }, ids) => findCategories(db, projectId, ids),
    list: async (db, sight, plan) => withoutCounts(await listCategories(db, sight, plan)),
    findOne: findCategoryBody,
    routes: [...Object.values(categoryOperations), ...Object.values(categoryAdminOperations)],
    serve: categoryRoutes,
  },
  media: {
    name: 'media',
    scope: 'media:read',
    schema: Media,
    find: (db, { projectId }, ids) => findMediaRecords(db, projectId, ids),
    list: (db, { projectId }, plan) => listMedia(db, projectId, plan),
    findOne: (db, { projectId }, id) => findMedia(db, projectId, id),
    routes: Object.values(mediaOperations),
    serve: mediaRoutes,
  },
  post: {
    name: 'post',
    scope: 'posts:read',
    schema: Post,
    find: findPostBodies,
    list: (db, sight, plan, now) => listPosts({ db, sight, plan, now }),
    findOne: findPostBody,
    routes: [
      ...Object.values(postOperations),
      visibilityOperation,
      relatedOperation,
      ...Object.values(revisionOperations),
      ...Object.values(pendingOperations),
    ],
    serve: postRoutes,
  },
} satisfies { readonly [K in Kind]: ResourceKind & { readonly name: K } }

/** The schema of each kind as a single read answers and webhooks send it. */
export const wholeSchemas: Readonly<Record<Kind, TSchema>> = { author: Author, category: Category, media: Media, post: Post }

/** Every kind of resource. */
export const allKinds: readonly ResourceKind[] = Object.values(resourceKinds)

/** What the changes feed tells of, in the order in which it walks. */
export const feedKinds: readonly FeedKind[] = [
  ...allKinds,
  { name: 'pending_edit', scope: 'posts:read_drafts', schema: PendingEditNotice, find: findNotices, list: listNotices },
]

/** A resource as a key sees it that may see drafts but no e-mail addresses; none where it is gone. */
export async function findResource(db: Db, projectId: ProjectId, id: string): Promise<object | undefined> {
  const kind = kindOf(id)
  return kind && resourceKinds[kind].findOne(db, { projectId, drafts: true, emails: false }, id)
}
