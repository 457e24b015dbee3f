import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Authenticator } from '../actions/caller.ts'
import type { Context } from '../context.ts'
import type { Durability } from '../database/engine.ts'
import { idsOf } from '../values/ids.ts'
import type { Observations } from '../values/observations.ts'
import { accessLog, logRequests } from './access-log.ts'
import { fastPath } from './cache/fast-path.ts'
import type { ResponseCache } from './cache/response-cache.ts'
import { noCompilers } from './fastify-compilers.ts'
import { requireAcceptable } from './request/accept.ts'
import { authenticateRequests } from './request/authentication.ts'
import { parseJsonBodies } from './request/body-parser.ts'
import { answerPreflights } from './request/cors.ts'
import { answerHeadsWithoutLength } from './request/head-requests.ts'
import { requirePossibleNames } from './request/path-parameters.ts'
import { maxUrlBytes, requireRequestLine } from './request/request-line.ts'
import { answerClientError } from './response/client-errors.ts'
import { codeAnswers } from './response/compression.ts'
import { answerProblems } from './response/problem-response.ts'
import { timeRequests } from './server-timing.ts'

/** The largest body: 1 MiB of Markdown with every character escaped, and the rest of a post (docs/reference/api.md#limits). */
const maxBodyBytes = 2 * 1024 * 1024
/** More than the longest URL, so that a URL that is too long can be told from headers that are. */
const maxHeaderBytes = 32 * 1024
/** A client that sends a byte now and then does not keep a connection for ever. */
const headersTimeoutMs = 15_000
const requestTimeoutMs = 60_000
/** Longer than the idle time of the usual proxies, so that it is they who close. */
const keepAliveTimeoutMs = 75_000
const httpOptions = {
  maxHeaderSize: maxHeaderBytes,
  headersTimeout: headersTimeoutMs,
  requestTimeout: requestTimeoutMs,
  keepAliveTimeout: keepAliveTimeoutMs,
  // Verso refuses a request without Host with a problem; Node would refuse it with an empty body.
  requireHostHeader: false,
} as const

interface ServerParts {
  readonly context: Context
  readonly authenticator: Authenticator
  readonly durability: Durability | undefined
  readonly responses: ResponseCache
  readonly log: FastifyBaseLogger
  readonly observations: Pick<Observations, 'answered'>
  readonly trustProxy: boolean | string
  isStopping(): boolean
}

/** An HTTP server with all that is the same for every route: ids, limits, authentication, bodies, problems, logs. */
export function createServer({
  context,
  authenticator,
  durability,
  responses,
  log,
  observations,
  trustProxy,
  isStopping,
}: ServerParts): FastifyInstance {
  const newRequestId = idsOf('req', context.now, context.random)
  const requestIdFor = ({ headers }: Pick<IncomingMessage, 'headers'>) => requestId(headers['x-request-id']) ?? newRequestId()
  const logRequest = accessLog(observations)
  const answerFast = fastPath({ responses, log, logRequest, authenticator, durability, requestIdFor, isStopping })
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdFor,
    trustProxy,
    bodyLimit: maxBodyBytes,
    serverFactory: (handler) =>
      createHttpServer(httpOptions, (request, response) => answerFast(request, response, () => handler(request, response))),
    schemaController: { compilersFactory: noCompilers },
    routerOptions: { maxParamLength: maxUrlBytes, ignoreTrailingSlash: false },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerClientError(context),
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id)
      app.errorHandler(error, request, reply)
    },
  })
  // Handlers validate bodies, in the order of docs/reference/api.md#order-of-judgement, and serialise responses.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    requireRequestLine(request)
  })
  app.addHook('onSend', async (_, reply) => {
    // Whoever asks while the service stops is answered, and then looks for another connection.
    if (isStopping()) reply.header('connection', 'close')
  })
  app.addHook('onResponse', async ({ raw }) => {
    // A body that was refused goes by unread after its answer; the connection is not kept then if the service stops meanwhile.
    if (!raw.complete) raw.once('end', () => isStopping() && app.server.closeIdleConnections())
  })
  passOverExpectations(app)
  answerWhatIsKept(app, durability)
  answerHeadsWithoutLength(app)
  answerProblems(app)
  codeAnswers(app)
  timeRequests(app)
  authenticateRequests(app, authenticator)
  requireAcceptable(app)
  parseJsonBodies(app)
  requirePossibleNames(app)
  logRequests(app, logRequest)
  answerPreflights(app)
  return app
}

/** Nothing that was read may leave before it is on the disk: after a crash a client would know of what never was. */
function answerWhatIsKept(app: FastifyInstance, durability: Durability | undefined): void {
  if (!durability) return
  app.addHook('onSend', async ({ routeOptions }, reply) => {
    // A fault of ours tells nothing of what there is, and must get out when the disk has failed.
    if (routeOptions.config.access === 'key' && reply.statusCode < 500) await durability.flush()
  })
}

/** An expectation that we do not know is no reason to refuse a request (RFC 9110 §10.1.1), as Node would. */
function passOverExpectations({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/** A client's own id is taken over where it cannot do harm in a log or a header. */
function requestId(sent: string | string[] | undefined): string | undefined {
  return typeof sent === 'string' && /^[\w.:/+=@-]{1,128}$/.test(sent) ? sent : undefined
}
