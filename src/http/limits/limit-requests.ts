import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller } from '../../actions/caller.ts'
import type { Observations } from '../../values/observations.ts'
import { hasIdempotencyKey } from '../request/idempotency-key.ts'
import { isRead } from '../request/request-line.ts'
import { type Admission, giveBack, type RateLimiter, rateLimitHeaders, refusalOf } from './rate-limiter.ts'

/** Counts a request, once: the fast path and the framework share the result. */
export function admit(
  limiter: RateLimiter | undefined,
  request: IncomingMessage,
  caller: Caller,
  countedAs: 'reads' | 'writes' = isRead(request.method) ? 'reads' : 'writes',
): Admission | Promise<Admission> | undefined {
  request.admission ??= limiter?.admit(caller, countedAs)
  return request.admission
}

/**
 * Counts every authenticated request and refuses those beyond the limit, after 401 and before 403. A 304 or a replay is free, also beyond the
 * limit. That is known only at the end of a request, so one that may turn out to be free is refused there.
 */
export function limitRequests(
  app: FastifyInstance,
  limiter: RateLimiter | undefined,
  observations: Pick<Observations, 'rateLimited'>,
): void {
  app.decorateRequest('refusal')
  if (!limiter) return
  app.addHook('onRequest', async (request) => {
    const { access, countedAs } = request.routeOptions.config
    if (access !== 'key') return
    const admission = await admit(limiter, request.raw, request.authenticated.caller, countedAs)
    request.raw.admission = admission
    if (!admission || admission.isAdmitted) return
    request.refusal = refusalOf(admission)
    if (!mayBeFree(request)) throw request.refusal
  })
  app.addHook('onSend', async ({ raw, refusal }, reply) => {
    const admission = await raw.admission
    if (!admission) return
    if (reply.statusCode === 304 || reply.hasHeader('idempotency-replayed')) return giveBack(admission)
    if (refusal && reply.statusCode < 400) throw refusal
    if (reply.statusCode === 429) observations.rateLimited(admission.quota.requests)
    reply.headers(rateLimitHeaders(admission))
  })
}

function mayBeFree(request: FastifyRequest): boolean {
  if (!isRead(request.method)) return hasIdempotencyKey(request)
  const { responses = {} } = request.routeOptions.config.operation ?? {}
  return 304 in responses && request.headers['if-none-match'] !== undefined
}
