import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireScope, type Visit } from '../caller.ts'
import { Problem } from '../problems.ts'
import { allowAnyOrigin } from './cors.ts'

/** Finds out whose token it is and what time it is; 401 `invalid_key` where it is nobody's. Due posts are published before it answers. */
export type Authenticate = (token: string) => Promise<Visit>

/** Makes every route with `access: 'key'` know its visitor, before a byte of a body is read. */
export function authenticateRequests(app: FastifyInstance, authenticate: Authenticate): void {
  app.decorateRequest('visit')
  app.addHook('onRoute', ({ config, url }) => {
    if (config?.access === undefined) throw new Error(`the route ${url} does not say who may use it`)
  })
  app.addHook('onRequest', async (request, reply) => {
    const { access, scope } = request.routeOptions.config
    if (access !== 'key') return
    reply.header('vary', 'Authorization, Accept-Encoding, Origin')
    request.visit = await authenticate(tokenOf(request))
    if (request.visit.caller.kind === 'public') allowAnyOrigin(reply)
    if (scope) requireScope(request.visit.caller, scope)
  })
}

function tokenOf(request: FastifyRequest): string {
  const { authorization } = request.headers
  const token = authorization === undefined ? undefined : /^bearer +([!-~]+) *$/i.exec(authorization)?.[1]
  if (token !== undefined) return token
  const detail = authorization === undefined ? 'This needs an API key' : 'The Authorization header has another form'
  throw new Problem('unauthenticated', `${detail}; send the header Authorization: Bearer <API key>.`, {
    headers: { 'www-authenticate': 'Bearer' },
  })
}
