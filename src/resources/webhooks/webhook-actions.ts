import type { Action } from '../../actions/action.ts'
import type { Caller } from '../../actions/caller.ts'
import { accepted, readable, type Validated } from '../../actions/validation/validated.ts'
import type { Tx } from '../../database/engine.ts'
import { newId } from '../../values/ids.ts'
import { later } from '../../values/instant.ts'
import { type Fault, notFound, refuseFaults } from '../../values/problems.ts'
import { wakeDeliveries } from './delivery-store.ts'
import { guardAddresses } from './dispatch/address-guard.ts'
import { isSecret, newSecret } from './dispatch/signature.ts'
import { targetFaults } from './dispatch/url-rules.ts'
import { defaultGraceHours, disable, type Endpoint, enable, maxWebhooks, tooMany, type Webhook, withoutSecrets } from './webhook.ts'
import type { Replay, SecretRotate, WebhookCreate, WebhookPatch } from './webhook-schema.ts'
import { countWebhooks, deleteEndpoint, findRevision, holdEndpoint, insertEndpoint, saveEndpoint } from './webhook-store.ts'

/** A new webhook with its secret, which is shown only once. */
type NewWebhook = Webhook & { readonly secret: string }

/** The private networks that webhooks may use. It is part of the input, since an action does not read the configuration. */
interface Allowing {
  readonly allow: readonly string[]
}

const hourMs = 60 * 60 * 1000

/** Creates an endpoint that receives the events from now on. */
export const createWebhook: Action<Allowing & { readonly body: Validated<WebhookCreate> }, NewWebhook> = {
  name: 'webhooks.create',
  async run(tx, caller, { allow, body }, random) {
    const asked = readable(body)
    const {
      url,
      name,
      events = ['*'],
      secret = newSecret(random),
    } = accepted(body, [...urlFaults(asked.url, allow), ...secretFaults(asked)])
    if ((await countWebhooks(tx, caller.projectId)) >= maxWebhooks) refuseFaults([tooMany()])
    const endpoint: Endpoint = {
      id: newId('whk', caller.now, random),
      name: name?.trim() ?? new URL(url).host,
      url,
      events: [...new Set(events)],
      ...working,
      createdAt: caller.now,
      updatedAt: caller.now,
      logPosition: await findRevision(tx, caller.projectId),
      secret,
    }
    await insertEndpoint(tx, caller.projectId, endpoint)
    return { ...withoutSecrets(endpoint), secret }
  },
}

export const editWebhook: Action<Allowing & { readonly id: string; readonly body: Validated<WebhookPatch> }, Webhook> = {
  name: 'webhooks.edit',
  async run(tx, caller, { id, allow, body }) {
    const before = await requireEndpoint(tx, caller, id)
    const { enabled, ...edits } = accepted(body, urlFaults(readable(body).url, allow))
    const edited = { ...before, ...named(edits), updatedAt: caller.now }
    const isSwitched = enabled !== undefined && enabled !== before.enabled
    const after = !isSwitched ? edited : enabled ? enable(edited) : disable(edited, 'It was switched off.', caller.now)
    if (isSwitched && enabled) await wakeDeliveries(tx, { projectId: caller.projectId, webhookId: before.id }, caller.now, true)
    await saveEndpoint(tx, caller.projectId, after)
    return withoutSecrets(after)
  },
}

/** Removes a webhook and its deliveries, including those not yet sent. */
export const removeWebhook: Action<{ readonly id: string }, void> = {
  name: 'webhooks.remove',
  async run(tx, caller, { id }) {
    await deleteEndpoint(tx, caller.projectId, await requireEndpoint(tx, caller, id))
  },
}

/** Gives a webhook another secret. The old one also signs for a grace period. */
export const rotateSecret: Action<{ readonly id: string; readonly body: Validated<SecretRotate> }, NewWebhook> = {
  name: 'webhooks.rotate-secret',
  async run(tx, caller, { id, body }, random) {
    const before = await requireEndpoint(tx, caller, id)
    const { secret = newSecret(random), graceHours = defaultGraceHours } = accepted(body, secretFaults(readable(body)))
    const oldSecretUntil = later(caller.now, graceHours * hourMs)
    const after = { ...before, secret, oldSecret: before.secret, oldSecretUntil, updatedAt: caller.now }
    await saveEndpoint(tx, caller.projectId, after)
    return { ...withoutSecrets(after), secret }
  },
}

/** Sends the events after a revision again, by reading the log again from there. */
export const replay: Action<{ readonly id: string; readonly body: Validated<Replay> }, Webhook> = {
  name: 'webhooks.replay',
  async run(tx, caller, { id, body }) {
    const before = await requireEndpoint(tx, caller, id)
    const { since } = accepted(body)
    const after = { ...before, logPosition: Math.min(since, before.logPosition), updatedAt: caller.now }
    await saveEndpoint(tx, caller.projectId, after)
    return withoutSecrets(after)
  },
}

const working = {
  enabled: true,
  disabledAt: null,
  disabledReason: null,
  failingSince: null,
  failures: 0,
  wakeAt: '',
  oldSecret: null,
  oldSecretUntil: null,
} as const

export async function requireEndpoint(tx: Tx, { projectId }: Pick<Caller, 'projectId'>, id: string): Promise<Endpoint> {
  const endpoint = await holdEndpoint(tx, projectId, id)
  if (!endpoint) throw notFound('webhook')
  return endpoint
}

function named({ name, url, events }: WebhookPatch): Partial<Pick<Endpoint, 'name' | 'url' | 'events'>> {
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events: [...new Set(events)] }),
  }
}

function urlFaults(url: string | undefined, allow: readonly string[]): readonly Fault[] {
  return url === undefined ? [] : targetFaults(url, guardAddresses(allow))
}

function secretFaults({ secret }: { readonly secret?: string }): readonly Fault[] {
  const detail = 'A secret is whsec_ and base64 of 24 to 64 bytes.'
  return secret === undefined || isSecret(secret) ? [] : [{ pointer: '/secret', code: 'invalid_format', detail }]
}
