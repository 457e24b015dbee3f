import { reads, writes } from '../../http/route-config.ts'
import { DeliveryBody, DeliveryList, deliveryList } from './delivery-schema.ts'
import { NewWebhook, Replay, SecretRotate, Webhook, WebhookCreate, WebhookList, WebhookPatch, webhookList } from './webhook-schema.ts'

const tag = 'Administration'
const problems = ['not_found'] as const

/** What the documentation says of the routes of webhooks. */
export const webhookOperations = {
  list: reads('admin', { id: 'listWebhooks', tag, summary: 'List webhooks', list: webhookList, answers: { 200: WebhookList, 304: null } }),
  read: reads('admin', { id: 'getWebhook', tag, summary: 'Read a webhook', answers: { 200: Webhook, 304: null }, problems }),
  create: writes('admin', {
    id: 'createWebhook',
    tag,
    summary: 'Create a webhook',
    description: 'It is told of what happens from now on, signed as Standard Webhooks have it.',
    body: WebhookCreate,
    answers: { 200: Webhook, 201: NewWebhook },
  }),
  patch: writes('admin', {
    id: 'updateWebhook',
    tag,
    summary: 'Change a webhook, or switch it on or off',
    description: 'Switched on, it goes on where it stopped: what happened meanwhile is sent.',
    body: WebhookPatch,
    answers: { 200: Webhook },
    problems,
  }),
  delete: writes(
    'admin',
    { id: 'deleteWebhook', tag, summary: 'Delete a webhook and its deliveries', answers: { 204: null }, problems },
    'none',
  ),
  rotate: writes(
    'admin',
    {
      id: 'rotateWebhookSecret',
      tag,
      summary: 'Replace the secret of a webhook',
      description: 'For the grace period both secrets sign.',
      body: SecretRotate,
      answers: { 200: Webhook, 201: NewWebhook },
      problems,
    },
    'optional',
  ),
  replay: writes('admin', {
    id: 'replayWebhook',
    tag,
    summary: 'Send again what happened after a revision',
    description: 'Events keep their ids. The log goes back 90 days.',
    body: Replay,
    answers: { 200: Webhook },
    problems,
  }),
  ping: writes(
    'admin',
    {
      id: 'testWebhook',
      tag,
      summary: 'Send a test event',
      description: 'Sends `webhook.ping`, once, to a disabled webhook too. The delivery tells how it went.',
      answers: { 200: DeliveryBody, 201: DeliveryBody },
      problems,
    },
    'none',
  ),
}

export const deliveryOperations = {
  list: reads('admin', {
    id: 'listDeliveries',
    tag,
    summary: 'List the deliveries of a webhook',
    description: 'Newest first. Finished ones are kept for 30 days.',
    list: deliveryList,
    answers: { 200: DeliveryList, 304: null },
    problems,
  }),
  read: reads('admin', { id: 'getDelivery', tag, summary: 'Read a delivery', answers: { 200: DeliveryBody, 304: null }, problems }),
  redeliver: writes(
    'admin',
    {
      id: 'redeliver',
      tag,
      summary: 'Send a delivery again',
      description: 'Under the same id, whatever became of it. One that is being sent is left to its course.',
      answers: { 200: DeliveryBody },
      problems,
    },
    'none',
  ),
}
