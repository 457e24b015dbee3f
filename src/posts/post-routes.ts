import type { FastifyInstance } from 'fastify'
import { requireScope, sightOf } from '../caller.ts'
import { answerCreated, answerDeleted, answerFreshList, answerList, answerMoved, answerOne, answerWritten } from '../http/answers.ts'
import { versionsIn } from '../http/etag.ts'
import { queryOf } from '../http/query.ts'
import type { Service } from '../http/service.ts'
import { bodyOf, optionalBodyOf } from '../http/validation.ts'
import { planList } from '../listing/list-plan.ts'
import { readFlag, refuseOtherParameters } from '../listing/parameters.ts'
import { notFound } from '../problems.ts'
import { createPost, patchPost } from './post-actions.ts'
import { findPostBody, listPosts } from './post-body-store.ts'
import { postOperations } from './post-operations.ts'
import { PostCreate, PostPatch, PostRestore, postList } from './post-schema.ts'
import { findSuccessor } from './post-slug-store.ts'
import { deletePost, restoreTrashed } from './post-trash-actions.ts'

type WithRef = { Params: { idOrSlug: string } }

/** `/v1/posts`. */
export function postRoutes(app: FastifyInstance, service: Service): void {
  readRoutes(app, service)
  writeRoutes(app, service)
}

function readRoutes(app: FastifyInstance, service: Service): void {
  const { db } = service

  app.get('/v1/posts', postOperations.list, async (request, reply) => {
    const { caller } = request.visit
    const plan = planList(postList, queryOf(request), caller)
    const answer = plan.filters.trashed ? answerFreshList : answerList
    return answer(service, request, reply, plan, (asked) => listPosts(db, sightOf(caller), asked, caller.now))
  })

  app.get<WithRef>('/v1/posts/:idOrSlug', postOperations.read, async (request, reply) => {
    const { caller } = request.visit
    const { idOrSlug } = request.params
    const query = queryOf(request)
    const post = await findPostBody(db, sightOf(caller), idOrSlug)
    const successor = post ? undefined : await findSuccessor(db, sightOf(caller), idOrSlug)
    if (successor !== undefined) return answerMoved(service, request, reply, `/v1/posts/${successor}`)
    refuseOtherParameters(query)
    if (!post) throw notFound('post')
    return answerOne(service, request, reply, post)
  })
}

function writeRoutes(app: FastifyInstance, service: Service): void {
  const { perform } = service
  const createBody = bodyOf(PostCreate)
  const patchBody = bodyOf(PostPatch)
  const restoreBody = optionalBodyOf(PostRestore)

  app.post('/v1/posts', postOperations.create, async (request, reply) => {
    refuseOtherParameters(queryOf(request))
    const post = await perform(createPost, request.visit.caller, { body: createBody(request) })
    return answerCreated(service, reply, `/v1/posts/${post.id}`, post)
  })

  app.patch<WithRef>('/v1/posts/:idOrSlug', postOperations.patch, async (request, reply) => {
    refuseOtherParameters(queryOf(request))
    const { idOrSlug } = request.params
    const post = await perform(patchPost, request.visit.caller, { idOrSlug, ifMatch: versionsIn(request), body: patchBody(request) })
    return answerWritten(reply, post)
  })

  app.delete<WithRef>('/v1/posts/:idOrSlug', postOperations.delete, async (request, reply) => {
    const query = queryOf(request)
    const { caller } = request.visit
    requireScope(caller, query.get('permanent')?.includes('true') ? 'posts:delete' : 'posts:write')
    refuseOtherParameters(query, ['permanent'])
    const permanent = readFlag(query, 'permanent')
    await perform(deletePost, caller, { idOrSlug: request.params.idOrSlug, ifMatch: versionsIn(request), permanent })
    return answerDeleted(reply)
  })

  app.post<{ Params: { id: string } }>('/v1/posts/:id/restore', postOperations.restore, async (request, reply) => {
    refuseOtherParameters(queryOf(request))
    const post = await perform(restoreTrashed, request.visit.caller, {
      id: request.params.id,
      ifMatch: versionsIn(request),
      body: restoreBody(request),
    })
    return answerWritten(reply, post)
  })
}
