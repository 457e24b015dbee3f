import type { FastifyInstance } from 'fastify'
import { queryOf } from '../../http/request/query.ts'
import { bodyOf, optionalBodyOf } from '../../http/request/validate-body.ts'
import { answerFreshList, answerFreshOne } from '../../http/response/responses.ts'
import { answerWrite, writeQueryOf } from '../../http/response/write-response.ts'
import type { Service } from '../../http/route-services.ts'
import { planList } from '../../lists/list-plan.ts'
import { refuseOtherParameters } from '../../lists/query-parameters.ts'
import { notFound } from '../../values/problems.ts'
import { createWebhook, editWebhook, removeWebhook, replay, rotateSecret } from './webhook-actions.ts'
import { webhookOperations as operations } from './webhook-operations.ts'
import { Replay, SecretRotate, WebhookCreate, WebhookPatch, webhookList } from './webhook-schema.ts'
import { findWebhook, listWebhooks } from './webhook-store.ts'

type WithId = { Params: { id: string } }
const path = '/v1/admin/webhooks'
const withSecret = { kind: 'created', under: path, secret: 'secret' } as const

/** `/v1/admin/webhooks`; `allow` names the private networks to which they may go. */
export function webhookRoutes(app: FastifyInstance, service: Service, allow: readonly string[]): void {
  readRoutes(app, service)
  writeRoutes(app, service, allow)
  specialRoutes(app, service)
}

function readRoutes(app: FastifyInstance, service: Service): void {
  const { db } = service

  app.get(path, operations.list, async (request, reply) => {
    const { caller } = request.visit
    const plan = planList(webhookList, queryOf(request), caller)
    return answerFreshList(service, request, reply, plan, (asked) => listWebhooks(db, caller.projectId, asked))
  })

  app.get<WithId>(`${path}/:id`, operations.read, async (request, reply) => {
    refuseOtherParameters(queryOf(request))
    const webhook = await findWebhook(db, request.visit.caller.projectId, request.params.id)
    if (!webhook) throw notFound('webhook')
    return answerFreshOne(service, request, reply, webhook)
  })
}

function writeRoutes(app: FastifyInstance, service: Service, allow: readonly string[]): void {
  const createBody = bodyOf(WebhookCreate)
  const patchBody = bodyOf(WebhookPatch)

  app.post(path, operations.create, async (request, reply) => {
    writeQueryOf(request)
    return answerWrite(service, request, reply, { action: createWebhook, input: { allow, body: createBody(request) }, shape: withSecret })
  })

  app.patch<WithId>(`${path}/:id`, operations.patch, async (request, reply) => {
    writeQueryOf(request)
    const input = { id: request.params.id, allow, body: patchBody(request) }
    return answerWrite(service, request, reply, { action: editWebhook, input, shape: { kind: 'written' } })
  })

  app.delete<WithId>(`${path}/:id`, operations.delete, async (request, reply) => {
    writeQueryOf(request)
    const input = { id: request.params.id }
    return answerWrite(service, request, reply, { action: removeWebhook, input, shape: { kind: 'deleted' } })
  })
}

function specialRoutes(app: FastifyInstance, service: Service): void {
  const rotateBody = optionalBodyOf(SecretRotate)
  const replayBody = bodyOf(Replay)

  app.post<WithId>(`${path}/:id/rotate-secret`, operations.rotate, async (request, reply) => {
    writeQueryOf(request)
    const input = { id: request.params.id, body: rotateBody(request) }
    return answerWrite(service, request, reply, { action: rotateSecret, input, shape: withSecret })
  })

  app.post<WithId>(`${path}/:id/replay`, operations.replay, async (request, reply) => {
    writeQueryOf(request)
    const input = { id: request.params.id, body: replayBody(request) }
    return answerWrite(service, request, reply, { action: replay, input, shape: { kind: 'written' } })
  })
}
