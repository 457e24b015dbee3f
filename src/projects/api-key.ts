import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type Scope, scopes } from '../caller.ts'
import type { KeyId, Random } from '../ids.ts'
import type { Instant } from '../instant.ts'
import type { Fault } from '../problems.ts'

export const keyKinds = ['secret', 'public'] as const
export type KeyKind = (typeof keyKinds)[number]

/** What is kept of a key: everything but the key. */
export interface ApiKey {
  readonly id: KeyId
  readonly name: string
  readonly kind: KeyKind
  readonly scopes: readonly Scope[]
  readonly last4: string
  readonly createdAt: Instant
  readonly expiresAt: Instant | null
  readonly lastUsedAt: Instant | null
  readonly revokedAt: Instant | null
}

const prefixes: Record<KeyKind, string> = { secret: 'verso_live_', public: 'verso_pub_' }
const tokenForm = /^verso_(?:live|pub)_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** What a key may do unless it is said otherwise. */
export const defaultScopes: Record<KeyKind, readonly Scope[]> = {
  secret: scopes.filter((scope) => scope !== 'admin'),
  public: ['posts:read', 'authors:read', 'changes:read'],
}

/** What a public key may do at most: it stands in web pages for all to read. */
const publicScopes: readonly Scope[] = [...defaultScopes.public, 'media:read']

/** How long a rotated key goes on working. */
export const defaultGraceHours = 24

/** As many keys as one project has at once, revoked and expired ones not counted (contract §9). */
export const maxKeys = 100

/** A new token: the prefix of its kind, 32 random bytes in base62, and the CRC32 of both, by which a typo and a leak are known. Shown once, kept nowhere. */
export function newToken(kind: KeyKind, random: Random): string {
  const secret = toBase62(BigInt(`0x${Buffer.from(random(32)).toString('hex')}`), 43)
  const unsigned = `${prefixes[kind]}${secret}`
  return unsigned + checksum(unsigned)
}

/** Whether a text is a token as they are made here; a typo is known without a look-up. */
export function isToken(text: string): boolean {
  const parts = tokenForm.exec(text)
  return parts !== null && checksum(text.slice(0, -6)) === parts[2]
}

/** What is stored and looked up instead of the token. Tokens are random enough for a plain hash. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

export function scopeFaults(kind: KeyKind, wanted: readonly Scope[]): readonly Fault[] {
  if (kind === 'secret') return []
  return wanted
    .filter((scope) => !publicScopes.includes(scope))
    .map((scope) => ({
      pointer: '/scopes',
      code: 'not_allowed',
      detail: `A public key cannot have the scope ${scope}; it may have ${publicScopes.join(', ')}.`,
    }))
}

/** Expiry and revocation take effect with the next request. */
export function isValid(key: Pick<ApiKey, 'expiresAt' | 'revokedAt'>, now: Instant): boolean {
  return (key.revokedAt === null || key.revokedAt > now) && (key.expiresAt === null || key.expiresAt > now)
}

function checksum(text: string): string {
  return toBase62(BigInt(crc32(text)), 6)
}

function toBase62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = (alphabet[Number(rest % 62n)] ?? '') + text
  return text
}
