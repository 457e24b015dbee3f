import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Random } from './ids.ts'

/** What a token begins with; it says what it opens, to people and to secret scanners. */
export type TokenPrefix = 'verso_live_' | 'verso_pub_' | 'verso_preview_'

const secretLength = 43
const checksumLength = 6
const form = new RegExp(`^(verso_[a-z]+_)[0-9A-Za-z]{${secretLength}}[0-9A-Za-z]{${checksumLength}}$`)
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A new token: its prefix, 32 random bytes in base62, and the CRC32 of both, by which a typo and a leak are known. Shown once, kept nowhere. */
export function newToken(prefix: TokenPrefix, random: Random): string {
  const secret = toBase62(BigInt(`0x${Buffer.from(random(32)).toString('hex')}`), secretLength)
  const unsigned = `${prefix}${secret}`
  return unsigned + checksum(unsigned)
}

/** Whether a text is a token of such a prefix as they are made here; a typo is known without a look-up. */
export function isToken(text: string, prefixes: readonly TokenPrefix[]): boolean {
  const prefix = form.exec(text)?.[1]
  return prefixes.some((each) => each === prefix) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)
}

/** What is stored and looked up instead of the token. Tokens are random enough for a plain hash. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function checksum(text: string): string {
  return toBase62(BigInt(crc32(text)), checksumLength)
}

function toBase62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = (alphabet[Number(rest % 62n)] ?? '') + text
  return text
}
