import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Visit } from '../caller.ts'
import { acceptsJson } from './accept.ts'
import type { AccessLog } from './access-log.ts'
import type { AnswerCache, KeptAnswer } from './answer-cache.ts'
import { bearerToken } from './bearer-token.ts'
import { isKnown } from './etag.ts'
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
 * Answers a GET that was answered before and of which nothing can have changed, before the framework is troubled (measured: see bench/).
 * False where it has no such answer; the request then goes the whole way.
 */
export function frontDoor({ answers, log, tell, recentVisit, requestIdFor, isStopping }: DoorParts) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const token = request.method === 'GET' && !isStopping() ? bearerToken(request.headers.authorization) : undefined
    const visit = token === undefined || !isPlain(request) ? undefined : recentVisit(token)
    const answer = visit && answers.find(answerKey(visit, request.url ?? ''), visit.revision)
    if (!answer) return false
    const started = process.hrtime.bigint()
    const requestId = requestIdFor(request)
    const status = send(request, response, answer, requestId)
    const durationMs = Number((process.hrtime.bigint() - started) / 10_000n) / 100
    tell(log, { requestId, method: 'GET', route: answer.route, status, durationMs }, request.headers)
    return true
  }
}

/** The same for those whose visit had to be looked up first. */
export function answerKnownRequests(app: FastifyInstance, answers: AnswerCache): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'GET' || request.routeOptions.config.access !== 'key' || !isPlain(request.raw)) return
    const answer = answers.find(answerKey(request.visit, request.raw.url ?? ''), request.visit.revision)
    if (!answer) return
    reply.hijack()
    send(request.raw, reply.raw, answer, request.id)
  })
}

/** Keeps an answer that is about to be sent, for those who ask the same with the same rights. */
export function keepAnswer(answers: AnswerCache, request: FastifyRequest, reply: FastifyReply, etag: string, bytes: string): void {
  if (request.method !== 'GET' || request.visit.caller.kind === 'preview') return
  const body = Buffer.from(bytes)
  const headers = Object.entries(reply.getHeaders()).filter(([name]) => name !== 'x-request-id')
  const unmodified = headers.filter(([name]) => name !== 'link' && !name.startsWith('content-'))
  answers.keep(answerKey(request.visit, request.raw.url ?? ''), {
    revision: request.visit.revision,
    route: request.routeOptions.url ?? '',
    etag,
    headers: [...headers.flatMap(toText), 'content-length', String(body.length)],
    headersUnmodified: unmodified.flatMap(toText),
    body,
  })
}

function send(request: IncomingMessage, response: ServerResponse, answer: KeptAnswer, requestId: string): number {
  const known = isKnown(request, answer.etag)
  const status = known ? 304 : 200
  response.writeHead(status, ['x-request-id', requestId, ...(known ? answer.headersUnmodified : answer.headers)])
  if (known) response.end()
  else response.end(answer.body)
  return status
}

/** Whether nothing but the path, the key and `If-None-Match` decides the answer; what is to be measured is done anew. */
function isPlain({ headers }: IncomingMessage): boolean {
  const { accept, host, prefer } = headers
  if (host === undefined || asksForTiming(prefer) || headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined)
    return false
  return accept === undefined || accept === '*/*' || acceptsJson(accept)
}

function answerKey(visit: Visit, url: string): string {
  return `${visit.view} ${url}`
}

function toText([name, value]: readonly [string, unknown]): readonly [string, string] {
  return [name, String(value)]
}
