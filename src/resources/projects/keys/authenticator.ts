import { type Authenticated, type Authenticator, type Caller, operator, type TokenLookUp, withIncluded } from '../../../actions/caller.ts'
import type { Db, Engine } from '../../../database/engine.ts'
import { isId, type KeyId } from '../../../values/ids.ts'
import type { Instant } from '../../../values/instant.ts'
import { Problem } from '../../../values/problems.ts'
import { isToken, type TokenPrefix, tokenHash } from '../../../values/token.ts'
import { keyPrefixes } from './api-key.ts'
import { openAuthenticationCache } from './authentication-cache.ts'
import { batchLookUps } from './batch-loader.ts'
import { lookUpKey, lookUpKeys } from './key-store.ts'

/** Tokens that a request can carry, and how they are looked up by their hashes. */
export interface TokenKind {
  readonly prefixes: readonly TokenPrefix[]
  find(db: Db, hash: string): Promise<TokenLookUp | undefined>
  /** The result has the tokens that exist, by hash. */
  findAll(db: Db, hashes: readonly string[]): Promise<ReadonlyMap<string, TokenLookUp>>
}

interface AuthenticatorParts {
  readonly engine: Pick<Engine, 'db' | 'durability' | 'forLookUps'>
  /** Publishes the due posts of the project; false if that failed. */
  publishDue(caller: Caller): Promise<boolean>
  noteUse(id: KeyId, at: Instant): void
  /** The tokens of signed-in people. */
  readonly sessionTokens: TokenKind
}

const apiKeys: TokenKind = { prefixes: Object.values(keyPrefixes), find: lookUpKey, findAll: lookUpKeys }

/** The authentication of requests by API key, or by the token of a session. */
export function openAuthenticator({
  engine,
  publishDue,
  noteUse: noteKeyUse,
  sessionTokens,
}: AuthenticatorParts): Pick<Authenticator, 'authenticate' | 'cached'> {
  const { db, durability } = engine
  const kinds = [apiKeys, sessionTokens].map((kind) => ({ prefixes: kind.prefixes, find: lookingUp(engine, kind) }))
  const finderOf = (token: string) => kinds.find(({ prefixes }) => isToken(token, prefixes))?.find ?? refuse()
  const noteUse = (actor: string, at: Instant) => {
    if (isId('key', actor)) noteKeyUse(actor, at)
  }
  const cache = openAuthenticationCache(() => durability?.flushed())

  const findIn = (state: number | undefined, token: string): Authenticated | undefined => {
    const entry = cache.find(token, state)
    if (!entry) return undefined
    const now = db.engine.clock()
    if (entry.until !== null && entry.until <= now) return undefined
    noteUse(entry.authenticated.caller.actor, now)
    // Until the clock moves on, all requests share one object.
    if (entry.authenticated.caller.now !== now)
      entry.authenticated = { ...entry.authenticated, caller: { ...entry.authenticated.caller, now } }
    return entry.authenticated
  }

  const lookUp = async (token: string): Promise<Found | undefined> => {
    const find = finderOf(token)
    const state = durability?.readable()
    const found = await find(token)
    if (!found) return undefined
    const authenticated = { ...found, state }
    const until = earliest(found.nextDueAt, found.until)
    if (state !== undefined) cache.add(token, { authenticated: toAuthenticated(authenticated, found.now), state, until })
    return authenticated
  }

  const authenticate: Authenticator['authenticate'] = async (token, passed) => {
    const found = await lookUp(token)
    if (!found || (found.until !== null && found.until <= found.now)) refuse()
    const { now } = found
    noteUse(found.actor, now)
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

/** Joins the look-ups of one turn of the event loop into one statement, which is one round trip, where there are connections for them. */
function lookingUp({ db, forLookUps }: Pick<Engine, 'db' | 'forLookUps'>, { find, findAll }: TokenKind) {
  if (!forLookUps) return (token: string) => find(db, tokenHash(token))
  return batchLookUps({
    most: forLookUps.most,
    async find(tokens) {
      const hashes = tokens.map((token) => tokenHash(token))
      const found = await findAll(forLookUps.db, hashes)
      return new Map(
        tokens.flatMap((token, i) => {
          const lookUp = found.get(hashes[i] ?? '')
          return lookUp ? [[token, lookUp]] : []
        }),
      )
    },
  })
}

type Found = TokenLookUp & Pick<Authenticated, 'state'>

function toAuthenticated({ actor, kind, scopes, projectId, revision, publicRevision, state }: Found, now: Instant): Authenticated {
  const caller: Caller = { projectId, actor, kind, scopes: withIncluded(scopes), now }
  const seesAll = caller.scopes.includes('posts:read_drafts')
  return { caller, revision: seesAll ? revision : publicRevision, view: `${projectId} ${kind} ${caller.scopes.join()}`, state }
}

function earliest(a: Instant | null, b: Instant | null): Instant | null {
  return a === null || (b !== null && b < a) ? b : a
}

function refuse(): never {
  const detail = 'The API key is unknown, revoked or expired.'
  throw new Problem('invalid_key', detail, { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } })
}
