import type { Action } from '../../actions/action.ts'
import { newId } from '../../values/ids.ts'
import { later } from '../../values/instant.ts'
import { notFound } from '../../values/problems.ts'
import type { Delivery } from './delivery.ts'
import { type DeliveryBody, toDeliveryBody } from './delivery-schema.ts'
import { addDeliveries, findDelivery, pruneDeliveries, type Recipient, rearm } from './delivery-store.ts'
import { ping } from './webhook.ts'
import { requireEndpoint } from './webhook-actions.ts'

/** How long finished deliveries are kept. */
const keptMs = 30 * 24 * 60 * 60 * 1000

/** Sends an empty event to see whether an endpoint works, even if it is disabled. */
export const sendPing: Action<{ readonly id: string }, DeliveryBody> = {
  name: 'webhooks.ping',
  async run(tx, caller, { id }, random) {
    const { id: webhookId } = await requireEndpoint(tx, caller, id)
    const recipient: Recipient = { projectId: caller.projectId, webhookId }
    const event = newId('evt', caller.now, random)
    const made = { id: event, type: ping, revision: 0, part: 0, resourceId: event, happenedAt: caller.now }
    await addDeliveries(tx, recipient, [made], caller.now)
    return shown(await findDelivery(tx, recipient, event))
  },
}

/** Sends a delivery again under the same id, whatever its status, unless it is being sent. */
export const redeliver: Action<{ readonly webhookId: string; readonly id: string }, DeliveryBody> = {
  name: 'webhooks.redeliver',
  async run(tx, caller, { webhookId, id }) {
    const endpoint = await requireEndpoint(tx, caller, webhookId)
    const recipient: Recipient = { projectId: caller.projectId, webhookId: endpoint.id }
    const delivery = required(await findDelivery(tx, recipient, id))
    await rearm(tx, recipient, delivery.id, caller.now)
    return shown(await findDelivery(tx, recipient, id))
  },
}

/** Deletes finished deliveries that are too old, and returns how many. */
export const prune: Action<{ readonly most: number }, number> = {
  name: 'webhooks.prune',
  run: (tx, caller, { most }) => pruneDeliveries(tx, caller.projectId, later(caller.now, -keptMs), most),
}

function shown(delivery: Delivery | undefined): DeliveryBody {
  return toDeliveryBody(required(delivery))
}

function required(delivery: Delivery | undefined): Delivery {
  if (!delivery) throw notFound('delivery')
  return delivery
}
