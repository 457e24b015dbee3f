import type { FastifyInstance } from 'fastify'
import { requireScope, sightOf } from '../../actions/caller.ts'
import { queryOf } from '../../http/request/query.ts'
import { bodyOf, optionalBodyOf } from '../../http/request/validate-body.ts'
import { versionsIn } from '../../http/response/etag.ts'
import { sendFreshList, sendList, sendOne, sendRedirect } from '../../http/response/responses.ts'
import { sendWriteResult, writeQueryOf } from '../../http/response/write-response.ts'
import { handle, opensForPreviews, reads, writes } from '../../http/route-config.ts'
import type { Service } from '../../http/route-services.ts'
import { planList } from '../../lists/list-plan.ts'
import { readFlag, refuseOtherParameters } from '../../lists/query-parameters.ts'
import { notFound } from '../../values/problems.ts'
import { batchChecker } from './batch/post-batch.ts'
import { batchPosts } from './batch/post-batch-actions.ts'
import { PostBatch, PostBatchResults } from './batch/post-batch-schema.ts'
import { listPosts } from './list/post-list-store.ts'
import { cached } from './list-cache/cached-list.ts'
import { createPost, patchPost } from './post-actions.ts'
import { findPostBody } from './post-body-store.ts'
import { Post, PostCreate, PostList, PostPatch, PostRestore, postList } from './post-schema.ts'
import { findSuccessor } from './post-slug-store.ts'
import { deletePost, restoreTrashed } from './post-trash-actions.ts'
import { revisionRoutes } from './revisions/post-revision-routes.ts'
import { visibilityRoutes } from './visibility/post-visibility-routes.ts'

/** `/v1/posts`. */
export function postRoutes(app: FastifyInstance, service: Service): void {
  readRoutes(app, service)
  visibilityRoutes(app, service)
  writeRoutes(app, service)
  revisionRoutes(app, service)
}

function readRoutes(app: FastifyInstance, service: Service): void {
  const { db } = service
  const listCached = cached(listPosts)

  handle(app, postOperations.list, async (request, reply) => {
    const { caller, revision } = request.authenticated
    const plan = planList(postList, queryOf(request), caller)
    const asked = { db, sight: sightOf(caller), plan, now: caller.now }
    if (plan.filters.trashed) return sendFreshList(service, request, reply, plan, () => listPosts(asked))
    return sendList(service, request, reply, plan, () => listCached({ ...asked, revision }))
  })

  handle(app, postOperations.read, async (request, reply) => {
    const { caller } = request.authenticated
    const { idOrSlug } = request.params
    const query = queryOf(request)
    const sight = sightOf(caller)
    const found = await findPostBody(db, sight, idOrSlug)
    const successor = found ? undefined : await findSuccessor(db, sight, idOrSlug)
    const isPreview = caller.kind === 'preview'
    if (successor !== undefined && !isPreview) return sendRedirect(service, request, reply, `/v1/posts/${successor}`)
    refuseOtherParameters(query, isPreview ? ['preview_token'] : [])
    // A preview is answered where it was asked for: a redirect would carry the token.
    const post = successor === undefined ? found : await findPostBody(db, sight, successor)
    if (!post) throw notFound('post')
    return sendOne(service, request, reply, post)
  })
}

function writeRoutes(app: FastifyInstance, service: Service): void {
  const createBody = bodyOf(PostCreate)
  const patchBody = bodyOf(PostPatch)
  const restoreBody = optionalBodyOf(PostRestore)
  const batchBody = batchChecker()

  handle(app, postOperations.create, async (request, reply) => {
    writeQueryOf(request)
    const input = { body: createBody(request) }
    return sendWriteResult(service, request, reply, { action: createPost, input, shape: { kind: 'created', under: '/v1/posts' } })
  })

  handle(app, postOperations.patch, async (request, reply) => {
    writeQueryOf(request)
    const { idOrSlug } = request.params
    const input = { idOrSlug, ifMatch: versionsIn(request), body: patchBody(request) }
    return sendWriteResult(service, request, reply, { action: patchPost, input, shape: { kind: 'written' } })
  })

  handle(app, postOperations.delete, async (request, reply) => {
    const { caller } = request.authenticated
    requireScope(caller, queryOf(request).get('permanent')?.includes('true') ? 'posts:delete' : 'posts:write')
    const permanent = readFlag(writeQueryOf(request, ['permanent']), 'permanent')
    const input = { idOrSlug: request.params.idOrSlug, ifMatch: versionsIn(request), permanent }
    return sendWriteResult(service, request, reply, { action: deletePost, input, shape: { kind: 'deleted' } })
  })

  handle(app, postOperations.restore, async (request, reply) => {
    writeQueryOf(request)
    const input = { id: request.params.id, ifMatch: versionsIn(request), body: restoreBody(request) }
    return sendWriteResult(service, request, reply, { action: restoreTrashed, input, shape: { kind: 'written' } })
  })

  handle(app, postOperations.batch, async (request, reply) => {
    writeQueryOf(request)
    const input = { body: batchBody(request.body) }
    return sendWriteResult(service, request, reply, { action: batchPosts, input, shape: { kind: 'written' } })
  })
}

const tag = 'Posts'

/** What the documentation says of the routes of posts. */
export const postOperations = {
  list: reads('GET /v1/posts', 'posts:read', {
    id: 'listPosts',
    tag,
    summary: 'List posts',
    description:
      'Newest first. A key without `posts:read_drafts` sees published posts alone; one with it sees every status unless `status` is given.',
    list: postList,
    responses: { 200: PostList, 304: null },
  }),
  read: opensForPreviews(
    reads('GET /v1/posts/:idOrSlug', 'posts:read', {
      id: 'getPost',
      tag,
      summary: 'Read a post by id or slug',
      description:
        'A slug that the post had before answers 301 with the way to the present one. With `preview_token`, no key is needed: the answer is the post that the token is for, whatever its status, and nobody keeps it.',
      texts: {
        preview_token:
          'A preview token of this post. It decides alone: where it does not open this post the answer is 404, with or without a key.',
      },
      responses: { 200: Post, 301: null, 304: null },
      problems: ['not_found'],
    }),
  ),
  create: writes('POST /v1/posts', 'posts:write', {
    id: 'createPost',
    tag,
    summary: 'Create a post',
    description:
      'A draft unless `status` is given. The slug is made from the title unless `slug` is given. Publishing and scheduling need `posts:publish`.',
    body: PostCreate,
    responses: { 201: Post },
    problems: ['slug_conflict'],
  }),
  patch: writes('PATCH /v1/posts/:idOrSlug', 'posts:write', {
    id: 'updatePost',
    tag,
    summary: 'Change a post',
    description:
      'A JSON merge patch (RFC 7396). Every status can follow every other. What is or becomes published or scheduled needs `posts:publish`. `If-Match` guards against overwriting somebody else’s change.',
    body: PostPatch,
    responses: { 200: Post },
    problems: ['not_found', 'stale_version', 'slug_conflict'],
  }),
  delete: writes(
    'DELETE /v1/posts/:idOrSlug',
    undefined,
    {
      id: 'deletePost',
      tag,
      summary: 'Delete a post',
      description:
        'Into the trash for 30 days (`posts:write`), or for good with `permanent=true` (`posts:delete`). Deleting by id what is deleted already is no mistake.',
      flags: { permanent: 'Erase the post, its revisions and all that only it has.' },
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
      summary: 'Bring a post back from the trash',
      description:
        'As it was. A scheduled time that has passed meanwhile makes it a draft; a slug that is another’s by now is a conflict, which a `slug` in the body resolves.',
      body: PostRestore,
      responses: { 200: Post },
      problems: ['not_found', 'stale_version', 'slug_conflict'],
    },
    'optional',
  ),
  /** With every other method, this path is the post whose slug is `batch`. */
  batch: writes('POST /v1/posts/batch', 'posts:write', {
    id: 'batchPosts',
    tag,
    summary: 'Write several posts at once',
    description:
      'Up to 100 operations, done in their order and in one transaction. Where one cannot be done, nothing is, and the problem names it in `operation`; with `"atomic": false` the others are done all the same, and 207 tells what became of each. Every operation takes the scopes that it takes alone.',
    body: PostBatch,
    severalAtOnce: true,
    responses: { 200: PostBatchResults, 207: PostBatchResults },
    problems: ['not_found', 'stale_version', 'slug_conflict'],
  }),
}
