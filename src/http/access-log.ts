import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { AnsweredRequest, Observations } from '../values/observations.ts'

/** Reports an answered request, to the log and to the metrics. */
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

/** Reports every request that comes as far as the framework. */
export function logRequests(app: FastifyInstance, logRequest: AccessLog): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, headers } = request
    const route = request.routeOptions.url ?? 'none'
    const durationMs = inHundredths(request.raw.elapsedMs?.() ?? reply.elapsedTime)
    const waited = request.waitedMs !== undefined && { waitedMs: inHundredths(request.waitedMs) }
    logRequest(request.log, { method, route, status: reply.statusCode, durationMs, ...waited }, headers)
  })
}

function inHundredths(ms: number): number {
  return Math.round(ms * 100) / 100
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/
const nothing = /^0+$/

/** The trace that a `traceparent` header (W3C Trace Context, level 1, §3.2) says the request is a part of; none where it is not valid. */
function traceIdOf(traceparent: unknown): string | undefined {
  const parts = typeof traceparent === 'string' ? form.exec(traceparent) : null
  if (!parts) return undefined
  const [, version = '', traceId = '', parentId = '', more] = parts
  // Version 00 ends with the flags; later ones may go on; ff is none.
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined
  return nothing.test(traceId) || nothing.test(parentId) ? undefined : traceId
}
