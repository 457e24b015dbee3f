import { administrativeScopes, type Scope, scopes } from '../../../actions/caller.ts'
import type { KeyId } from '../../../values/ids.ts'
import type { Instant } from '../../../values/instant.ts'
import type { Fault } from '../../../values/problems.ts'
import type { TokenPrefix } from '../../../values/token.ts'

export const keyKinds = ['secret', 'public'] as const
export type KeyKind = (typeof keyKinds)[number]

/** A stored key, without its token. */
export interface ApiKey {
  readonly id: KeyId
  readonly name: string
  readonly kind: KeyKind
  readonly scopes: readonly Scope[]
  readonly last4: string
  readonly createdAt: Instant
  readonly expiresAt: Instant | null
  readonly lastUsedAt: Instant | null
  /** In the future for a rotated key, which works until then. */
  readonly revokedAt: Instant | null
}

export const keyPrefixes: Record<KeyKind, TokenPrefix> = { secret: 'verso_live_', public: 'verso_pub_' }

export const defaultScopes: Record<KeyKind, readonly Scope[]> = {
  secret: scopes.filter((scope) => !administrativeScopes.includes(scope)),
  public: ['posts:read', 'authors:read', 'changes:read'],
}

/** The most that a public key may do: web pages contain it, so anyone can read it. */
const publicScopes: readonly Scope[] = [...defaultScopes.public, 'media:read']

/** How long a rotated key continues to work. */
export const defaultGraceHours = 24

/** The most valid keys of one project (docs/reference/api.md#limits). */
export const maxKeys = 100

export function scopeFaults(kind: KeyKind, requested: readonly Scope[]): readonly Fault[] {
  if (kind === 'secret') return []
  return requested
    .filter((scope) => !publicScopes.includes(scope))
    .map((scope) => ({
      pointer: '/scopes',
      code: 'not_allowed',
      detail: `A public key cannot have the scope ${scope}; it may have ${publicScopes.join(', ')}.`,
    }))
}

/** Only a key that works can be rotated, and only once: who asks again has lost the answer, with the token of the new key. */
export function rotationFaults(key: Pick<ApiKey, 'expiresAt' | 'revokedAt'>, now: Instant): readonly Fault[] {
  const refused = (detail: string) => [{ pointer: '', code: 'not_allowed', detail }]
  if (!isValid(key, now)) return refused('The key no longer works; create a new one.')
  if (key.revokedAt === null) return []
  return refused('The key has been rotated already. If nobody has the token of its successor, revoke that key and create a new one.')
}

/** When a key stops working: the earlier of its expiry and its revocation. */
export function endOf({ expiresAt, revokedAt }: Pick<ApiKey, 'expiresAt' | 'revokedAt'>): Instant | null {
  return expiresAt === null || (revokedAt !== null && revokedAt < expiresAt) ? revokedAt : expiresAt
}

/** Expiry and revocation take effect with the next request. */
function isValid(key: Pick<ApiKey, 'expiresAt' | 'revokedAt'>, now: Instant): boolean {
  const end = endOf(key)
  return end === null || end > now
}
