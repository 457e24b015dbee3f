import { type Scope, scopes } from '../../../actions/caller.ts'
import type { KeyId } from '../../../values/ids.ts'
import type { Instant } from '../../../values/instant.ts'
import type { Fault } from '../../../values/problems.ts'
import type { TokenPrefix } from '../../../values/token.ts'

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

/** What the tokens of keys begin with. */
export const keyPrefixes: Record<KeyKind, TokenPrefix> = { secret: 'verso_live_', public: 'verso_pub_' }

/** What a key may do unless it is said otherwise. */
export const defaultScopes: Record<KeyKind, readonly Scope[]> = {
  secret: scopes.filter((scope) => scope !== 'admin'),
  public: ['posts:read', 'authors:read', 'changes:read'],
}

/** What a public key may do at most: it stands in web pages for all to read. */
const publicScopes: readonly Scope[] = [...defaultScopes.public, 'media:read']

/** How long a rotated key goes on working. */
export const defaultGraceHours = 24

/** The keys that one project can have, without revoked and expired ones: docs/reference/api.md#limits. */
export const maxKeys = 100

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
