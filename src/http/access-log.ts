import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { AnsweredRequest, Observations } from '../values/observations.ts'
import type { HeldRequests } from './cache/pending-authentication.ts'
import { traceIdOf } from './trace-context.ts'

/** Tells of an answered request, to the log and to those who count. */
export type AccessLog = (
  log: FastifyBaseLogger,
  request: AnsweredRequest & { readonly requestId?: string },
  headers: IncomingHttpHeaders,
) => void

/** One line a request: its route, never its path or query, for those may hold names and searches. */
export function accessLog(observations: Pick<Observations, 'answered'>): AccessLog {
  return (log, request, headers) => {
    const traceId = traceIdOf(headers.traceparent)
    log.info(traceId === undefined ? request : { ...request, traceId }, 'request')
    observations.answered(request)
  }
}

/** Tells of every request that comes as far as the framework. */
export function logRequests(app: FastifyInstance, tell: AccessLog, held: HeldRequests): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, headers } = request
    const route = request.routeOptions.url ?? 'none'
    const durationMs = inHundredths(held.elapsedMs(request.raw) ?? reply.elapsedTime)
    const waited = request.waitedMs !== undefined && { waitedMs: inHundredths(request.waitedMs) }
    tell(request.log, { method, route, status: reply.statusCode, durationMs, ...waited }, headers)
  })
}

function inHundredths(ms: number): number {
  return Math.round(ms * 100) / 100
}
