import type { Action } from '../../actions/action.ts'
import type { Caller } from '../../actions/caller.ts'
import { lockProject } from '../../actions/change-log/change-log-store.ts'
import { eraseResponsesOf } from '../../actions/idempotency/stored-response-store.ts'
import { accepted, readable, type Validated } from '../../actions/validation/validated.ts'
import { runDeferred } from '../../database/deferred-writes.ts'
import type { Tx } from '../../database/engine.ts'
import { newId, type Random } from '../../values/ids.ts'
import { later } from '../../values/instant.ts'
import { type Fault, notFound, refuseFaults } from '../../values/problems.ts'
import { wakeDeliveries } from './delivery-store.ts'
import { guardAddresses } from './dispatch/address-guard.ts'
import { readEntries } from './dispatch/dispatch-actions.ts'
import { isSecret, newSecret } from './dispatch/signature.ts'
import { targetFaults } from './dispatch/url-rules.ts'
import { openSecret, type SealedSecret, type SealingKeys, type SecretPlace, sealSecret } from './sealed-secret.ts'
import {
  defaultGraceHours,
  disable,
  type Endpoint,
  enable,
  maxNameLength,
  maxWebhooks,
  secretsOf,
  tooMany,
  type Webhook,
  withoutSecrets,
} from './webhook.ts'
import type { Replay, SecretRotate, WebhookCreate, WebhookPatch } from './webhook-schema.ts'
import { countWebhooks, deleteEndpoint, findRevision, holdEndpoint, holdEndpoints, insertEndpoint, saveEndpoint } from './webhook-store.ts'

/** A new webhook with its secret, which is shown only once. */
type NewWebhook = Webhook & { readonly secret: string }

/** What webhooks need of the configuration. It is part of the input, since an action does not read the configuration. */
export interface WebhookSettings {
  /** The private networks that webhooks may use. */
  readonly allow: readonly string[]
  readonly keys: SealingKeys
}

type Sealing = Pick<WebhookSettings, 'keys'>

const hourMs = 60 * 60 * 1000

/** Creates an endpoint that receives the events from now on. */
export const createWebhook: Action<WebhookSettings & { readonly body: Validated<WebhookCreate> }, NewWebhook> = {
  name: 'webhooks.create',
  async run(tx, caller, { allow, keys, body }, random) {
    const asked = readable(body)
    const {
      url,
      name,
      events = ['*'],
      secret = newSecret(random),
    } = accepted(body, [...urlFaults(asked.url, allow), ...secretFaults(asked)])
    await lockProject(tx, caller.projectId)
    if ((await countWebhooks(tx, caller.projectId)) >= maxWebhooks) refuseFaults([tooMany()])
    const id = newId('whk', caller.now, random)
    const endpoint: Endpoint = {
      id,
      name: name?.trim() ?? new URL(url).host.slice(0, maxNameLength),
      url,
      events: [...new Set(events)],
      ...working,
      createdAt: caller.now,
      updatedAt: caller.now,
      logPosition: await findRevision(tx, caller.projectId),
      secret: sealSecret(keys, placeOf(caller, { id }), secret, random),
    }
    await insertEndpoint(tx, caller.projectId, endpoint)
    return { ...withoutSecrets(endpoint), secret }
  },
}

export const editWebhook: Action<
  Pick<WebhookSettings, 'allow'> & { readonly id: string; readonly body: Validated<WebhookPatch> },
  Webhook
> = {
  name: 'webhooks.edit',
  async run(tx, caller, { id, allow, body }) {
    const before = await requireEndpoint(tx, caller, id)
    const { enabled = before.enabled, ...edits } = accepted(body, urlFaults(readable(body).url, allow))
    const logPosition = edits.events && before.enabled ? await readToEnd(tx, caller, before) : before.logPosition
    const edited = { ...before, ...named(edits), logPosition, updatedAt: caller.now }
    const startsAnew = enabled && (!before.enabled || edited.url !== before.url)
    const isSwitchedOff = !enabled && before.enabled
    const after = startsAnew ? enable(edited) : isSwitchedOff ? disable(edited, 'It was switched off.', caller.now) : edited
    if (startsAnew) await wakeDeliveries(tx, { projectId: caller.projectId, webhookId: before.id }, caller.now, true)
    await saveEndpoint(tx, caller.projectId, after)
    return withoutSecrets(after)
  },
}

/** Reads the rest of the log for an endpoint: other events count for what happens from now on. Returns its position in the log. */
async function readToEnd(tx: Tx, { projectId, now }: Caller, endpoint: Endpoint): Promise<number> {
  await runDeferred(tx)
  for (let { logPosition } = endpoint; ; await tx.engine.pause()) {
    const { position, more } = await readEntries(tx, projectId, { ...endpoint, logPosition }, now)
    if (!more) return position
    logPosition = position
  }
}

/** Removes a webhook and its deliveries, including those not yet sent. */
export const removeWebhook: Action<{ readonly id: string }, void> = {
  name: 'webhooks.remove',
  async run(tx, caller, { id }) {
    const endpoint = await requireEndpoint(tx, caller, id)
    await deleteEndpoint(tx, caller.projectId, endpoint)
    await eraseResponsesOf(tx, caller.projectId, endpoint.id)
  },
}

/** Gives a webhook another secret. The old one also signs for a grace period, or until the next rotation. */
export const rotateSecret: Action<Sealing & { readonly id: string; readonly body: Validated<SecretRotate> }, NewWebhook> = {
  name: 'webhooks.rotate-secret',
  async run(tx, caller, { id, keys, body }, random) {
    const before = await requireEndpoint(tx, caller, id)
    const asked = readable(body)
    const isCurrent = asked.secret !== undefined && asked.secret === openSecret(keys, placeOf(caller, before), before.secret)
    const faults = [...secretFaults(asked), ...(isCurrent ? [secretInUse] : [])]
    const { secret = newSecret(random), graceHours = defaultGraceHours } = accepted(body, faults)
    const oldSecretUntil = later(caller.now, graceHours * hourMs)
    const sealed = sealSecret(keys, placeOf(caller, before), secret, random)
    const after = { ...before, secret: sealed, oldSecret: before.secret, oldSecretUntil, updatedAt: caller.now }
    await saveEndpoint(tx, caller.projectId, after)
    return { ...withoutSecrets(after), secret }
  },
}

const secretInUse: Fault = { pointer: '/secret', code: 'not_allowed', detail: 'The webhook has this secret already; give it another one.' }

interface Resealed {
  readonly resealed: number
  /** Webhooks whose secret no key opens. */
  readonly lost: readonly Webhook[]
  /** New secrets for the lost ones, where they were asked for. */
  readonly renewed: readonly NewWebhook[]
}

/** Seals all secrets of the project with the first key. `renewLost` gives a new secret to each webhook whose secret no key opens. */
export const resealSecrets: Action<Sealing & { readonly renewLost: boolean }, Resealed> = {
  name: 'webhooks.reseal-secrets',
  async run(tx, caller, { keys, renewLost }, random) {
    const endpoints = await holdEndpoints(tx, caller.projectId)
    const sealing = endpoints.map((endpoint) => ({ endpoint, ...resealed(keys, caller, endpoint, random) }))
    const lost = sealing.filter(({ secret }) => secret === undefined).map(({ endpoint }) => endpoint)
    const renewed: NewWebhook[] = []
    for (const { endpoint, secret, ...old } of sealing) {
      if (secret !== undefined) await saveEndpoint(tx, caller.projectId, { ...endpoint, ...old, secret })
      else if (renewLost) {
        const plain = newSecret(random)
        const sealed = sealSecret(keys, placeOf(caller, endpoint), plain, random)
        const after = { ...endpoint, ...old, secret: sealed, updatedAt: caller.now }
        await saveEndpoint(tx, caller.projectId, after)
        renewed.push({ ...withoutSecrets(after), secret: plain })
      }
    }
    return { resealed: endpoints.length - lost.length, lost: lost.map(withoutSecrets), renewed }
  },
}

/** The secrets of an endpoint, sealed with the first key. An old one that has expired or that no key opens is dropped. */
function resealed(keys: SealingKeys, caller: Pick<Caller, 'projectId' | 'now'>, endpoint: Endpoint, random: Random) {
  const again = (secret: SealedSecret | null | undefined) => {
    const plain = secret && openSecret(keys, placeOf(caller, endpoint), secret)
    return plain === undefined || plain === null ? undefined : sealSecret(keys, placeOf(caller, endpoint), plain, random)
  }
  const [secret, old] = [again(endpoint.secret), again(secretsOf(endpoint, caller.now)[1])]
  return { secret, oldSecret: old ?? null, oldSecretUntil: old ? endpoint.oldSecretUntil : null }
}

function placeOf({ projectId }: Pick<Caller, 'projectId'>, { id }: Pick<Endpoint, 'id'>): SecretPlace {
  return { projectId, webhookId: id }
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
