import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { Id, ProjectId, Random } from '../../values/ids.ts'

declare const sealed: unique symbol

/** A signing secret as the database stores it: `v1.<id of the key>.<nonce, ciphertext and tag in base64url>`. */
export type SealedSecret = string & { readonly [sealed]: true }

/** Derived from one value of `VERSO_SECRET`. */
interface SealingKey {
  /** Names the key in what it has sealed. It says nothing about the key. */
  readonly id: string
  readonly bytes: Uint8Array
}

/** The first one seals; each one opens what it has sealed. */
export type SealingKeys = readonly [SealingKey, ...SealingKey[]]

/** The row that a secret belongs to. Sealed in another row, it cannot be opened. */
export interface SecretPlace {
  readonly projectId: ProjectId
  readonly webhookId: Id<'whk'>
}

const format = 'v1'
const cipher = 'aes-256-gcm'
const keyBytes = 32
const idBytes = 6
/** NIST SP 800-38D: 96 bits. Random ones are safe for 2^32 secrets of one key. */
const nonceBytes = 12
const tagBytes = 16

/** Derives a key from each value by HKDF (RFC 5869). */
export function sealingKeys([first, ...more]: readonly [string, ...string[]]): SealingKeys {
  return [toKey(first), ...more.map(toKey)]
}

function toKey(value: string): SealingKey {
  const derived = (purpose: string, bytes: number) =>
    new Uint8Array(hkdfSync('sha256', value, '', `verso webhook secrets: ${purpose}`, bytes))
  return { id: Buffer.from(derived('id', idBytes)).toString('base64url'), bytes: derived('key', keyBytes) }
}

/** Encrypts a secret with AES-256-GCM, bound to its row. */
export function sealSecret([key]: SealingKeys, place: SecretPlace, secret: string, random: Random): SealedSecret {
  const nonce = random(nonceBytes)
  const encrypting = createCipheriv(cipher, key.bytes, nonce, { authTagLength: tagBytes }).setAAD(boundTo(place))
  const parts = [nonce, encrypting.update(secret, 'utf8'), encrypting.final(), encrypting.getAuthTag()]
  return `${format}.${key.id}.${Buffer.concat(parts).toString('base64url')}` as SealedSecret
}

/** The secret; none if it was sealed with another key, in another row, or was changed since. */
export function openSecret(keys: SealingKeys, place: SecretPlace, sealedSecret: SealedSecret): string | undefined {
  const [version, id, text = ''] = sealedSecret.split('.')
  const key = version === format ? keys.find((each) => each.id === id) : undefined
  const bytes = Buffer.from(text, 'base64url')
  if (!key || bytes.length < nonceBytes + tagBytes) return undefined
  const decrypting = createDecipheriv(cipher, key.bytes, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decrypting.setAAD(boundTo(place)).setAuthTag(bytes.subarray(-tagBytes))
  try {
    return Buffer.concat([decrypting.update(bytes.subarray(nonceBytes, -tagBytes)), decrypting.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

/** The id of the key that sealed a secret. */
export function sealedWith(secret: SealedSecret): string {
  return secret.split('.')[1] ?? ''
}

function boundTo({ projectId, webhookId }: SecretPlace): Buffer {
  return Buffer.from(`${format} ${projectId} ${webhookId}`)
}
