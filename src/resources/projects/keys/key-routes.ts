import type { FastifyInstance } from 'fastify'
import { queryOf } from '../../../http/request/query.ts'
import { bodyOf, optionalBodyOf } from '../../../http/request/validate-body.ts'
import { sendFreshList, sendFreshOne } from '../../../http/response/responses.ts'
import { sendWriteResult, writeQueryOf } from '../../../http/response/write-response.ts'
import { handle, reads, writes } from '../../../http/route-config.ts'
import type { Service } from '../../../http/route-services.ts'
import { planList } from '../../../lists/list-plan.ts'
import { refuseOtherParameters } from '../../../lists/query-parameters.ts'
import { isId } from '../../../values/ids.ts'
import { notFound } from '../../../values/problems.ts'
import { createKey, revokeKey, rotateKey } from './key-actions.ts'
import { ApiKey, ApiKeyList, KeyCreate, KeyRotate, keyList, NewApiKey } from './key-schema.ts'
import { findKey, listKeys } from './key-store.ts'

const tag = 'Administration'
const newKey = { kind: 'created', under: '/v1/admin/keys', secret: 'token' } as const

export const keyOperations = {
  list: reads('GET /v1/admin/keys', 'admin', {
    id: 'listKeys',
    tag,
    summary: 'List API keys',
    description: 'Newest first, expired and revoked ones too. Tokens are never shown again; `last4` tells keys apart.',
    list: keyList,
    responses: { 200: ApiKeyList, 304: null },
  }),
  read: reads('GET /v1/admin/keys/:id', 'admin', {
    id: 'getKey',
    tag,
    summary: 'Read an API key',
    description: 'What the key may do and when it was last used, without its token.',
    responses: { 200: ApiKey, 304: null },
    problems: ['not_found'],
  }),
  create: writes('POST /v1/admin/keys', 'admin', {
    id: 'createKey',
    tag,
    summary: 'Create an API key',
    description:
      'The response shows the token of the key, this one time. Keep it: only its hash is stored. With `dry_run=true` there is no token.',
    body: KeyCreate,
    responses: { 200: ApiKey, 201: NewApiKey },
  }),
  rotate: writes(
    'POST /v1/admin/keys/:id/rotate',
    'admin',
    {
      id: 'rotateKey',
      tag,
      summary: 'Replace an API key',
      description:
        'Creates a new key with the same settings and the same lifetime. The old key continues to work for the grace period, until its ' +
        '`revokedAt`; until then both count among the 100 keys of the project. A key can be rotated only once.',
      body: KeyRotate,
      responses: { 200: ApiKey, 201: NewApiKey },
      problems: ['not_found'],
    },
    'optional',
  ),
  revoke: writes(
    'DELETE /v1/admin/keys/:id',
    'admin',
    {
      id: 'revokeKey',
      tag,
      summary: 'Revoke an API key',
      description: 'The key stops working with the next request. It stays in the list, with `revokedAt`.',
      responses: { 204: null },
      problems: ['not_found'],
    },
    'none',
  ),
}

export function keyRoutes(app: FastifyInstance, service: Service): void {
  const { db } = service
  const createBody = bodyOf(KeyCreate)
  const rotateBody = optionalBodyOf(KeyRotate)

  handle(app, keyOperations.list, async (request, reply) => {
    const { caller } = request.authenticated
    const plan = planList(keyList, queryOf(request), caller)
    return sendFreshList(service, request, reply, plan, (checked, snapshot) => listKeys(snapshot, caller.projectId, checked))
  })

  handle(app, keyOperations.read, async (request, reply) => {
    refuseOtherParameters(queryOf(request))
    const { id } = request.params
    const key = isId('key', id) ? await findKey(db, request.authenticated.caller.projectId, id) : undefined
    if (!key) throw notFound('key')
    return sendFreshOne(service, request, reply, key)
  })

  handle(app, keyOperations.create, async (request, reply) => {
    writeQueryOf(request)
    return sendWriteResult(service, request, reply, { action: createKey, input: { body: createBody(request) }, response: newKey })
  })

  handle(app, keyOperations.rotate, async (request, reply) => {
    writeQueryOf(request)
    const input = { id: request.params.id, body: rotateBody(request) }
    return sendWriteResult(service, request, reply, { action: rotateKey, input, response: newKey })
  })

  handle(app, keyOperations.revoke, async (request, reply) => {
    writeQueryOf(request)
    return sendWriteResult(service, request, reply, { action: revokeKey, input: { id: request.params.id }, response: { kind: 'deleted' } })
  })
}
