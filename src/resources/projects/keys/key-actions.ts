import type { Action } from '../../../actions/action.ts'
import type { Caller } from '../../../actions/caller.ts'
import { accepted, readable, type Validated } from '../../../actions/validation/validated.ts'
import type { Tx } from '../../../database/engine.ts'
import { isId, type KeyId, newId, type Random } from '../../../values/ids.ts'
import { type Instant, lastInstant, later, parseInstant } from '../../../values/instant.ts'
import { type Fault, notFound, refuseFaults } from '../../../values/problems.ts'
import { newToken, tokenHash } from '../../../values/token.ts'
import { type ApiKey, defaultGraceHours, defaultScopes, isValid, keyPrefixes, maxKeys, scopeFaults } from './api-key.ts'
import type { KeyCreate, KeyRotate } from './key-schema.ts'
import { countValidKeys, findKey, insertKey, saveKeyEnd, saveKeyUse } from './key-store.ts'

/** A key with its token, for the one moment in which it can be shown. */
type NewKey = ApiKey & { readonly token: string }

const hourMs = 60 * 60 * 1000

export const createKey: Action<{ readonly body: Validated<KeyCreate> }, NewKey> = {
  name: 'keys.create',
  async run(tx, caller, { body }, random) {
    const asked = readable(body)
    const expiresAt = asked.expiresAt ? parseInstant(asked.expiresAt) : undefined
    const faults = [
      ...(asked.kind && asked.scopes ? scopeFaults(asked.kind, asked.scopes) : []),
      ...(expiresAt && expiresAt <= caller.now ? [fault('/expiresAt', 'in_the_past', 'expiresAt must lie in the future.')] : []),
    ]
    const { name, kind, scopes } = accepted(body, faults)
    await requireRoom(tx, caller)
    const granted = [...new Set(scopes ?? defaultScopes[kind])]
    return insertNew(tx, caller, { name: name.trim(), kind, scopes: granted, expiresAt: expiresAt ?? null }, random)
  },
}

/** Makes a new key like an old one, for as long a life as that had; the old one goes on working for a while. */
export const rotateKey: Action<{ readonly id: string; readonly body: Validated<KeyRotate> }, NewKey> = {
  name: 'keys.rotate',
  async run(tx, caller, { id, body }, random) {
    const old = await requireKey(tx, caller, id)
    const { graceHours = defaultGraceHours } = accepted(body)
    if (!isValid(old, caller.now)) refuseFaults([fault('', 'not_allowed', 'The key does not work any more; create a new one.')])
    const end = later(caller.now, graceHours * hourMs)
    await saveKeyEnd(tx, caller.projectId, { ...old, expiresAt: old.expiresAt !== null && old.expiresAt < end ? old.expiresAt : end })
    return insertNew(tx, caller, { name: old.name, kind: old.kind, scopes: old.scopes, expiresAt: endOfLife(old, caller.now) }, random)
  },
}

/** The key stops with the next request. Revoking again is no mistake. */
export const revokeKey: Action<{ readonly id: string }, void> = {
  name: 'keys.revoke',
  async run(tx, caller, { id }) {
    const key = await requireKey(tx, caller, id)
    if (key.revokedAt === null) await saveKeyEnd(tx, caller.projectId, { ...key, revokedAt: caller.now })
  },
}

/** Notes when keys were last used. No content, and no change to anybody. */
export const noteKeyUse: Action<readonly (readonly [KeyId, Instant])[], void> = {
  name: 'keys.use',
  async run(tx, _, uses) {
    for (const [id, at] of uses) await saveKeyUse(tx, id, at)
  },
}

async function insertNew(
  tx: Tx,
  caller: Caller,
  wanted: Pick<ApiKey, 'name' | 'kind' | 'scopes' | 'expiresAt'>,
  random: Random,
): Promise<NewKey> {
  const token = newToken(keyPrefixes[wanted.kind], random)
  const key: ApiKey = {
    id: newId('key', caller.now, random),
    ...wanted,
    last4: token.slice(-4),
    createdAt: caller.now,
    lastUsedAt: null,
    revokedAt: null,
  }
  await insertKey(tx, caller.projectId, key, tokenHash(token))
  return { ...key, token }
}

/** A key that was to end does not become one that never does. */
function endOfLife({ createdAt, expiresAt }: ApiKey, now: Instant): Instant | null {
  if (expiresAt === null) return null
  const lifeMs = Date.parse(expiresAt) - Date.parse(createdAt)
  return Date.parse(now) + lifeMs > Date.parse(lastInstant) ? lastInstant : later(now, lifeMs)
}

async function requireKey(tx: Tx, caller: Caller, id: string): Promise<ApiKey> {
  const key = isId('key', id) ? await findKey(tx, caller.projectId, id) : undefined
  if (!key) throw notFound('key')
  return key
}

async function requireRoom(tx: Tx, caller: Caller): Promise<void> {
  const has = await countValidKeys(tx, caller.projectId, caller.now)
  if (has >= maxKeys) refuseFaults([fault('', 'too_many', `A project has at most ${maxKeys} keys; revoke one first.`)])
}

function fault(pointer: string, code: string, detail: string): Fault {
  return { pointer, code, detail }
}
