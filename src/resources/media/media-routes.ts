import type { FastifyInstance } from 'fastify'
import { queryOf } from '../../http/request/query.ts'
import { bodyOf } from '../../http/request/validate-body.ts'
import { versionsIn } from '../../http/response/etag.ts'
import { sendList, sendOne } from '../../http/response/responses.ts'
import { sendWriteResult, writeQueryOf } from '../../http/response/write-response.ts'
import { handle, reads, writes } from '../../http/route-config.ts'
import type { Service } from '../../http/route-services.ts'
import { planList } from '../../lists/list-plan.ts'
import type { QueryParams } from '../../lists/list-spec.ts'
import { readBoolean, refuseOtherParameters } from '../../lists/query-parameters.ts'
import { notFound } from '../../values/problems.ts'
import { deleteMedia, patchMedia, registerMedia } from './media-actions.ts'
import { Media, MediaCreate, MediaList, MediaPatch, mediaList } from './media-schema.ts'
import { findMedia, listMedia } from './media-store.ts'

const tag = 'Media'

/** The routes of media and their documentation. */
export const mediaOperations = {
  list: reads('GET /v1/media', 'media:read', {
    id: 'listMedia',
    tag,
    summary: 'List media records',
    description: 'Newest first. `sort=name` sorts by file name.',
    list: mediaList,
    responses: { 200: MediaList, 304: null },
  }),
  read: reads('GET /v1/media/:id', 'media:read', {
    id: 'getMedia',
    tag,
    summary: 'Read a media record',
    description: 'The record only. The asset itself is at its `url`.',
    responses: { 200: Media, 304: null },
    problems: ['not_found'],
  }),
  register: writes('POST /v1/media', 'media:write', {
    id: 'registerMedia',
    tag,
    summary: 'Register an asset that is stored elsewhere',
    description: 'Stores the reference only. Verso receives no bytes and never fetches the URL.',
    body: MediaCreate,
    responses: { 201: Media },
    problems: ['unsupported_media_type'],
  }),
  patch: writes('PATCH /v1/media/:id', 'media:write', {
    id: 'updateMedia',
    tag,
    summary: 'Change a media record',
    description: 'A JSON merge patch (RFC 7396) of `filename` and `alt`. With `If-Match`, it does not overwrite another client’s change.',
    body: MediaPatch,
    responses: { 200: Media },
    problems: ['not_found', 'stale_version'],
  }),
  delete: writes(
    'DELETE /v1/media/:id',
    'media:write',
    {
      id: 'deleteMedia',
      tag,
      summary: 'Delete a media record',
      description:
        'Deletes the record, never the asset. The record is erased after 30 days, or at once with `permanent=true`. Deleting a record again answers 204.',
      flags: { permanent: 'Erase the record at once.' },
      responses: { 204: null },
      problems: ['not_found', 'stale_version'],
    },
    'none',
  ),
}

/** `/v1/media`. */
export function mediaRoutes(app: FastifyInstance, service: Service): void {
  readRoutes(app, service)
  writeRoutes(app, service)
}

function readRoutes(app: FastifyInstance, service: Service): void {
  const { db } = service

  handle(app, mediaOperations.list, async (request, reply) => {
    const { caller } = request.authenticated
    const plan = planList(mediaList, withPluses(queryOf(request)), caller)
    return sendList(service, request, reply, plan, (asked, reads) => reads.long((snapshot) => listMedia(snapshot, caller.projectId, asked)))
  })

  handle(app, mediaOperations.read, async (request, reply) => {
    refuseOtherParameters(queryOf(request))
    const media = await findMedia(db, request.authenticated.caller.projectId, request.params.id)
    if (!media) throw notFound('media record')
    return sendOne(service, request, reply, media)
  })
}

function writeRoutes(app: FastifyInstance, service: Service): void {
  const createBody = bodyOf(MediaCreate)
  const patchBody = bodyOf(MediaPatch)

  handle(app, mediaOperations.register, async (request, reply) => {
    writeQueryOf(request)
    const input = { body: createBody(request) }
    return sendWriteResult(service, request, reply, { action: registerMedia, input, response: { kind: 'created', under: '/v1/media' } })
  })

  handle(app, mediaOperations.patch, async (request, reply) => {
    writeQueryOf(request)
    const input = { id: request.params.id, ifMatch: versionsIn(service, request), body: patchBody(request) }
    return sendWriteResult(service, request, reply, { action: patchMedia, input, response: { kind: 'written' } })
  })

  handle(app, mediaOperations.delete, async (request, reply) => {
    const permanent = writeQueryOf(request, ['permanent'], (read) => readBoolean(read, 'permanent')) ?? false
    const input = { id: request.params.id, ifMatch: versionsIn(service, request), permanent }
    return sendWriteResult(service, request, reply, { action: deleteMedia, input, response: { kind: 'deleted' } })
  })
}

/** Allows `mime_type=image/svg+xml`, unencoded: a `+` in a query means a space, but no media type has a space. */
function withPluses(params: QueryParams): QueryParams {
  const types = params.get('mime_type')
  return types
    ? new Map(params).set(
        'mime_type',
        types.map((type) => type.replaceAll(' ', '+')),
      )
    : params
}
