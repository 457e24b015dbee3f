import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Visit } from '../caller.ts'
import { acceptsJson } from './accept.ts'
import { wantedOf } from './accept-encoding.ts'
import type { AccessLog } from './access-log.ts'
import type { AnswerCache } from './answer-cache.ts'
import type { AnswerForm } from './answer-forms.ts'
import { bearerToken } from './bearer-token.ts'
import { isKnown } from './etag.ts'
import { isRead } from './request-line.ts'
import { asksForTiming } from './server-timing.ts'

export interface DoorParts {
  readonly answers: AnswerCache
  readonly log: FastifyBaseLogger
  readonly tell: AccessLog
  /** Whose token it is, where nothing at all was written since that was last looked up. */
  recentVisit(token: string): Visit | undefined
  requestIdFor(request: IncomingMessage): string
  isStopping(): boolean
}

/**
 * Answers a GET or HEAD that was answered before and of which nothing can have changed, before the framework is troubled (measured: see bench/).
 * False where it has no such answer; the request then goes the whole way.
 */
export function frontDoor({ answers, log, tell, recentVisit, requestIdFor, isStopping }: DoorParts) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const token = isRead(request.method) && !isStopping() ? bearerToken(request.headers.authorization) : undefined
    const wanted = token === undefined || !isPlain(request) ? undefined : wantedOf(request.headers['accept-encoding'])
    const visit = token === undefined || wanted === undefined ? undefined : recentVisit(token)
    const answer = visit && answers.find({ view: visit.view, url: request.url ?? '' }, visit.revision)
    const form = answer && wanted && answer.forms.ready(wanted)
    if (!answer || !form) return false
    const started = process.hrtime.bigint()
    const requestId = requestIdFor(request)
    const status = send(request, response, form, requestId)
    const durationMs = Number((process.hrtime.bigint() - started) / 10_000n) / 100
    tell(log, { requestId, method: request.method ?? '', route: answer.route, status, durationMs }, request.headers)
    return true
  }
}

/** The same for those whose visit had to be looked up first, or who want the answer in another form. */
export function answerKnownRequests(app: FastifyInstance, answers: AnswerCache): void {
  app.addHook('onRequest', async (request, reply) => {
    const { raw, visit, routeOptions } = request
    if (!isRead(request.method) || routeOptions.config.access !== 'key' || !isPlain(raw)) return
    const wanted = wantedOf(raw.headers['accept-encoding'])
    const answer = wanted && answers.find({ view: visit.view, url: raw.url ?? '' }, visit.revision)
    if (!answer) return
    const form = await answers.formOf(answer, wanted)
    reply.hijack()
    send(raw, reply.raw, form, request.id)
  })
}

function send(request: IncomingMessage, response: ServerResponse, form: AnswerForm, requestId: string): number {
  const known = isKnown(request, form.etag)
  const status = known ? 304 : 200
  response.writeHead(status, ['x-request-id', requestId, ...(known ? form.headersUnmodified : form.headers)])
  if (known) response.end()
  else response.end(form.body)
  return status
}

/** Whether nothing but the path, the key, the coding and `If-None-Match` decides the answer; what is to be measured is done anew. */
function isPlain({ headers }: IncomingMessage): boolean {
  const { accept, host, prefer } = headers
  if (host === undefined || asksForTiming(prefer) || headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined)
    return false
  return accept === undefined || accept === '*/*' || acceptsJson(accept)
}
