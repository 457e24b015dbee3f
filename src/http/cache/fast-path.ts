import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Authenticated } from '../../actions/caller.ts'
import type { Durability } from '../../database/engine.ts'
import { BoundedMap } from '../../values/bounded-map.ts'
import { startStopwatch } from '../../values/stopwatch.ts'
import type { AccessLog } from '../access-log.ts'
import { acceptsJson } from '../request/accept.ts'
import { preferredCoding } from '../request/accept-encoding.ts'
import type { Authenticator } from '../request/authentication.ts'
import { bearerToken } from '../request/bearer-token.ts'
import { isRead } from '../request/request-line.ts'
import { isKnown } from '../response/etag.ts'
import { asksForTiming } from '../server-timing.ts'
import type { ResponseVariant } from './cached-response.ts'
import type { PendingAuthentication } from './pending-authentication.ts'
import type { ResponseCache } from './response-cache.ts'

export interface FastPathParts {
  readonly answers: ResponseCache
  readonly log: FastifyBaseLogger
  readonly tell: AccessLog
  readonly authenticator: Pick<Authenticator, 'of' | 'remembered'>
  readonly durability: Durability | undefined
  readonly held: PendingAuthentication
  requestIdFor(request: IncomingMessage): string
  isStopping(): boolean
}

/**
 * Answers a GET or HEAD that was answered before and of which nothing can have changed, before the framework is troubled (measured: see bench/).
 * Where it has no such answer the request goes the whole way. Where it must be asked whose token it is, the request is held until that is
 * known: always, or because something was written since.
 */
export function fastPath(parts: FastPathParts) {
  const { authenticator, isStopping } = parts
  const isPlain = plainness()
  const isAnswered = answering(parts)
  const isAnsweredOnceKnown = holding(parts, isAnswered)
  return (request: IncomingMessage, response: ServerResponse, goOn: () => void): void => {
    const { authorization } = request.headers
    const mayBeKept = isRead(request.method) && isPlain(request) && !isStopping()
    const token = mayBeKept ? bearerToken(authorization) : undefined
    const authenticated = token === undefined ? undefined : authenticator.remembered?.kept(token)
    if (authenticated && isAnswered(request, response, authenticated)) return
    if (authenticated || !mayBeKept || authorization === undefined || !mayNeedKey(request)) goOn()
    else isAnsweredOnceKnown(request, response, authorization).then((done) => done || goOn())
  }
}

type Answering = (request: IncomingMessage, response: ServerResponse, authenticated: Authenticated) => boolean

function answering({ answers, log, tell, held, requestIdFor }: FastPathParts): Answering {
  const codingOf = remembering(preferredCoding)
  return (request, response, authenticated) => {
    const wanted = codingOf(request.headers['accept-encoding'] ?? 'identity')
    const answer = answers.find({ view: authenticated.view, url: request.url ?? '' }, authenticated.revision)
    const form = answer?.forms.ready(wanted)
    if (!answer || !form || !suffices(form, request)) return false
    const elapsedMs = startStopwatch()
    const requestId = requestIdFor(request)
    const status = send(request, response, form, requestId)
    const durationMs = Math.round((held.elapsedMs(request) ?? elapsedMs()) * 100) / 100
    tell(log, { requestId, method: request.method ?? '', route: answer.route, status, durationMs }, request.headers)
    return true
  }
}

/**
 * What is wrong with a key is said by the framework, where the path is one that needs it; and so is it where what was looked up cannot be
 * brought to the disk.
 */
function holding({ authenticator, durability, held, isStopping }: FastPathParts, isAnswered: Answering) {
  return async (request: IncomingMessage, response: ServerResponse, authorization: string): Promise<boolean> => {
    const token = bearerToken(authorization)
    if (token === undefined) return false
    const asked = authenticator.of(token)
    held.hold(request, asked)
    const kept = asked.then(async (authenticated) => {
      await durability?.flush()
      return authenticated
    })
    const authenticated = await kept.catch(() => undefined)
    return authenticated !== undefined && !isStopping() && isAnswered(request, response, authenticated)
  }
}

/** Whether it is likely that the key decides: not where there is a preview token, nor on pages that are there for all. */
function mayNeedKey({ url = '' }: IncomingMessage): boolean {
  return url.startsWith('/v1/') && !url.includes('preview_token')
}

/** The same for those whose authenticated had to be looked up first, or who want the answer in another form. */
export function answerKnownRequests(app: FastifyInstance, answers: ResponseCache, durability: Durability | undefined): void {
  const isPlain = plainness()
  app.addHook('onRequest', async (request, reply) => {
    const { raw, authenticated, routeOptions } = request
    if (!isRead(request.method) || routeOptions.config.access !== 'key' || !isPlain(raw)) return
    const wanted = preferredCoding(raw.headers['accept-encoding'])
    const answer = answers.find({ view: authenticated.view, url: raw.url ?? '' }, authenticated.revision)
    if (!answer) return
    const form = await answers.formOf(answer, wanted)
    if (!suffices(form, raw)) return
    await durability?.flush()
    reply.hijack()
    send(raw, reply.raw, form, request.id)
  })
}

/** Whether there is a body, or none is needed. */
function suffices(form: ResponseVariant, request: IncomingMessage): boolean {
  return form.body !== undefined || isKnown(request, form.etag)
}

function send(request: IncomingMessage, response: ServerResponse, form: ResponseVariant, requestId: string): number {
  const known = isKnown(request, form.etag)
  const status = known ? 304 : 200
  const headers = known ? form.headersUnmodified : form.headers
  headers[1] = requestId
  response.writeHead(status, headers)
  if (known) response.end()
  else response.end(form.body)
  return status
}

/** Whether nothing but the path, the key, the coding and `If-None-Match` decides the answer; what is to be measured is done anew. */
function plainness(): (request: IncomingMessage) => boolean {
  const takesJson = remembering(acceptsJson)
  return ({ headers }) => {
    const { accept, host, prefer } = headers
    if (host === undefined || asksForTiming(prefer)) return false
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false
    return accept === undefined || takesJson(accept)
  }
}

/** Clients send few different headers again and again; whoever sends others all the time costs no more memory than this. */
const mostRemembered = 200
const longestRemembered = 200

/** The same function of a header, which remembers what it said of those that it was last asked about. */
export function remembering<T>(say: (header: string) => T): (header: string) => T {
  const said = new BoundedMap<string, T>(mostRemembered)
  return (header) => {
    const known = said.get(header)
    if (known !== undefined) return known
    const answer = say(header)
    if (header.length <= longestRemembered) said.set(header, answer)
    return answer
  }
}
