import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem, toProblemBody } from '../../values/problems.ts'
import type { SlowFailures } from '../limits/failed-authentications.ts'
import { mayComeFromWebPage } from '../request/authentication.ts'
import { allowAnyOrigin } from '../request/cors.ts'
import { pathOf } from '../request/query.ts'

/** Sends every error as a problem document, also for unknown paths and methods. `slow` counts failed authentications. */
export function sendProblems(app: FastifyInstance, slow: SlowFailures): void {
  const routes = new Map<string, { readonly matches: (path: string) => boolean; readonly methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method, config }) => {
    if (url.endsWith('/*') && !config?.covers) return
    const form = url.replace('*', '[^]+')
    const pattern = new RegExp(`^${form.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`)
    const route = routes.get(url) ?? {
      matches: (path: string) => pattern.test(path) && (config?.covers?.(path) ?? true),
      methods: new Set(),
    }
    for (const each of [method].flat()) route.methods.add(each)
    routes.set(url, route)
  })
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, slow))
  const unknownRoute = (request: FastifyRequest): Problem => {
    const path = routedPath(request)
    const allowed = new Set([...routes.values()].filter(({ matches }) => matches(path)).flatMap(({ methods }) => [...methods]))
    return allowed.size > 0 ? methodNotAllowed(request.method, [...allowed]) : new Problem('not_found', 'There is no such path.')
  }
  // Before authentication and before the body is read: an unknown path needs neither. An empty path parameter matches no resource.
  app.addHook('onRequest', async (request) => {
    const parameters: unknown[] = Object.values(request.params ?? {})
    const isCovered = request.routeOptions.config.covers?.(routedPath(request)) ?? true
    if (request.is404 || parameters.includes('') || !isCovered) throw unknownRoute(request)
  })
  app.setNotFoundHandler((request, reply) => sendProblem(unknownRoute(request), request, reply))
}

/** The path as the router reads it: `%6f` is an o, and `%2F` no slash. The router has refused what is malformed. */
function routedPath(request: FastifyRequest): string {
  return decodeURI(pathOf(request))
}

/** Internal errors are logged here, once. The response does not show them. */
function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  slow?: SlowFailures,
): FastifyReply | Promise<FastifyReply> {
  const found = toProblem(error) ?? (isAborted(request) ? abortedRequest() : internalError())
  if (found.code === 'internal') request.log.error({ err: error }, 'an internal error')
  const hasFailed = found.status === 401 && request.headers.authorization !== undefined
  const problem = hasFailed && slow ? slow(found, request) : found.status < 500 ? (request.refusal ?? found) : found
  if (problem instanceof Promise) return problem.then((slowed) => send(found, slowed, request, reply))
  return send(found, problem, request, reply)
}

/** Sends `problem` in the place of `found`, which may be the same. */
function send(found: Problem, problem: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.removeHeader('etag')
  reply.removeHeader('link')
  // Fastify would close the connection after a body that is refused, before the client has read why.
  reply.removeHeader('connection')
  reply.removeHeader('content-encoding')
  const isStudio = request.routeOptions?.config?.access === 'studio'
  if (!isStudio && (found.status === 401 || mayComeFromWebPage(request.raw))) allowAnyOrigin(reply)
  if (problem.status >= 400) reply.header('cache-control', 'no-store')
  const body = toProblemBody(problem, pathOf(request), request.id)
  // As bytes: Fastify adds a charset to text, and this media type has no such parameter (RFC 9457 §6.1).
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .type('application/problem+json')
    .send(Buffer.from(JSON.stringify(body)))
}

/** The problem for an error that the client caused; none for an internal error. */
function toProblem(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  switch (codeOf(error)) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem('unsupported_content_type', 'The body must be JSON (Content-Type: application/json).', {
        headers: { accept: 'application/json' },
      })
    case 'FST_ERR_BAD_URL':
      return new Problem('malformed_request', 'The path is not percent-encoded UTF-8.')
    default:
      return undefined
  }
}

/** Whether the client closed the connection before it sent the whole request. Only the log sees this response. */
function isAborted({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete
}

function abortedRequest(): Problem {
  return new Problem('malformed_request', 'The connection closed before the request was complete.')
}

function internalError(): Problem {
  return new Problem('internal', 'An internal error occurred; the log has details under the requestId.')
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}

function methodNotAllowed(method: string, allowed: readonly string[]): Problem {
  const allow = [...allowed].sort().join(', ')
  return new Problem('method_not_allowed', `This path does not allow ${method}; it allows ${allow}.`, { headers: { allow } })
}
