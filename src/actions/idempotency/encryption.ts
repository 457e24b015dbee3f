import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { Random } from '../../values/ids.ts'

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** What an answer is sealed with: it follows from the caller's own token, which is stored nowhere, so that nobody else can open it. */
export function sealOf(token: string, key: string): string {
  return Buffer.from(hkdfSync('sha256', token, key, 'verso stored answer', 32)).toString('base64url')
}

/** Encrypts a text; base64. */
export function sealed(text: string, seal: string, random: Random): string {
  const nonce = Buffer.from(random(nonceBytes))
  const encryption = createCipheriv(cipher, Buffer.from(seal, 'base64url'), nonce)
  const bytes = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()])
  return Buffer.concat([nonce, encryption.getAuthTag(), bytes]).toString('base64')
}

/** The text that was sealed; throws where it was sealed otherwise, or changed since. */
export function unsealed(base64: string, seal: string): string {
  const bytes = Buffer.from(base64, 'base64')
  const decryption = createDecipheriv(cipher, Buffer.from(seal, 'base64url'), bytes.subarray(0, nonceBytes))
  decryption.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  return Buffer.concat([decryption.update(bytes.subarray(nonceBytes + tagBytes)), decryption.final()]).toString('utf8')
}
