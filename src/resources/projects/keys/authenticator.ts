import {
  type Authenticated,
  type Authenticator,
  type Caller,
  operator,
  type TokenGrant,
  type TokenLookUp,
  withIncluded,
} from '../../../actions/caller.ts'
import { findProgress, type LogProgress } from '../../../actions/change-log/change-log-store.ts'
import type { Db, Engine, LookUpConnections } from '../../../database/engine.ts'
import { BoundedMap } from '../../../values/bounded-map.ts'
import { isId, type KeyId, type ProjectId } from '../../../values/ids.ts'
import type { Instant } from '../../../values/instant.ts'
import { Problem } from '../../../values/problems.ts'
import { isToken, type TokenPrefix, tokenHash } from '../../../values/token.ts'
import { keyPrefixes } from './api-key.ts'
import { openAuthenticationCache } from './authentication-cache.ts'
import { batchLookUps } from './batch-loader.ts'
import { findKeyGrants, lookUpKey, lookUpKeys } from './key-store.ts'

/** Tokens that a request can carry, and how they are looked up by their hashes. */
export interface TokenKind {
  readonly prefixes: readonly TokenPrefix[]
  find(db: Db, hash: string): Promise<TokenLookUp | undefined>
  /** The result has the tokens that exist, by hash. */
  findAll(db: Db, hashes: readonly string[]): Promise<ReadonlyMap<string, TokenLookUp>>
  /** The same without what their projects have. */
  findGrants(db: Db, hashes: readonly string[]): Promise<ReadonlyMap<string, TokenGrant>>
}

interface AuthenticatorParts {
  readonly engine: Pick<Engine, 'db' | 'durability' | 'forLookUps'>
  /** Publishes the due posts of the project; false if that failed or takes too long. */
  publishDueInTime(caller: Caller): Promise<boolean>
  noteUse(id: KeyId, at: Instant): void
  /** The tokens of signed-in people. */
  readonly sessionTokens: TokenKind
}

const apiKeys: TokenKind = { prefixes: Object.values(keyPrefixes), find: lookUpKey, findAll: lookUpKeys, findGrants: findKeyGrants }

/** The authentication of requests by API key, or by the token of a session. */
export function openAuthenticator({
  engine,
  publishDueInTime,
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
    const published = await publishDueInTime(operator(found.projectId, 'schedule', now))
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
function lookingUp(engine: Pick<Engine, 'db' | 'forLookUps'>, { find, findAll, findGrants }: TokenKind) {
  const { db, forLookUps } = engine
  if (!forLookUps) return (token: string) => find(db, tokenHash(token))
  return db.engine.isSharded ? lookingUpInTwo(db, together(forLookUps, findGrants)) : together(forLookUps, findAll)
}

function together<V>({ db, most }: LookUpConnections, findAll: (db: Db, hashes: readonly string[]) => Promise<ReadonlyMap<string, V>>) {
  return batchLookUps({
    most,
    async find(tokens) {
      const hashes = tokens.map((token) => tokenHash(token))
      const found = await findAll(db, hashes)
      return new Map(
        tokens.flatMap((token, i) => {
          const lookUp = found.get(hashes[i] ?? '')
          return lookUp ? [[token, lookUp]] : []
        }),
      )
    },
  })
}

/** A project that is evicted while it is looked up is looked up twice at the same time, which is harmless. */
const maxProjects = 10_000

/**
 * Looks up the token first, and then its project on the server that has it. The look-ups of one project are joined, those of different
 * projects are not: the server of one may be away.
 */
function lookingUpInTwo(db: Db, findGrant: (token: string) => Promise<TokenGrant | undefined>) {
  const projects = new BoundedMap<ProjectId, (name: string) => Promise<LogProgress | undefined>>(maxProjects)
  const progressOf = (projectId: ProjectId) => {
    const find = async () => {
      const progress = await findProgress(db, projectId)
      return new Map(progress ? [[projectId as string, progress]] : [])
    }
    const look = projects.get(projectId) ?? batchLookUps({ most: 2, find })
    projects.set(projectId, look)
    return look(projectId)
  }
  return async (token: string): Promise<TokenLookUp | undefined> => {
    const grant = await findGrant(token)
    const progress = grant && (await progressOf(grant.projectId))
    // The time of the first look-up is that of the server with the keys, which all nodes share.
    return progress && { ...progress, ...grant }
  }
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
