import type { FastifyInstance } from 'fastify'
import type { Db } from '../../database/engine.ts'
import { queryOf } from '../../http/request/query.ts'
import { answerFreshList, answerFreshOne } from '../../http/response/responses.ts'
import { answerWrite, writeQueryOf } from '../../http/response/write-response.ts'
import type { Service } from '../../http/route-services.ts'
import { planList } from '../../lists/list-plan.ts'
import { refuseOtherParameters } from '../../lists/query-parameters.ts'
import type { ProjectId } from '../../values/ids.ts'
import { notFound } from '../../values/problems.ts'
import { redeliver, sendPing } from './delivery-actions.ts'
import { deliveryList, toDeliveryBody } from './delivery-schema.ts'
import { findDelivery, listDeliveries, type Recipient } from './delivery-store.ts'
import { deliveryOperations, webhookOperations } from './webhook-operations.ts'
import { findWebhook } from './webhook-store.ts'

type WithId = { Params: { id: string } }
type WithDelivery = { Params: { id: string; deliveryId: string } }
const path = '/v1/admin/webhooks/:id'

/** `/v1/admin/webhooks/{id}/deliveries`, and the test that makes one. */
export function deliveryRoutes(app: FastifyInstance, service: Service): void {
  const { db } = service

  app.get<WithId>(`${path}/deliveries`, deliveryOperations.list, async (request, reply) => {
    const { caller } = request.visit
    const plan = planList(deliveryList, queryOf(request), caller)
    const recipient = await recipientOf(db, caller.projectId, request.params.id)
    return answerFreshList(service, request, reply, plan, async (asked) => {
      const page = await listDeliveries(db, recipient, asked)
      return { ...page, items: page.items.map(toDeliveryBody) }
    })
  })

  app.get<WithDelivery>(`${path}/deliveries/:deliveryId`, deliveryOperations.read, async (request, reply) => {
    refuseOtherParameters(queryOf(request))
    const { id, deliveryId } = request.params
    const delivery = await findDelivery(db, await recipientOf(db, request.visit.caller.projectId, id), deliveryId)
    if (!delivery) throw notFound('delivery')
    return answerFreshOne(service, request, reply, toDeliveryBody(delivery))
  })

  app.post<WithDelivery>(`${path}/deliveries/:deliveryId/redeliver`, deliveryOperations.redeliver, async (request, reply) => {
    writeQueryOf(request)
    const { id: webhookId, deliveryId: id } = request.params
    return answerWrite(service, request, reply, { action: redeliver, input: { webhookId, id }, shape: { kind: 'written' } })
  })

  app.post<WithId>(`${path}/test`, webhookOperations.ping, async (request, reply) => {
    writeQueryOf(request)
    const { id } = request.params
    const shape = { kind: 'created', under: `/v1/admin/webhooks/${id}/deliveries` } as const
    return answerWrite(service, request, reply, { action: sendPing, input: { id }, shape })
  })
}

async function recipientOf(db: Db, projectId: ProjectId, id: string): Promise<Recipient> {
  const webhook = await findWebhook(db, projectId, id)
  if (!webhook) throw notFound('webhook')
  return { projectId, webhookId: webhook.id }
}
