import { type Authenticated, type Authenticator, type Caller, operator, withIncluded } from '../../../actions/caller.ts'
import type { Engine, LookUpConnections } from '../../../database/engine.ts'
import type { KeyId } from '../../../values/ids.ts'
import type { Instant } from '../../../values/instant.ts'
import { Problem } from '../../../values/problems.ts'
import { isToken, tokenHash } from '../../../values/token.ts'
import { type ApiKey, isValid, keyPrefixes } from './api-key.ts'
import { openAuthenticationCache } from './authentication-cache.ts'
import { batchLookUps } from './batch-loader.ts'
import { type KeyLookUp, lookUpKey, lookUpKeys } from './key-store.ts'

interface AuthenticatorParts {
  readonly engine: Pick<Engine, 'db' | 'durability' | 'forLookUps'>
  /** Publishes the due posts of the project; false if that failed. */
  publishDue(caller: Caller): Promise<boolean>
  noteUse(id: KeyId, at: Instant): void
}

const prefixes = Object.values(keyPrefixes)

/** The authentication of requests by API key. */
export function openAuthenticator({
  engine: { db, durability, forLookUps },
  publishDue,
  noteUse,
}: AuthenticatorParts): Pick<Authenticator, 'authenticate' | 'cached'> {
  const find = forLookUps ? batchedLookUp(forLookUps) : (token: string) => lookUpKey(db, tokenHash(token))
  const cache = openAuthenticationCache(() => durability?.flushed())

  const findIn = (state: number | undefined, token: string): Authenticated | undefined => {
    const entry = cache.find(token, state)
    if (!entry) return undefined
    const now = db.engine.clock()
    if (entry.until !== null && entry.until <= now) return undefined
    noteUse(entry.id, now)
    // Until the clock moves on, all requests share one object.
    if (entry.authenticated.caller.now !== now)
      entry.authenticated = { ...entry.authenticated, caller: { ...entry.authenticated.caller, now } }
    return entry.authenticated
  }

  const lookUp = async (token: string): Promise<Found | undefined> => {
    const state = durability?.readable()
    const found = await find(token)
    if (!found) return undefined
    const authenticated = { ...found, state }
    const until = earliest(found.nextDueAt, endOf(found.key))
    if (state !== undefined) cache.add(token, { id: found.key.id, authenticated: toAuthenticated(authenticated, found.now), state, until })
    return authenticated
  }

  const authenticate: Authenticator['authenticate'] = async (token, passed) => {
    if (!isToken(token, prefixes)) throw invalidKey()
    const found = await lookUp(token)
    if (!found || !isValid(found.key, found.now)) throw invalidKey()
    const { now } = found
    noteUse(found.key.id, now)
    passed?.('authenticate')
    if (found.nextDueAt === null || found.nextDueAt > now) return toAuthenticated(found, now)
    const published = await publishDue(operator(found.projectId, 'schedule', now))
    passed?.('settle')
    return toAuthenticated((published ? await lookUp(token) : undefined) ?? found, now)
  }

  const cached = durability && {
    current: (token: string) => findIn(durability.readable(), token),
    flushed: (token: string) => findIn(durability.flushed(), token),
  }
  return { authenticate, cached }
}

/** Joins the look-ups of one turn of the event loop into one statement, which is one round trip to the database. */
function batchedLookUp({ db, most }: LookUpConnections): (token: string) => Promise<KeyLookUp | undefined> {
  return batchLookUps({
    most,
    async find(tokens) {
      const hashes = tokens.map((token) => tokenHash(token))
      const found = await lookUpKeys(db, hashes)
      return new Map(
        tokens.flatMap((token, i) => {
          const lookUp = found.get(hashes[i] ?? '')
          return lookUp ? [[token, lookUp]] : []
        }),
      )
    },
  })
}

type Found = KeyLookUp & Pick<Authenticated, 'state'>

function toAuthenticated({ key, projectId, revision, publicRevision, state }: Found, now: Instant): Authenticated {
  const caller: Caller = { projectId, actor: key.id, kind: key.kind, scopes: withIncluded(key.scopes), now }
  const seesAll = caller.scopes.includes('posts:read_drafts')
  return { caller, revision: seesAll ? revision : publicRevision, view: `${projectId} ${key.kind} ${caller.scopes.join()}`, state }
}

function endOf({ expiresAt, revokedAt }: ApiKey): Instant | null {
  return earliest(expiresAt, revokedAt)
}

function earliest(a: Instant | null, b: Instant | null): Instant | null {
  return a === null || (b !== null && b < a) ? b : a
}

function invalidKey(): Problem {
  const detail = 'The API key is unknown, revoked or expired.'
  return new Problem('invalid_key', detail, { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } })
}
