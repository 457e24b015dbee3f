import type { Action } from '../../../actions/action.ts'
import type { Caller } from '../../../actions/caller.ts'
import { lockProject } from '../../../actions/change-log/change-log-store.ts'
import { accepted, readable, type Validated } from '../../../actions/validation/validated.ts'
import type { Tx } from '../../../database/engine.ts'
import { isId, type KeyId, newId, type Random } from '../../../values/ids.ts'
import { type Instant, lastInstant, later, parseInstant } from '../../../values/instant.ts'
import { type Fault, notFound, refuseFaults } from '../../../values/problems.ts'
import { newToken, tokenHash } from '../../../values/token.ts'
import { type ApiKey, defaultGraceHours, defaultScopes, keyPrefixes, maxKeys, rotationFaults, scopeFaults } from './api-key.ts'
import type { KeyCreate, KeyRotate } from './key-schema.ts'
import { countValidKeys, insertKey, lockKey, saveKeyUse, saveRevocation } from './key-store.ts'

/** A key with its token, which can be shown only once. */
type NewKey = ApiKey & { readonly token: string }

const hourMs = 60 * 60 * 1000

export const createKey: Action<{ readonly body: Validated<KeyCreate> }, NewKey> = {
  name: 'keys.create',
  async run(tx, caller, { body }, random) {
    const request = readable(body)
    const expiresAt = request.expiresAt ? parseInstant(request.expiresAt) : undefined
    const faults = [
      ...(request.kind && request.scopes ? scopeFaults(request.kind, request.scopes) : []),
      ...(expiresAt && expiresAt <= caller.now ? [fault('/expiresAt', 'in_the_past', 'expiresAt must lie in the future.')] : []),
    ]
    const { name, kind, scopes } = accepted(body, faults)
    await requireRoom(tx, caller, 'revoke one first')
    const granted = [...new Set(scopes ?? defaultScopes[kind])]
    return insertNew(tx, caller, { name: name.trim(), kind, scopes: granted, expiresAt: expiresAt ?? null }, random)
  },
}

/** Replaces a key by a new one with the same lifetime. The old key is revoked at the end of the grace period. */
export const rotateKey: Action<{ readonly id: string; readonly body: Validated<KeyRotate> }, NewKey> = {
  name: 'keys.rotate',
  async run(tx, caller, { id, body }, random) {
    const old = await lockedKey(tx, caller, id)
    const { graceHours = defaultGraceHours } = accepted(body)
    refuseFaults(rotationFaults(old, caller.now))
    await saveRevocation(tx, caller.projectId, old.id, later(caller.now, graceHours * hourMs))
    await requireRoom(tx, caller, 'revoke one first, or rotate without a grace period')
    return insertNew(tx, caller, { name: old.name, kind: old.kind, scopes: old.scopes, expiresAt: renewedExpiry(old, caller.now) }, random)
  },
}

/** Takes effect with the next request. Revoking a revoked key does nothing. */
export const revokeKey: Action<{ readonly id: string }, void> = {
  name: 'keys.revoke',
  async run(tx, caller, { id }) {
    const key = await lockedKey(tx, caller, id)
    if (key.revokedAt === null || key.revokedAt > caller.now) await saveRevocation(tx, caller.projectId, key.id, caller.now)
  },
}

/** Stores when keys were last used. This is no change of content. */
export const noteKeyUse: Action<readonly (readonly [KeyId, Instant])[], void> = {
  name: 'keys.use',
  async run(tx, _, uses) {
    for (const [id, at] of uses) await saveKeyUse(tx, id, at)
  },
}

async function insertNew(
  tx: Tx,
  caller: Caller,
  settings: Pick<ApiKey, 'name' | 'kind' | 'scopes' | 'expiresAt'>,
  random: Random,
): Promise<NewKey> {
  const token = newToken(keyPrefixes[settings.kind], random)
  const key: ApiKey = {
    id: newId('key', caller.now, random),
    ...settings,
    last4: token.slice(-4),
    createdAt: caller.now,
    lastUsedAt: null,
    revokedAt: null,
  }
  await insertKey(tx, caller.projectId, key, tokenHash(token))
  return { ...key, token }
}

/** The expiry of the new key, so that it lives as long as the old one. */
function renewedExpiry({ createdAt, expiresAt }: ApiKey, now: Instant): Instant | null {
  if (expiresAt === null) return null
  const lifeMs = Date.parse(expiresAt) - Date.parse(createdAt)
  return Date.parse(now) + lifeMs > Date.parse(lastInstant) ? lastInstant : later(now, lifeMs)
}

async function lockedKey(tx: Tx, caller: Caller, id: string): Promise<ApiKey> {
  const key = isId('key', id) ? await lockKey(tx, caller.projectId, id) : undefined
  if (!key) throw notFound('key')
  return key
}

/** 422 unless the project can have one more key. A rotated key counts until its grace period is over. */
async function requireRoom(tx: Tx, caller: Caller, remedy: string): Promise<void> {
  await lockProject(tx, caller.projectId)
  const count = await countValidKeys(tx, caller.projectId, caller.now)
  if (count >= maxKeys) refuseFaults([fault('', 'too_many', `A project has at most ${maxKeys} keys; ${remedy}.`)])
}

function fault(pointer: string, code: string, detail: string): Fault {
  return { pointer, code, detail }
}
