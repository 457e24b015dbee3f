import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Authenticated, type Authenticator, maxClientLength, requireScope } from '../../actions/caller.ts'
import { readText } from '../../lists/query-parameters.ts'
import { Problem } from '../../values/problems.ts'
import type { TokenPrefix } from '../../values/token.ts'
import type { Timing } from '../server-timing.ts'
import { allowAnyOrigin } from './cors.ts'
import { queryOf } from './query.ts'

/**
 * Authenticates every request to a route with `access: 'key'`, before the body is read, and finds the project of one with `site`. A body can
 * take a minute, and its key may be revoked meanwhile: unless all of the body was there, the key is looked up again after it.
 */
export function authenticateRequests(app: FastifyInstance, authenticator: Authenticator): void {
  app.decorateRequest('authenticated')
  app.decorateRequest('isBodyLate', false)
  app.addHook('onRoute', ({ config, url }) => {
    if (config?.access === undefined) throw new Error(`the route ${url} does not declare its access`)
  })
  app.addHook('onRequest', async (request, reply) => {
    const { access } = request.routeOptions.config
    if (access === 'site') {
      allowAnyOrigin(reply.header('vary', 'Accept-Encoding'))
      request.authenticated = await authenticator.authenticateSite((request.params as { readonly project: string }).project)
    }
    if (access !== 'key') return
    reply.header('vary', 'Authorization, Accept-Encoding, Origin')
    if (isPreview(request)) {
      request.authenticated = await authenticatePreview(request, reply, authenticator)
      return
    }
    request.authenticated = withClient(request.raw, await authenticateKey(authenticator, request.raw, request.timing))
    request.isBodyLate = !request.raw.complete
    if (request.authenticated.caller.kind === 'public') allowAnyOrigin(reply)
  })
  app.addHook('preValidation', async (request) => {
    if (request.isBodyLate) request.authenticated = await requireSameRights(authenticator, request)
  })
}

/** 403 for a key without the scope of the route. */
export function requireScopes(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ routeOptions, authenticated }) => {
    const { access, scope } = routeOptions.config
    if (access === 'key' && scope) requireScope(authenticated.caller, scope)
  })
}

/** The caller, with the name of the program that the request names. */
function withClient({ headers }: IncomingMessage, authenticated: Authenticated): Authenticated {
  const named = headers['verso-client']
  if (typeof named !== 'string') return authenticated
  const client = named
    .replace(/[^ -~]/g, '')
    .trim()
    .slice(0, maxClientLength)
  return client === '' ? authenticated : { ...authenticated, caller: { ...authenticated.caller, client } }
}

/** Authenticates a request by its API key; 401 if that fails. The fast path and the framework share one look-up. */
export function authenticateKey(
  authenticator: Authenticator,
  request: IncomingMessage,
  timing?: Timing,
): Authenticated | Promise<Authenticated> {
  request.authenticated ??= lookUp(authenticator, request, timing)
  return request.authenticated
}

function lookUp(
  authenticator: Authenticator,
  request: IncomingMessage,
  timing: Timing | undefined,
): Authenticated | Promise<Authenticated> {
  const token = tokenOf(request) ?? refuse(request)
  // A timed request skips the cache, so that every stage is measured.
  if (timing) return authenticator.authenticate(token, (stage) => timing.passed(stage))
  return authenticator.cached?.current(token) ?? authenticator.authenticate(token)
}

/** Looks up the key of a request again; 401 if it has ended, or may do something else by now. */
export async function requireSameRights(authenticator: Authenticator, { raw, authenticated }: FastifyRequest): Promise<Authenticated> {
  const now = await authenticator.authenticate(tokenOf(raw) ?? refuse(raw))
  if (now.view === authenticated.view) return withClient(raw, now)
  const detail = 'What the API key may do has changed while the request waited; send it again.'
  throw new Problem('invalid_key', detail, { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } })
}

/** The token of the Authorization header, parsed once. */
export function tokenOf(request: IncomingMessage): string | undefined {
  request.token ??= bearerToken(request.headers.authorization)
  return request.token
}

/** The token of a header `Bearer <token>` (RFC 6750 §2.1), if it is one. */
function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^bearer +([!-~]+) *$/i.exec(authorization)?.[1]
}

/** Whether the request is without a token, or its token looks like a public key. The key itself may be unknown, or not looked up yet. */
export function mayComeFromWebPage(request: IncomingMessage): boolean {
  return tokenOf(request)?.startsWith(publicPrefix satisfies TokenPrefix) ?? true
}

const publicPrefix = 'verso_pub_'

function refuse({ headers }: IncomingMessage): never {
  const detail = headers.authorization === undefined ? 'This path needs an API key' : 'The Authorization header is malformed'
  throw new Problem('unauthenticated', `${detail}; send the header Authorization: Bearer <API key>.`, {
    headers: { 'www-authenticate': 'Bearer' },
  })
}

/** A preview token overrides a key, because sites send their public key with every request. */
function authenticatePreview(request: FastifyRequest, reply: FastifyReply, authenticator: Authenticator): Promise<Authenticated> {
  allowAnyOrigin(reply.header('x-robots-tag', 'noindex'))
  return authenticator.authenticatePreview(readText(queryOf(request), 'preview_token') ?? '')
}

function isPreview({ raw, routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.preview === true && /[?&]preview_token(?:[=&]|$)/.test(raw.url ?? '')
}
