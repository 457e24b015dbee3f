import type { Command } from 'commander'
import type { Caller } from '../../actions/caller.ts'
import { readConfig } from '../../app/config.ts'
import type { Installation } from '../../app/installation.ts'
import { dispatching } from '../../app/jobs.ts'
import { webhookSettings } from '../../app/webhook-settings.ts'
import { redeliver, sendPing } from '../../resources/webhooks/delivery-actions.ts'
import { type DeliveryBody, deliveryList, toDeliveryBody } from '../../resources/webhooks/delivery-schema.ts'
import { findDelivery, listDeliveries, type Recipient } from '../../resources/webhooks/delivery-store.ts'
import { findWebhook } from '../../resources/webhooks/webhook-store.ts'
import { notFound } from '../../values/problems.ts'
import { everyPage } from '../every-page.ts'
import { type CommonOptions, examples, print, projectScoped, table } from '../terminal.ts'
import { withProject } from '../with-installation.ts'

const webhookArgument = ['<id>', 'as verso webhook list shows it'] as const
/** How often, and how many milliseconds apart, to look for the outcome of a test that a running service has taken over. */
const looks = 80
const lookEveryMs = 250

/** `verso webhook test`. */
export function test(): Command {
  return projectScoped('test', 'Send a webhook.ping and report the outcome.')
    .argument(...webhookArgument)
    .addHelpText('after', examples('verso webhook test whk_06dq8k2rxf7e9aw5n4j1t3ybvc'))
    .action(async (id: string, options: CommonOptions) => {
      const sent = await withProject(options, (installation, caller) => sendTest(installation, caller, id, options))
      const isDelivered = sent.status === 'delivered'
      const words = isDelivered
        ? `Delivered: the receiver answered ${sent.lastStatus}.`
        : `Not delivered: ${sent.lastError ?? 'no answer yet.'}`
      print(options, sent, words)
      if (!isDelivered) process.exitCode = 1
    })
}

/** `verso webhook deliveries`. */
export function deliveries(): Command {
  return projectScoped('deliveries', 'List the deliveries of a webhook, newest first.')
    .argument(...webhookArgument)
    .addHelpText('after', examples('verso webhook deliveries whk_06dq8k2rxf7e9aw5n4j1t3ybvc --json'))
    .action(async (id: string, options: CommonOptions) => {
      const found = await withProject(options, async ({ db }, caller) => {
        const recipient = await recipientOf({ db }, caller, id)
        return everyPage(deliveryList, caller, (plan) => listDeliveries(db, recipient, plan))
      })
      const rows = found.map(toDeliveryBody).map((each) => [each.id, each.type, each.status, String(each.tries), resultOf(each)])
      print(options, found.map(toDeliveryBody), table(['ID', 'EVENT', 'STATUS', 'TRIES', 'LAST'], rows, 'No deliveries yet.'))
    })
}

/** `verso webhook redeliver`. */
export function redeliverCommand(): Command {
  return projectScoped('redeliver', 'Send a delivery again, under the same id.')
    .argument(...webhookArgument)
    .argument('<delivery>', 'as verso webhook deliveries shows it')
    .addHelpText('after', examples('verso webhook redeliver whk_06dq8k2rxf7e9aw5n4j1t3ybvc evt_06dq8k2rxf7e9aw5n4j1t3ybvd'))
    .action(async (webhookId: string, id: string, options: CommonOptions) => {
      const delivery = await withProject(options, ({ perform }, caller) => perform(redeliver, caller, { webhookId, id }))
      print(options, delivery, `The running service sends ${delivery.type} ${id} again.`)
    })
}

/** Sends the test from this process, unless a running service does so first. */
async function sendTest(installation: Installation, caller: Caller, id: string, options: CommonOptions): Promise<DeliveryBody> {
  const recipient = await recipientOf(installation, caller, id)
  // Before the ping is made: without the key, nothing is to be sent.
  const settings = await webhookSettings(installation, readConfig(options))
  const made = await installation.perform(sendPing, caller, { id })
  await dispatching(installation, settings).sendPings({ ...recipient, project: options.project })
  for (let look = 0; ; look++) {
    const delivery = await findDelivery(installation.db, recipient, made.id)
    if (!delivery) throw notFound('delivery')
    if (look === looks || delivery.status === 'delivered' || delivery.status === 'failed') return toDeliveryBody(delivery)
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
}

async function recipientOf({ db }: Pick<Installation, 'db'>, { projectId }: Caller, id: string): Promise<Recipient> {
  const webhook = await findWebhook(db, projectId, id)
  if (!webhook) throw notFound('webhook')
  return { projectId, webhookId: webhook.id }
}

function resultOf({ lastStatus, lastError }: DeliveryBody): string {
  return lastError ?? (lastStatus === null ? '-' : String(lastStatus))
}
