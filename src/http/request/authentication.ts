import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Authenticated, requireScope } from '../../actions/caller.ts'
import { readText } from '../../lists/query-parameters.ts'
import { Problem } from '../../values/problems.ts'
import type { PendingAuthentication } from '../cache/pending-authentication.ts'
import { bearerToken } from './bearer-token.ts'
import { allowAnyOrigin } from './cors.ts'
import { queryOf } from './query.ts'

/** Finds out whose token it is and what time it is. */
export interface Authenticator {
  /** 401 `invalid_key` where it is nobody's. Due posts are published before it answers. */
  of(token: string, passed?: (stage: 'authenticate' | 'settle') => void): Promise<Authenticated>
  /** Without asking. Missing where it must always be asked. */
  readonly remembered?: RememberedKeys | undefined
  /** What a preview token opens; 404 `not_found` where it opens nothing. */
  ofPreview(token: string): Promise<Authenticated>
}

/** Whose tokens are, as far as that was asked before. */
export interface RememberedKeys {
  /** Whose it is, where nothing was written since that was asked. */
  current(token: string): Authenticated | undefined
  /** Whose it was in the last state that is known to be on the disk, where it was asked in that state. */
  kept(token: string): Authenticated | undefined
}

/** Makes every route with `access: 'key'` know its visitor, before a byte of a body is read. */
export function authenticateRequests(app: FastifyInstance, authenticator: Authenticator, held: PendingAuthentication): void {
  app.decorateRequest('authenticated')
  app.addHook('onRoute', ({ config, url }) => {
    if (config?.access === undefined) throw new Error(`the route ${url} does not say who may use it`)
  })
  app.addHook('onRequest', async (request, reply) => {
    const { access, scope } = request.routeOptions.config
    if (access !== 'key') return
    reply.header('vary', 'Authorization, Accept-Encoding, Origin')
    request.authenticated = isPreview(request)
      ? await visitPreview(request, reply, authenticator)
      : await visitWithKey(request, authenticator, held)
    if (request.authenticated.caller.kind === 'public') allowAnyOrigin(reply)
    if (scope) requireScope(request.authenticated.caller, scope)
  })
}

function visitWithKey(
  request: FastifyRequest,
  authenticator: Authenticator,
  held: PendingAuthentication,
): Authenticated | Promise<Authenticated> {
  const asked = held.visitOf(request.raw)
  if (asked) return asked
  const token = tokenOf(request)
  const { timing } = request
  // What is to be measured is not remembered.
  return timing
    ? authenticator.of(token, (stage) => timing.passed(stage))
    : (authenticator.remembered?.current(token) ?? authenticator.of(token))
}

/** A preview token alone decides, whether or not a key comes with it: sites send their public key with every request. */
function visitPreview(request: FastifyRequest, reply: FastifyReply, authenticator: Authenticator): Promise<Authenticated> {
  allowAnyOrigin(reply.header('x-robots-tag', 'noindex'))
  return authenticator.ofPreview(readText(queryOf(request), 'preview_token') ?? '')
}

function isPreview({ raw, routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.preview === true && /[?&]preview_token(?:[=&]|$)/.test(raw.url ?? '')
}

function tokenOf(request: FastifyRequest): string {
  const { authorization } = request.headers
  const token = bearerToken(authorization)
  if (token !== undefined) return token
  const detail = authorization === undefined ? 'This needs an API key' : 'The Authorization header has another form'
  throw new Problem('unauthenticated', `${detail}; send the header Authorization: Bearer <API key>.`, {
    headers: { 'www-authenticate': 'Bearer' },
  })
}
