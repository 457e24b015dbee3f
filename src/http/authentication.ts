import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireScope, type Visit } from '../caller.ts'
import { Problem } from '../problems.ts'
import { bearerToken } from './bearer-token.ts'
import { allowAnyOrigin } from './cors.ts'

/** Finds out whose token it is and what time it is. */
export interface Visits {
  /** 401 `invalid_key` where it is nobody's. Due posts are published before it answers. */
  of(token: string): Promise<Visit>
  /** Whose it is where nothing was written since that was asked; none where that must be asked. */
  recent(token: string): Visit | undefined
}

/** Makes every route with `access: 'key'` know its visitor, before a byte of a body is read. */
export function authenticateRequests(app: FastifyInstance, visits: Visits): void {
  app.decorateRequest('visit')
  app.addHook('onRoute', ({ config, url }) => {
    if (config?.access === undefined) throw new Error(`the route ${url} does not say who may use it`)
  })
  app.addHook('onRequest', async (request, reply) => {
    const { access, scope } = request.routeOptions.config
    if (access !== 'key') return
    reply.header('vary', 'Authorization, Accept-Encoding, Origin')
    const token = tokenOf(request)
    request.visit = visits.recent(token) ?? (await visits.of(token))
    if (request.visit.caller.kind === 'public') allowAnyOrigin(reply)
    if (scope) requireScope(request.visit.caller, scope)
  })
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
