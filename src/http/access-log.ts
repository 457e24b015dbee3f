import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AnsweredRequest, Observations } from '../values/observations.ts'

/** The method of a request that the HTTP parser refused. */
export const unparsed = 'unknown'

/** Reports a finished request to the log and the metrics. */
export type AccessLog = (
  log: FastifyBaseLogger,
  request: AnsweredRequest & { readonly requestId?: string },
  headers: IncomingHttpHeaders,
) => void

/** Writes one line for each request, with its route but never its path or query: they may contain names and search words. */
export function accessLog(observations: Pick<Observations, 'answered'>): AccessLog {
  return (log, request, headers) => {
    const traceId = traceIdOf(headers.traceparent)
    log.info(traceId === undefined ? request : { ...request, traceId }, 'request')
    if (isCounted(request)) observations.answered(request)
  }
}

/** Neither what the HTTP parser refuses nor a part of HTTP that is not implemented: a scanner would make the service look broken. */
function isCounted({ method, status }: AnsweredRequest): boolean {
  return method !== unparsed && status !== 501
}

/** Reports every request that the fast path did not answer. */
export function logRequests(app: FastifyInstance, logRequest: AccessLog): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    const waited = request.waitedMs !== undefined && { waitedMs: inHundredths(request.waitedMs) }
    logRequest(request.log, { ...answered(request, reply), route, ...waited }, request.headers)
  })
}

/** What there is to say of a request whatever its route. */
export function answered({ method, raw }: FastifyRequest, { statusCode, elapsedTime }: FastifyReply): Omit<AnsweredRequest, 'route'> {
  return { method, status: statusCode, durationMs: inHundredths(raw.elapsedMs?.() ?? elapsedTime) }
}

/** Rounded to hundredths of a millisecond. */
export function inHundredths(ms: number): number {
  return Math.round(ms * 100) / 100
}

const traceparentPattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/
const zeros = /^0+$/

/** The trace id of a `traceparent` header (W3C Trace Context, level 1, §3.2), if it is valid. */
function traceIdOf(traceparent: unknown): string | undefined {
  const parts = typeof traceparent === 'string' ? traceparentPattern.exec(traceparent) : null
  if (!parts) return undefined
  const [, version = '', traceId = '', parentId = '', more] = parts
  // Version 00 ends with the flags, later versions may have more fields, and ff is invalid.
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined
  return zeros.test(traceId) || zeros.test(parentId) ? undefined : traceId
}
