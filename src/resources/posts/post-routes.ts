import type { FastifyInstance } from 'fastify'
import { requireScope, sightOf } from '../../actions/caller.ts'
import { validatorOf } from '../../actions/validation/validate.ts'
import { toBody } from '../../http/body.ts'
import { queryOf } from '../../http/request/query.ts'
import { versionsIn } from '../../http/response/etag.ts'
import { sendFreshList, sendList, sendOne, sendReadyOne, sendRedirect } from '../../http/response/responses.ts'
import { sendWriteResult, writeQueryOf } from '../../http/response/write-response.ts'
import { handle, opensForPreviews, reads, writes } from '../../http/route-config.ts'
import type { Service } from '../../http/route-services.ts'
import { planList, planShown } from '../../lists/list-plan.ts'
import type { Page } from '../../lists/page-query.ts'
import { readBoolean } from '../../lists/query-parameters.ts'
import type { AtRevision } from '../../lists/read-at-revision.ts'
import { notFound } from '../../values/problems.ts'
import { batchChecker } from './batch/post-batch.ts'
import { batchPosts } from './batch/post-batch-actions.ts'
import { PostBatch, PostBatchResults } from './batch/post-batch-schema.ts'
import { listPosts } from './list/post-list-store.ts'
import { cached } from './list-cache/cached-list.ts'
import { pendingRoutes } from './pending/pending-edit-routes.ts'
import { findPreviewed } from './pending/pending-edit-store.ts'
import { createPost, patchPost } from './post-actions.ts'
import { findPostBody } from './post-body-store.ts'
import { contentHash, pick } from './post-fields.ts'
import { Post, PostCreate, PostList, PostPatch, PostRestore, postList } from './post-schema.ts'
import { findSuccessor } from './post-slug-store.ts'
import { deletePost, restoreTrashed } from './post-trash-actions.ts'
import { relatedRoutes } from './related/related-post-routes.ts'
import { includeFields, type PostRendering, toPlain } from './rendering/include-fields.ts'
import { postIncludes } from './rendering/included-schema.ts'
import { includingLists } from './rendering/including-lists.ts'
import { revisionRoutes } from './revisions/post-revision-routes.ts'
import { visibilityRoutes } from './visibility/post-visibility-routes.ts'

const tag = 'Posts'

/** The routes of posts and their documentation. */
export const postOperations = {
  list: reads('GET /v1/posts', 'posts:read', {
    id: 'listPosts',
    tag,
    summary: 'List posts',
    description:
      'Newest first. A key without `posts:read_drafts` sees published posts only. A key with that scope sees every status unless `status` is given.',
    list: postList,
    responses: { 200: PostList, 304: null },
  }),
  read: opensForPreviews(
    reads('GET /v1/posts/:idOrSlug', 'posts:read', {
      id: 'getPost',
      tag,
      summary: 'Read a post by id or slug',
      description:
        'A former slug of the post answers 301 with the current one. With `preview_token`, no key is needed: the response is the post that the token was made for, in any status and with its pending edit, and it is not cached.',
      texts: {
        preview_token:
          'A preview token of this post. If the token does not open this post, the answer is 404, even with a key that may read it.',
      },
      selects: postList.fields,
      includes: postIncludes,
      responses: { 200: Post, 301: null, 304: null },
      problems: ['not_found'],
    }),
  ),
  create: writes('POST /v1/posts', 'posts:propose', {
    id: 'createPost',
    tag,
    summary: 'Create a post',
    description:
      'The post is a draft unless `status` is given. Its slug is made from the title unless `slug` is given. Another status than draft needs `posts:write`, and to publish or schedule it `posts:publish`.',
    body: PostCreate,
    responses: { 201: Post },
    problems: ['slug_conflict', 'alias_conflict'],
  }),
  patch: writes('PATCH /v1/posts/:idOrSlug', 'posts:write', {
    id: 'updatePost',
    tag,
    summary: 'Change a post',
    description:
      'A JSON merge patch (RFC 7396). A post can go from any status to any other. If the status before or after is published or scheduled, this needs `posts:publish`. With `If-Match`, it does not overwrite another client’s change.',
    body: PostPatch,
    responses: { 200: Post },
    problems: ['not_found', 'stale_version', 'slug_conflict', 'alias_conflict'],
  }),
  delete: writes(
    'DELETE /v1/posts/:idOrSlug',
    undefined,
    {
      id: 'deletePost',
      tag,
      summary: 'Delete a post',
      description:
        'Moves the post to the trash for 30 days (`posts:write`; with `posts:propose`, a draft of its own that nobody has changed), or erases it with `permanent=true` (`posts:delete`). Deleting a deleted post again by its id answers 204.',
      flags: { permanent: 'Erase the post, its revisions and everything else that belongs to it alone.' },
      responses: { 204: null },
      problems: ['not_found', 'stale_version'],
    },
    'none',
  ),
  restore: writes(
    'POST /v1/posts/:id/restore',
    'posts:write',
    {
      id: 'restorePost',
      tag,
      summary: 'Restore a post from the trash',
      description:
        'The post comes back as it was. If its scheduled time has passed, it comes back as a draft. If another post has taken its slug or an alias, the answer is 409; send another `slug` or other `aliases` in the body. A post that is not in the trash stays as it is; if the body asks for something else than the post has, the answer is 422.',
      body: PostRestore,
      responses: { 200: Post },
      problems: ['not_found', 'stale_version', 'slug_conflict', 'alias_conflict'],
    },
    'optional',
  ),
  /** With every other method, this path is the post whose slug is `batch`. */
  batch: writes('POST /v1/posts/batch', 'posts:write', {
    id: 'batchPosts',
    tag,
    summary: 'Write several posts at once',
    description:
      'Runs up to 100 operations in order, in one transaction. If one fails, none takes effect, and the problem names it in `operation`. With `"atomic": false` the others take effect anyway, and a 207 response reports each result. Every operation needs the same scopes as the single request.',
    body: PostBatch,
    severalAtOnce: true,
    responses: { 200: PostBatchResults, 207: PostBatchResults },
    problems: ['not_found', 'stale_version', 'slug_conflict', 'alias_conflict'],
  }),
}

/** `/v1/posts`. */
export function postRoutes(app: FastifyInstance, service: Service, rendering: PostRendering): void {
  readRoutes(app, service, rendering)
  visibilityRoutes(app, service)
  relatedRoutes(app, service)
  writeRoutes(app, service)
  revisionRoutes(app, service)
  pendingRoutes(app, service, rendering)
}

function readRoutes(app: FastifyInstance, service: Service, rendering: PostRendering): void {
  const { db } = service
  const listCached = cached(listPosts)
  const lists = includingLists(rendering)

  handle(app, postOperations.list, async (request, reply) => {
    const { caller } = request.authenticated
    const { now } = caller
    const plan = planList(postList, queryOf(request), caller)
    if (plan.filters.trashed)
      return sendFreshList(service, request, reply, plan, (asked, snapshot): Promise<Page<object>> => {
        const trash = { db: snapshot, sight: sightOf(caller), plan: asked, now }
        return asked.include ? lists.fresh(trash, caller.actor) : listPosts(trash)
      })
    return sendList(
      service,
      request,
      reply,
      plan,
      (asked, reads): Promise<AtRevision<Page<object>>> =>
        asked.include ? lists.cached({ reads, plan: asked, now }, caller.actor) : listCached({ reads, plan: asked, now }),
    )
  })

  handle(app, postOperations.read, async (request, reply) => {
    const { caller } = request.authenticated
    const { idOrSlug } = request.params
    const query = queryOf(request)
    const sight = sightOf(caller)
    const isPreview = caller.kind === 'preview'
    // A preview shows all of its post.
    const { fields, include } = isPreview
      ? planShown({ ...postList, others: ['preview_token'] }, query, { scopes: ['media:read'] })
      : planShown(postList, query, caller)
    const found = await findPostBody(db, sight, idOrSlug)
    const successor = found ? undefined : await findSuccessor(db, sight, idOrSlug)
    const isRenamed = successor !== undefined && successor.slug !== idOrSlug
    // Previews are not redirected: a redirect would carry the token.
    if (isRenamed && !isPreview) return sendRedirect(service, request, reply, `/v1/posts/${successor.slug}`)
    // By its id, since it may be renamed meanwhile.
    const current = successor ? await findPostBody(db, sight, successor.id) : found
    const post = isPreview && current ? await findPreviewed(db, sight, current.id) : current
    if (!post) throw notFound('post')
    const shown = fields ? pick(post, fields as readonly (keyof Post)[]) : post
    if (!include) return sendOne(service, request, reply, shown, post.version)
    const { items, isLate } = await includeFields([toPlain(post, contentHash(post.content), shown)], {
      include,
      asker: caller.actor,
      renderer: rendering.renderer,
      readMedia: (urls) => rendering.findMedia(db, caller.projectId, urls),
    })
    return sendReadyOne(service, request, reply, post, { bytes: await toBody(items.flat()), isTransient: isLate })
  })
}

function writeRoutes(app: FastifyInstance, service: Service): void {
  const bodies = { create: validatorOf(PostCreate), update: validatorOf(PostPatch), restore: validatorOf(PostRestore) }
  const batchBody = batchChecker(bodies, service.epoch)

  handle(app, postOperations.create, async (request, reply) => {
    writeQueryOf(request)
    const input = { body: bodies.create(request.body) }
    return sendWriteResult(service, request, reply, { action: createPost, input, response: { kind: 'created', under: '/v1/posts' } })
  })

  handle(app, postOperations.patch, async (request, reply) => {
    writeQueryOf(request)
    const { idOrSlug } = request.params
    const input = { idOrSlug, ifMatch: versionsIn(service, request), body: bodies.update(request.body) }
    return sendWriteResult(service, request, reply, { action: patchPost, input, response: { kind: 'written' } })
  })

  handle(app, postOperations.delete, async (request, reply) => {
    const { caller } = request.authenticated
    requireScope(caller, queryOf(request).get('permanent')?.includes('true') ? 'posts:delete' : 'posts:propose')
    const permanent = writeQueryOf(request, ['permanent'], (read) => readBoolean(read, 'permanent')) ?? false
    const input = { idOrSlug: request.params.idOrSlug, ifMatch: versionsIn(service, request), permanent }
    return sendWriteResult(service, request, reply, { action: deletePost, input, response: { kind: 'deleted' } })
  })

  handle(app, postOperations.restore, async (request, reply) => {
    writeQueryOf(request)
    const { body = {} } = request
    const input = { id: request.params.id, ifMatch: versionsIn(service, request), body: bodies.restore(body) }
    return sendWriteResult(service, request, reply, { action: restoreTrashed, input, response: { kind: 'written' } })
  })

  handle(app, postOperations.batch, async (request, reply) => {
    writeQueryOf(request)
    const input = { body: batchBody(request.body) }
    return sendWriteResult(service, request, reply, { action: batchPosts, input, response: { kind: 'written' } })
  })
}
