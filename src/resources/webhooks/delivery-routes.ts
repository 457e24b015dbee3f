import type { FastifyInstance } from 'fastify'
import type { Db } from '../../database/engine.ts'
import { queryOf } from '../../http/request/query.ts'
import { sendFreshList, sendFreshOne } from '../../http/response/responses.ts'
import { sendWriteResult, writeQueryOf } from '../../http/response/write-response.ts'
import { handle, reads, writes } from '../../http/route-config.ts'
import type { Service } from '../../http/route-services.ts'
import { planList, planWithin } from '../../lists/list-plan.ts'
import { refuseOtherParameters } from '../../lists/query-parameters.ts'
import type { ProjectId } from '../../values/ids.ts'
import { notFound } from '../../values/problems.ts'
import { redeliver, sendPing } from './delivery-actions.ts'
import { DeliveryBody, DeliveryList, deliveryList, toDeliveryBody } from './delivery-schema.ts'
import { findDelivery, listDeliveries, type Recipient } from './delivery-store.ts'
import { findWebhook } from './webhook-store.ts'

const tag = 'Administration'
const problems = ['not_found'] as const

/** What the documentation says of the routes of deliveries. */
export const deliveryOperations = {
  list: reads('GET /v1/admin/webhooks/:id/deliveries', 'admin', {
    id: 'listDeliveries',
    tag,
    summary: 'List the deliveries of a webhook',
    description: 'Newest first. Finished ones are kept for 30 days.',
    list: deliveryList,
    responses: { 200: DeliveryList, 304: null },
    problems,
  }),
  read: reads('GET /v1/admin/webhooks/:id/deliveries/:deliveryId', 'admin', {
    id: 'getDelivery',
    tag,
    summary: 'Read a delivery',
    description: 'How often the event was sent, what the receiver answered last, and when the next try is.',
    responses: { 200: DeliveryBody, 304: null },
    problems,
  }),
  redeliver: writes(
    'POST /v1/admin/webhooks/:id/deliveries/:deliveryId/redeliver',
    'admin',
    {
      id: 'redeliver',
      tag,
      summary: 'Send a delivery again',
      description: 'Sends it under the same id, whatever its status. A delivery that is being sent is left alone.',
      responses: { 200: DeliveryBody },
      problems,
    },
    'none',
  ),
  ping: writes(
    'POST /v1/admin/webhooks/:id/test',
    'admin',
    {
      id: 'testWebhook',
      tag,
      summary: 'Send a test event',
      description: 'Sends `webhook.ping` once, even if the webhook is disabled. The delivery shows how it went.',
      responses: { 200: DeliveryBody, 201: DeliveryBody },
      problems,
    },
    'none',
  ),
}

/** `/v1/admin/webhooks/{id}/deliveries`, and the test event. */
export function deliveryRoutes(app: FastifyInstance, service: Service): void {
  const { db } = service

  handle(app, deliveryOperations.list, async (request, reply) => {
    const { caller } = request.authenticated
    const plan = planList(deliveryList, queryOf(request), caller)
    const recipient = await recipientOf(db, caller.projectId, request.params.id)
    return sendFreshList(service, request, reply, planWithin(plan, recipient.webhookId), async (asked, snapshot) => {
      const page = await listDeliveries(snapshot, recipient, asked)
      return { ...page, items: page.items.map(toDeliveryBody) }
    })
  })

  handle(app, deliveryOperations.read, async (request, reply) => {
    refuseOtherParameters(queryOf(request))
    const { id, deliveryId } = request.params
    const delivery = await findDelivery(db, await recipientOf(db, request.authenticated.caller.projectId, id), deliveryId)
    if (!delivery) throw notFound('delivery')
    return sendFreshOne(service, request, reply, toDeliveryBody(delivery))
  })

  handle(app, deliveryOperations.redeliver, async (request, reply) => {
    writeQueryOf(request)
    const { id: webhookId, deliveryId: id } = request.params
    return sendWriteResult(service, request, reply, { action: redeliver, input: { webhookId, id }, response: { kind: 'written' } })
  })

  handle(app, deliveryOperations.ping, async (request, reply) => {
    writeQueryOf(request)
    const { id } = request.params
    const response = { kind: 'created', under: `/v1/admin/webhooks/${id}/deliveries` } as const
    return sendWriteResult(service, request, reply, { action: sendPing, input: { id }, response })
  })
}

async function recipientOf(db: Db, projectId: ProjectId, id: string): Promise<Recipient> {
  const webhook = await findWebhook(db, projectId, id)
  if (!webhook) throw notFound('webhook')
  return { projectId, webhookId: webhook.id }
}
