import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { StoredResponseTable } from '../../database/tables.ts'
import type { Random } from '../../values/ids.ts'
import { type Instant, later } from '../../values/instant.ts'
import { Problem } from '../../values/problems.ts'

/** The response to a write. */
export interface WrittenResponse {
  readonly status: number
  /** `etag` and `location`. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON, or empty. */
  readonly body: string
  /** The resource with which the stored response is erased: the one in the body; `''` for several, null for none. */
  readonly resourceId: string | null
  /** Present if the write has erased what the body shows: the body is sent once, and not stored. */
  readonly isErased?: true
}

/** In the result of an action: the resource with which its stored response is erased, if it is not the result itself. JSON leaves it out. */
export const erasedWith = Symbol('erasedWith')

/** In the result of an action, if it shows something that the action itself has erased in the end. JSON leaves it out. */
export const showsErased = Symbol('showsErased')

/** A request with an `Idempotency-Key`. */
export interface RepeatableRequest {
  /** As the client chose it. */
  readonly key: string
  /** SHA-256 of method, path, query and body. A repeat must have the same. */
  readonly hash: string
  /** Base64url; present if the response has a secret and must be stored encrypted. */
  readonly encryptionKey: string | undefined
}

export interface StoredResponse extends WrittenResponse {
  readonly bodyState: StoredResponseTable['body_state']
  readonly requestHash: string
}

/** How long a repeat waits for the first request to end. */
export const maxWaitMs = 5_000
/** How long a response is stored. */
const storedHours = 24
const hourMs = 60 * 60 * 1000

/** Responses that were stored at this instant or before it have expired. */
export function responseHorizon(now: Instant): Instant {
  return later(now, -storedHours * hourMs)
}

/** 422 if the key was used for another request; 404 if the resource of the response was erased since. */
export function requireRepeat(stored: StoredResponse, requestHash: string): void {
  if (stored.requestHash !== requestHash)
    throw new Problem('idempotency_key_reused', 'This Idempotency-Key was used before with another method, path, query or body.')
  if (stored.bodyState === 'erased') throw new Problem('not_found', 'This request was made before, and its resource has been erased since.')
}

export function inProgress(): Problem {
  return new Problem('idempotency_in_progress', 'The first request with this Idempotency-Key is still running; repeat it in a moment.')
}

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Derived from the caller's token, which is not stored, so that nobody else can decrypt the response. */
export function encryptionKeyOf(token: string, key: string): string {
  return Buffer.from(hkdfSync('sha256', token, key, 'verso stored response', 32)).toString('base64url')
}

/** Base64 of nonce, authentication tag and encrypted text. */
export function encrypt(text: string, key: string, random: Random): string {
  const nonce = Buffer.from(random(nonceBytes))
  const encryption = createCipheriv(cipher, Buffer.from(key, 'base64url'), nonce)
  const bytes = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()])
  return Buffer.concat([nonce, encryption.getAuthTag(), bytes]).toString('base64')
}

/** 422 if the text was encrypted with another token: a person has a new one every quarter of an hour. */
export function decrypt(base64: string, key: string): string {
  const bytes = Buffer.from(base64, 'base64')
  const decryption = createDecipheriv(cipher, Buffer.from(key, 'base64url'), bytes.subarray(0, nonceBytes))
  decryption.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  const start = decryption.update(bytes.subarray(nonceBytes + tagBytes))
  try {
    return Buffer.concat([start, decryption.final()]).toString('utf8')
  } catch {
    throw new Problem(
      'idempotency_key_reused',
      'This request was made before. Its response shows a secret, which only the token can read that was used then.',
    )
  }
}
