import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem, toProblemBody } from '../../values/problems.ts'
import { allowAnyOrigin } from '../request/cors.ts'
import { pathOf } from '../request/query.ts'

/** Answers everything that goes wrong as a problem document, unknown paths and methods included. */
export function sendProblems(app: FastifyInstance): void {
  const routes = new Map<string, { readonly matches: RegExp; readonly methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    if (url.endsWith('/*')) return
    const known = routes.get(url) ?? {
      matches: new RegExp(`^${url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`),
      methods: new Set(),
    }
    for (const each of [method].flat()) known.methods.add(each)
    routes.set(url, known)
  })
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply))
  const refusal = (request: FastifyRequest): Problem => {
    const path = pathOf(request)
    const here = new Set([...routes.values()].filter(({ matches }) => matches.test(path)).flatMap(({ methods }) => [...methods]))
    return here.size > 0 ? methodNotAllowed(request.method, [...here]) : new Problem('not_found', 'There is no such path.')
  }
  // Before a key is asked for and a body is read: they are of no interest where there is nothing. An empty name leads to nothing, too.
  app.addHook('onRequest', async (request) => {
    const names: unknown[] = Object.values(request.params ?? {})
    if (request.is404 || names.includes('')) throw refusal(request)
  })
  app.setNotFoundHandler((request, reply) => sendProblem(refusal(request), request, reply))
}

/** Our own faults are logged, once and here, and answered without detail. */
function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = toProblem(error) ?? (wentAway(request) ? cutOff() : faultOfOurs())
  if (problem.code === 'internal') request.log.error({ err: error }, 'a fault of ours')
  reply.removeHeader('etag')
  reply.removeHeader('link')
  if (problem.status === 401) allowAnyOrigin(reply)
  if (problem.status >= 400) reply.header('cache-control', 'no-store')
  const body = toProblemBody(problem, pathOf(request), request.id)
  // As bytes, for to text a charset would be added, which the type does not have (RFC 9457 §6.1).
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .type('application/problem+json')
    .send(Buffer.from(JSON.stringify(body)))
}

/** The problem for a refusal of the framework; none for an error of the service. */
function toProblem(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  switch (codeOf(error)) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('body_too_large', 'The body is larger than 2 MiB.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem('unsupported_content_type', 'The body must be JSON (Content-Type: application/json).', {
        headers: { accept: 'application/json' },
      })
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Problem('malformed_request', 'The body is not as long as its Content-Length says.')
    case 'FST_ERR_BAD_URL':
      return new Problem('malformed_request', 'The path is not percent-encoded UTF-8.')
    default:
      return undefined
  }
}

/** Whether the client closed the connection before its request was whole. It hears no answer. */
function wentAway({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete
}

function cutOff(): Problem {
  return new Problem('malformed_request', 'The connection ended before the request did.')
}

function faultOfOurs(): Problem {
  return new Problem('internal', 'The request could not be answered; the log knows more under its requestId.')
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}

function methodNotAllowed(method: string, allowed: readonly string[]): Problem {
  const allow = [...allowed].sort().join(', ')
  return new Problem('method_not_allowed', `${method} is not possible here; ${allow} are.`, { headers: { allow } })
}
