import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { sightOf } from '../../../actions/caller.ts'
import { toBody } from '../../../http/body.ts'
import { queryOf } from '../../../http/request/query.ts'
import { bodyOf, optionalBodyOf } from '../../../http/request/validate-body.ts'
import { versionsIn } from '../../../http/response/etag.ts'
import { sendFreshOne, sendReadyOne } from '../../../http/response/responses.ts'
import { sendWriteResult, writeQueryOf } from '../../../http/response/write-response.ts'
import { handle, reads, writes } from '../../../http/route-config.ts'
import type { Service } from '../../../http/route-services.ts'
import { planShown } from '../../../lists/list-plan.ts'
import { notFound } from '../../../values/problems.ts'
import { findNamedPost } from '../post-body-store.ts'
import { contentHash } from '../post-fields.ts'
import { Post } from '../post-schema.ts'
import { includeFields, type PostRendering, toPlain } from '../rendering/include-fields.ts'
import { postIncludes } from '../rendering/included-schema.ts'
import { applyPending } from './apply-pending-actions.ts'
import { noun, representPending } from './pending-edit.ts'
import { discardPending, savePending, undoPending } from './pending-edit-actions.ts'
import { PendingEdit, PendingEditApplication, PendingEditPatch } from './pending-edit-schema.ts'
import { findPendingEdit, lookAhead } from './pending-edit-store.ts'

const tag = 'Posts'

const Applied = Type.Unsafe<Static<typeof Post> | Static<typeof PendingEdit>>({
  anyOf: [PendingEdit, Post],
  description: 'The post; with `scheduledFor`, its pending edit.',
})

/** The routes of pending edits and their documentation. */
export const pendingOperations = {
  read: reads('GET /v1/posts/:idOrSlug/pending', 'posts:read_drafts', {
    id: 'getPendingEdit',
    tag,
    summary: 'Read the pending edit of a post',
    description: 'The post as it would be. The version and the ETag are those of the pending edit.',
    includes: postIncludes,
    responses: { 200: PendingEdit, 304: null },
    problems: ['not_found', 'invalid_parameter'],
  }),
  save: writes('PATCH /v1/posts/:idOrSlug/pending', 'posts:propose', {
    id: 'savePendingEdit',
    tag,
    summary: 'Save a pending edit',
    description:
      'A JSON merge patch (RFC 7396) of what the post is going to be. The post itself stays as it is, so this needs no more than `posts:propose`, even where the post is published. If there is no pending edit, this makes one; with `If-None-Match: *`, the answer is 412 if there is one. To change an edit that is scheduled needs `posts:publish`.',
    body: PendingEditPatch,
    responses: { 200: PendingEdit },
    problems: ['not_found', 'stale_version'],
  }),
  discard: writes(
    'DELETE /v1/posts/:idOrSlug/pending',
    'posts:propose',
    {
      id: 'discardPendingEdit',
      tag,
      summary: 'Discard a pending edit',
      description: 'The post stays as it is. To discard an edit that is scheduled needs `posts:publish`.',
      responses: { 204: null },
      problems: ['not_found', 'stale_version'],
    },
    'none',
  ),
  undo: writes(
    'POST /v1/posts/:idOrSlug/pending/undo',
    'posts:propose',
    {
      id: 'undoPendingEdit',
      tag,
      summary: 'Take back the last save of a pending edit',
      description:
        'The pending edit is as it was before its last save, or gone if that save began it. Undone twice, it is as before. If it was or is scheduled, this needs `posts:publish`.',
      responses: { 204: null },
      problems: ['not_found', 'stale_version'],
    },
    'none',
  ),
  apply: writes(
    'POST /v1/posts/:idOrSlug/pending/apply',
    'posts:write',
    {
      id: 'applyPendingEdit',
      tag,
      summary: 'Apply a pending edit',
      description:
        'Makes the pending edit one version of the post. Fields that only one side has changed are merged. If both have changed a field, the answer is 409 `pending_conflict` with both values. `If-Match` compares the version of the pending edit. A published or scheduled post needs `posts:publish`. With `scheduledFor`, the edit is applied at that time, as due posts are published, and the answer is the pending edit; this needs `posts:publish`, as do all changes of an edit that is scheduled.',
      body: PendingEditApplication,
      responses: { 200: Applied },
      problems: ['not_found', 'stale_version', 'slug_conflict', 'alias_conflict', 'pending_conflict'],
    },
    'optional',
  ),
}

/** `/v1/posts/{idOrSlug}/pending`. */
export function pendingRoutes(app: FastifyInstance, service: Service, { renderer, findMedia }: PostRendering): void {
  const { db } = service
  const patchBody = bodyOf(PendingEditPatch)
  const applyBody = optionalBodyOf(PendingEditApplication)

  handle(app, pendingOperations.read, async (request, reply) => {
    const { caller } = request.authenticated
    const { include } = planShown({ includes: postIncludes }, queryOf(request), caller)
    const sight = sightOf(caller)
    const named = await findNamedPost(db, sight, request.params.idOrSlug)
    if (!named) throw notFound('post')
    const edit = await findPendingEdit(db, sight.projectId, named.post.id)
    if (!edit) throw notFound(noun)
    const body = representPending(await lookAhead(db, sight, named, edit), edit)
    // It names who saved it, and a new name of a person is no change in the log.
    if (!include) return sendFreshOne(service, request, reply, body)
    const { items } = await includeFields([toPlain(body, contentHash(body.content))], {
      include,
      asker: caller.actor,
      renderer,
      readMedia: (urls) => findMedia(db, caller.projectId, urls),
    })
    return sendReadyOne(service, request, reply, body, { bytes: await toBody(items.flat()), isTransient: true })
  })

  handle(app, pendingOperations.save, async (request, reply) => {
    writeQueryOf(request)
    const { idOrSlug } = request.params
    const onlyNew = request.headers['if-none-match']?.trim() === '*'
    const input = { idOrSlug, ifMatch: versionsIn(service, request), onlyNew, body: patchBody(request) }
    return sendWriteResult(service, request, reply, { action: savePending, input, response: { kind: 'written' } })
  })

  handle(app, pendingOperations.discard, async (request, reply) => {
    writeQueryOf(request)
    const input = { idOrSlug: request.params.idOrSlug, ifMatch: versionsIn(service, request) }
    return sendWriteResult(service, request, reply, { action: discardPending, input, response: { kind: 'deleted' } })
  })

  handle(app, pendingOperations.undo, async (request, reply) => {
    writeQueryOf(request)
    const input = { idOrSlug: request.params.idOrSlug, ifMatch: versionsIn(service, request) }
    return sendWriteResult(service, request, reply, { action: undoPending, input, response: { kind: 'deleted' } })
  })

  handle(app, pendingOperations.apply, async (request, reply) => {
    writeQueryOf(request)
    const input = { idOrSlug: request.params.idOrSlug, ifMatch: versionsIn(service, request), body: applyBody(request) }
    return sendWriteResult(service, request, reply, { action: applyPending, input, response: { kind: 'written' } })
  })
}
