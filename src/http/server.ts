import { createServer as createHttpServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Authenticator } from '../actions/caller.ts'
import type { Context } from '../context.ts'
import type { Durability } from '../database/engine.ts'
import { isStorable } from '../values/code-points.ts'
import { idsOf } from '../values/ids.ts'
import type { Observations } from '../values/observations.ts'
import { Problem } from '../values/problems.ts'
import { holdsToken } from '../values/token.ts'
import { accessLog, answered, logRequests } from './access-log.ts'
import { PiecedBody } from './body.ts'
import { fastPath } from './cache/fast-path.ts'
import type { ResponseCache } from './cache/response-cache.ts'
import { refuseTunnels, sendClientError } from './connection/client-errors.ts'
import { closeSilentConnections } from './connection/closing.ts'
import { isSheddable, LoadGate, measureLoad, refusing } from './connection/load-gate.ts'
import { heldIn, pacedResponses } from './connection/paced-response.ts'
import { type SendLimits, SlowReaders } from './connection/slow-readers.ts'
import { drain } from './connection/unread-body.ts'
import { type ShareFailures, slowFailures } from './limits/failed-authentications.ts'
import { limitRequests } from './limits/limit-requests.ts'
import type { RateLimiter } from './limits/rate-limiter.ts'
import { requireAcceptable } from './request/accept.ts'
import { authenticateRequests, requireScopes } from './request/authentication.ts'
import { parseJsonBodies } from './request/body-parser.ts'
import { allowPreflights, isPreflight, preflightPath } from './request/cors.ts'
import { requireRequestLine } from './request/request-line.ts'
import { compressResponses } from './response/compression.ts'
import { sendProblems } from './response/problem-response.ts'
import { securityHeaders } from './response/security-headers.ts'
import { timeRequests } from './server-timing.ts'

/** More than the longest URL, so that a long URL gets another problem than long headers. */
const maxHeaderBytes = 32 * 1024
/** A client that sends a byte now and then cannot hold a connection forever. */
const headersTimeoutMs = 15_000
const requestTimeoutMs = 60_000
/** How late a deadline may be noticed. */
const connectionsCheckingIntervalMs = 100
/** Longer than the idle time of common proxies, so that they close first. */
const keepAliveTimeoutMs = 75_000
const httpOptions = {
  maxHeaderSize: maxHeaderBytes,
  headersTimeout: headersTimeoutMs,
  requestTimeout: requestTimeoutMs,
  keepAliveTimeout: keepAliveTimeoutMs,
  connectionsCheckingInterval: connectionsCheckingIntervalMs,
  // Verso refuses a request without Host with a problem; Node would refuse it with an empty body.
  requireHostHeader: false,
} as const

interface ServerParts {
  readonly context: Context
  readonly authenticator: Authenticator
  readonly durability: Durability | undefined
  readonly responses: ResponseCache
  readonly log: FastifyBaseLogger
  readonly observations: Pick<Observations, 'answered' | 'rateLimited' | 'sharedCountFailed' | 'sharedCountWorked'>
  /** Missing if rates are not limited. */
  readonly limiter: RateLimiter | undefined
  /** Missing if there is only one node. */
  readonly shareFailures: ShareFailures | undefined
  readonly trustProxy: boolean | string
  readonly sendLimits: SendLimits
  isStopping(): boolean
}

/** Creates an HTTP server with what all routes share: request ids, limits, authentication, body parsing, problems, logs. */
export function createServer({
  context,
  authenticator,
  durability,
  responses,
  log,
  observations,
  limiter,
  shareFailures,
  trustProxy,
  sendLimits,
  isStopping,
}: ServerParts): FastifyInstance {
  const requestIdFor = requestIds(context)
  const logRequest = accessLog(observations)
  const respondFast = fastPath({ responses, log, logRequest, authenticator, limiter, durability, requestIdFor, isStopping })
  const refuse = sendClientError({ context, log, logRequest })
  const readers = new SlowReaders(sendLimits, log)
  const gate = new LoadGate()
  const refuseShed = refusing({ log, logRequest, requestIdFor })
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdFor,
    trustProxy,
    // Every preflight is answered alike, whatever is wrong with its URL.
    rewriteUrl: ({ method, url = '' }) => (isPreflight(method, url) ? preflightPath : url),
    serverFactory: (handler) =>
      nodeServer(readers, (request, response) => {
        request.socket.lastResponse = response
        if (isSheddable(request) && !gate.admits()) refuseShed(request, response)
        else respondFast(request, response, () => handler(request, response))
      }),
    schemaController: { compilersFactory: noCompilers },
    // No URL within the headers is too long for the router, so that the same hook refuses all that are.
    routerOptions: { maxParamLength: maxHeaderBytes, ignoreTrailingSlash: false },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: refuse,
    // No hook runs for what the router refuses.
    frameworkErrors: (error, request, reply) => {
      reply.headers({ 'x-request-id': request.id, ...securityHeaders, ...(isStopping() && { connection: 'close' }) })
      drainUnread(request.raw)
      reply.raw.once('close', () => logRequest(request.log, { ...answered(request, reply), route: 'none' }, request.headers))
      app.errorHandler(error, request, reply)
    },
  })
  /** A refused body is still arriving after its response. If the service stops meanwhile, the connection is closed when it ends. */
  function drainUnread(raw: IncomingMessage): void {
    if (raw.complete) return
    drain(raw)
    raw.once('end', () => setImmediate(() => isStopping() && app.server.closeIdleConnections()))
  }
  // Handlers validate bodies, in the order of docs/reference/api.md#order-of-judgement, and serialise responses.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  setCommonHeaders(app, isStopping)
  app.addHook('onSend', async ({ raw }) => drainUnread(raw))
  measureLoad(app, gate)
  boundSlowReaders(app, context, readers)
  refuseTunnels(app.server, refuse)
  answerHalfClosed(app)
  closeSilentConnections(app, { headersTimeoutMs, requestTimeoutMs })
  ignoreExpectations(app)
  flushBeforeSending(app, durability)
  setLengthOfHeads(app)
  sendProblems(app, slowFailures({ log, observations, nowMs: () => context.now().getTime(), share: shareFailures }))
  compressResponses(app)
  timeRequests(app)
  authenticateRequests(app, authenticator)
  limitRequests(app, limiter, observations)
  requireScopes(app)
  parseJsonBodies(app)
  requireAcceptable(app)
  refuseUnstorableParameters(app)
  logRequests(app, logRequest)
  allowPreflights(app)
  return app
}

/** Gives each request its id: that of the client, or a new one. */
function requestIds({ now, random }: Context): (request: IncomingMessage) => string {
  const newRequestId = idsOf('req', now, random)
  return (request) => {
    request.requestId ??= sentRequestId(request.headers['x-request-id']) ?? newRequestId()
    return request.requestId
  }
}

function nodeServer(readers: SlowReaders, receive: RequestListener): Server {
  const server = createHttpServer({ ...httpOptions, ServerResponse: pacedResponses(readers) }, receive)
  // Node drops what comes after the 2,000th header without a word, and nobody would see a second Host there. `maxHeaderSize` is the limit.
  return Object.assign(server, { maxHeadersCount: 0 })
}

/** Sets the headers of every response, and then refuses a request line that no route may see. */
function setCommonHeaders(app: FastifyInstance, isStopping: () => boolean): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, ...securityHeaders })
    requireRequestLine(request)
  })
  app.addHook('onSend', async (_, reply) => {
    // While the service stops, clients get their response and then have to reconnect.
    if (isStopping()) reply.header('connection', 'close')
  })
}

/** Holds large responses in a bounded number of bytes, and gives up those that nobody reads. */
function boundSlowReaders(app: FastifyInstance, context: Context, readers: SlowReaders): void {
  const checks = context.repeat(1_000, async () => readers.look())
  app.server.on('close', () => void checks.stop())
  app.addHook('onSend', async (_, reply, payload) => {
    const body = heldIn(payload)
    if (body !== undefined) reply.raw.admit?.(body)
  })
}

/** A client may close its side after the request, as `nc` does, and still gets its response. */
function answerHalfClosed({ server }: FastifyInstance): void {
  Object.assign(server, { httpAllowHalfOpen: true })
  // Node forgets to close the connection if the client closes its side while a response is just being finished.
  server.on('connection', (socket) => {
    socket.once('end', () => {
      const { lastResponse } = socket
      if (lastResponse && !lastResponse.writableFinished) lastResponse.once('finish', () => socket.end())
      else socket.end()
    })
  })
}

/** Flushes before a response is sent: otherwise a client could see state that a crash then loses. */
function flushBeforeSending(app: FastifyInstance, durability: Durability | undefined): void {
  if (!durability) return
  app.addHook('onSend', async ({ routeOptions }, reply) => {
    // A 5xx shows no content, and must be sent even if the disk fails.
    if (routeOptions.config.access !== 'open' && reply.statusCode < 500) await durability.flush()
  })
}

/** 404 for a path parameter that no database can store: the engines respond to it differently. */
function refuseUnstorableParameters(app: FastifyInstance): void {
  app.addHook('preHandler', async ({ params }) => {
    const areStorable = Object.values((params ?? {}) as Readonly<Record<string, string>>).every(isStorable)
    if (!areStorable) throw new Problem('not_found', 'There is no resource with this name.')
  })
}

/** Node refuses a request with an unknown expectation; RFC 9110 §10.1.1 does not require that. */
function ignoreExpectations({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/** The request id of the client, if it is safe in a log and a header. A token is not. */
function sentRequestId(sent: string | string[] | undefined): string | undefined {
  return typeof sent === 'string' && /^[\w.:/+=@-]{1,128}$/.test(sent) && !holdsToken(sent) ? sent : undefined
}

/**
 * HEAD has the length that GET has, which the framework does not know of a body in pieces. A 304 must not have a length of 0: clients would
 * take that for the length of the representation (RFC 9110 §8.6).
 */
function setLengthOfHeads(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') return
    route.onSend = [
      async (_, reply, payload) => {
        const body = heldIn(payload)
        if (body instanceof PiecedBody) reply.header('content-length', body.length)
      },
      ...[route.onSend ?? []].flat(),
      async (_, reply) => {
        if (reply.statusCode === 304) reply.removeHeader('content-length')
      },
    ]
  })
}

/** Replaces Fastify's schema compilers, which take a tenth of the start-up time to load: no route has a Fastify schema. */
const noCompilers = { buildValidator: refuseSchema, buildSerializer: refuseSchema }

function refuseSchema(): never {
  throw new Error('a route has a Fastify schema')
}
