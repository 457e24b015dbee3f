import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Random } from './ids.ts'

/** The prefix of a token tells people and secret scanners what the token is for. */
export type TokenPrefix = 'verso_live_' | 'verso_pub_' | 'verso_preview_' | 'verso_sess_' | 'verso_studio_' | 'verso_link_'

const secretLength = 43
const checksumLength = 6
const form = new RegExp(`^(verso_[a-z]+_)[0-9A-Za-z]{${secretLength}}[0-9A-Za-z]{${checksumLength}}$`)
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A new token: prefix, 32 random bytes in base62, and a CRC32 of both, which reveals typos and helps secret scanners. It is never stored. */
export function newToken(prefix: TokenPrefix, random: Random): string {
  const secret = toBase62(BigInt(`0x${Buffer.from(random(32)).toString('hex')}`), secretLength)
  const unsigned = `${prefix}${secret}`
  return unsigned + checksum(unsigned)
}

/** Whether a text is a well-formed token with one of these prefixes. Finds typos without a look-up. */
export function isToken(text: string, prefixes: readonly TokenPrefix[]): boolean {
  const prefix = form.exec(text)?.[1]
  return prefixes.some((each) => each === prefix) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)
}

/** Whether a text may have a token in it. */
export function holdsToken(text: string): boolean {
  return /verso_[a-z]+_/.test(text)
}

/** The hash that is stored and looked up instead of the token. A token is random, so a plain hash is enough. */
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
