import type { FastifyInstance } from 'fastify'
import { queryOf } from '../../http/request/query.ts'
import { bodyOf, optionalBodyOf } from '../../http/request/validate-body.ts'
import { sendFreshList, sendFreshOne } from '../../http/response/responses.ts'
import { sendWriteResult, writeQueryOf } from '../../http/response/write-response.ts'
import { handle, reads, writes } from '../../http/route-config.ts'
import type { Service } from '../../http/route-services.ts'
import { planList } from '../../lists/list-plan.ts'
import { refuseOtherParameters } from '../../lists/query-parameters.ts'
import { notFound } from '../../values/problems.ts'
import { createWebhook, editWebhook, removeWebhook, replay, rotateSecret, type WebhookSettings } from './webhook-actions.ts'
import { NewWebhook, Replay, SecretRotate, Webhook, WebhookCreate, WebhookList, WebhookPatch, webhookList } from './webhook-schema.ts'
import { findWebhook, listWebhooks } from './webhook-store.ts'

const path = '/v1/admin/webhooks'
const withSecret = { kind: 'created', under: path, secret: 'secret' } as const

/** `/v1/admin/webhooks`. */
export function webhookRoutes(app: FastifyInstance, service: Service, settings: WebhookSettings): void {
  readRoutes(app, service)
  writeRoutes(app, service, settings)
  specialRoutes(app, service, settings)
}

function readRoutes(app: FastifyInstance, service: Service): void {
  const { db } = service

  handle(app, webhookOperations.list, async (request, reply) => {
    const { caller } = request.authenticated
    const plan = planList(webhookList, queryOf(request), caller)
    return sendFreshList(service, request, reply, plan, (asked, snapshot) => listWebhooks(snapshot, caller.projectId, asked))
  })

  handle(app, webhookOperations.read, async (request, reply) => {
    refuseOtherParameters(queryOf(request))
    const webhook = await findWebhook(db, request.authenticated.caller.projectId, request.params.id)
    if (!webhook) throw notFound('webhook')
    return sendFreshOne(service, request, reply, webhook)
  })
}

function writeRoutes(app: FastifyInstance, service: Service, settings: WebhookSettings): void {
  const createBody = bodyOf(WebhookCreate)
  const patchBody = bodyOf(WebhookPatch)

  handle(app, webhookOperations.create, async (request, reply) => {
    writeQueryOf(request)
    return sendWriteResult(service, request, reply, {
      action: createWebhook,
      input: { ...settings, body: createBody(request) },
      response: withSecret,
    })
  })

  handle(app, webhookOperations.patch, async (request, reply) => {
    writeQueryOf(request)
    const input = { id: request.params.id, allow: settings.allow, body: patchBody(request) }
    return sendWriteResult(service, request, reply, { action: editWebhook, input, response: { kind: 'written' } })
  })

  handle(app, webhookOperations.delete, async (request, reply) => {
    writeQueryOf(request)
    const input = { id: request.params.id }
    return sendWriteResult(service, request, reply, { action: removeWebhook, input, response: { kind: 'deleted' } })
  })
}

function specialRoutes(app: FastifyInstance, service: Service, { keys }: WebhookSettings): void {
  const rotateBody = optionalBodyOf(SecretRotate)
  const replayBody = bodyOf(Replay)

  handle(app, webhookOperations.rotate, async (request, reply) => {
    writeQueryOf(request)
    const input = { id: request.params.id, keys, body: rotateBody(request) }
    return sendWriteResult(service, request, reply, { action: rotateSecret, input, response: withSecret })
  })

  handle(app, webhookOperations.replay, async (request, reply) => {
    writeQueryOf(request)
    const input = { id: request.params.id, body: replayBody(request) }
    return sendWriteResult(service, request, reply, { action: replay, input, response: { kind: 'written' } })
  })
}

const tag = 'Administration'
const problems = ['not_found'] as const

/** What the documentation says of the routes of webhooks. */
export const webhookOperations = {
  list: reads('GET /v1/admin/webhooks', 'admin', {
    id: 'listWebhooks',
    tag,
    summary: 'List webhooks',
    description: 'Without their secrets.',
    list: webhookList,
    responses: { 200: WebhookList, 304: null },
  }),
  read: reads('GET /v1/admin/webhooks/:id', 'admin', {
    id: 'getWebhook',
    tag,
    summary: 'Read a webhook',
    description: 'Without its secret. `failingSince` and `disabledReason` say how it is doing.',
    responses: { 200: Webhook, 304: null },
    problems,
  }),
  create: writes('POST /v1/admin/webhooks', 'admin', {
    id: 'createWebhook',
    tag,
    summary: 'Create a webhook',
    description:
      'It receives the events from now on, signed as [Standard Webhooks](https://www.standardwebhooks.com) specifies. The response shows the secret, this one time.',
    body: WebhookCreate,
    responses: { 200: Webhook, 201: NewWebhook },
  }),
  patch: writes('PATCH /v1/admin/webhooks/:id', 'admin', {
    id: 'updateWebhook',
    tag,
    summary: 'Update, enable or disable a webhook',
    description: 'A webhook that is enabled again also receives the events that it missed.',
    body: WebhookPatch,
    responses: { 200: Webhook },
    problems,
  }),
  delete: writes(
    'DELETE /v1/admin/webhooks/:id',
    'admin',
    {
      id: 'deleteWebhook',
      tag,
      summary: 'Delete a webhook and its deliveries',
      description: 'Nothing more is sent. Deliveries that were waiting are dropped.',
      responses: { 204: null },
      problems,
    },
    'none',
  ),
  rotate: writes(
    'POST /v1/admin/webhooks/:id/rotate-secret',
    'admin',
    {
      id: 'rotateWebhookSecret',
      tag,
      summary: 'Replace the secret of a webhook',
      description:
        'During the grace period, requests are signed with both secrets. The response shows the new one, this one time. If you ' +
        'rotate again within it, the oldest secret stops at once.',
      body: SecretRotate,
      responses: { 200: Webhook, 201: NewWebhook },
      problems,
    },
    'optional',
  ),
  replay: writes('POST /v1/admin/webhooks/:id/replay', 'admin', {
    id: 'replayWebhook',
    tag,
    summary: 'Replay events after a revision',
    description:
      'Sends every event after that revision of the log again. Events keep their ids, so that receivers can drop those that they know. The log goes back 90 days.',
    body: Replay,
    responses: { 200: Webhook },
    problems,
  }),
}
