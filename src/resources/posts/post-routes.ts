import type { FastifyInstance } from 'fastify'
import { requireScope, sightOf } from '../../actions/caller.ts'
import { queryOf } from '../../http/request/query.ts'
import { bodyOf, optionalBodyOf } from '../../http/request/validate-body.ts'
import { versionsIn } from '../../http/response/etag.ts'
import { answerFreshList, answerList, answerMoved, answerOne } from '../../http/response/responses.ts'
import { answerWrite, writeQueryOf } from '../../http/response/write-response.ts'
import type { Service } from '../../http/route-services.ts'
import { planList } from '../../lists/list-plan.ts'
import { readFlag, refuseOtherParameters } from '../../lists/query-parameters.ts'
import { notFound } from '../../values/problems.ts'
import { batchRoutes } from './batch/post-batch-routes.ts'
import { writePosts } from './list/post-list-store.ts'
import { KnownPosts } from './list-cache/fragment-cache.ts'
import { createPost, patchPost } from './post-actions.ts'
import { findPostBody, listPosts } from './post-body-store.ts'
import { postOperations } from './post-operations.ts'
import { PostCreate, PostPatch, PostRestore, postList } from './post-schema.ts'
import { findSuccessor } from './post-slug-store.ts'
import { deletePost, restoreTrashed } from './post-trash-actions.ts'
import { revisionRoutes } from './revisions/post-revision-routes.ts'
import { visibilityRoutes } from './visibility/post-visibility-routes.ts'

type WithRef = { Params: { idOrSlug: string } }

/** `/v1/posts`. */
export function postRoutes(app: FastifyInstance, service: Service): void {
  readRoutes(app, service)
  visibilityRoutes(app, service)
  writeRoutes(app, service)
  batchRoutes(app, service)
  revisionRoutes(app, service)
}

function readRoutes(app: FastifyInstance, service: Service): void {
  const { db } = service
  const known = new KnownPosts()

  app.get('/v1/posts', postOperations.list, async (request, reply) => {
    const { caller, revision } = request.visit
    const plan = planList(postList, queryOf(request), caller)
    const sight = sightOf(caller)
    if (plan.filters.trashed) return answerFreshList(service, request, reply, plan, (asked) => listPosts(db, sight, asked, caller.now))
    return answerList(service, request, reply, plan, (asked) => writePosts({ db, known, sight, plan: asked, now: caller.now, revision }))
  })

  app.get<WithRef>('/v1/posts/:idOrSlug', postOperations.read, async (request, reply) => {
    const { caller } = request.visit
    const { idOrSlug } = request.params
    const query = queryOf(request)
    const sight = sightOf(caller)
    const found = await findPostBody(db, sight, idOrSlug)
    const successor = found ? undefined : await findSuccessor(db, sight, idOrSlug)
    const isPreview = caller.kind === 'preview'
    if (successor !== undefined && !isPreview) return answerMoved(service, request, reply, `/v1/posts/${successor}`)
    refuseOtherParameters(query, isPreview ? ['preview_token'] : [])
    // A preview is answered where it was asked for: a redirect would carry the token.
    const post = successor === undefined ? found : await findPostBody(db, sight, successor)
    if (!post) throw notFound('post')
    return answerOne(service, request, reply, post)
  })
}

function writeRoutes(app: FastifyInstance, service: Service): void {
  const createBody = bodyOf(PostCreate)
  const patchBody = bodyOf(PostPatch)
  const restoreBody = optionalBodyOf(PostRestore)

  app.post('/v1/posts', postOperations.create, async (request, reply) => {
    writeQueryOf(request)
    const input = { body: createBody(request) }
    return answerWrite(service, request, reply, { action: createPost, input, shape: { kind: 'created', under: '/v1/posts' } })
  })

  app.patch<WithRef>('/v1/posts/:idOrSlug', postOperations.patch, async (request, reply) => {
    writeQueryOf(request)
    const { idOrSlug } = request.params
    const input = { idOrSlug, ifMatch: versionsIn(request), body: patchBody(request) }
    return answerWrite(service, request, reply, { action: patchPost, input, shape: { kind: 'written' } })
  })

  app.delete<WithRef>('/v1/posts/:idOrSlug', postOperations.delete, async (request, reply) => {
    const { caller } = request.visit
    requireScope(caller, queryOf(request).get('permanent')?.includes('true') ? 'posts:delete' : 'posts:write')
    const permanent = readFlag(writeQueryOf(request, ['permanent']), 'permanent')
    const input = { idOrSlug: request.params.idOrSlug, ifMatch: versionsIn(request), permanent }
    return answerWrite(service, request, reply, { action: deletePost, input, shape: { kind: 'deleted' } })
  })

  app.post<{ Params: { id: string } }>('/v1/posts/:id/restore', postOperations.restore, async (request, reply) => {
    writeQueryOf(request)
    const input = { id: request.params.id, ifMatch: versionsIn(request), body: restoreBody(request) }
    return answerWrite(service, request, reply, { action: restoreTrashed, input, shape: { kind: 'written' } })
  })
}
