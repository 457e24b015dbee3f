import type { FastifyInstance, FastifyReply } from 'fastify'
import '../route-config.ts'
import { withoutOrigin } from './query.ts'

/** Let web pages of any origin read a response. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Link, Retry-After, X-Request-Id, RateLimit',
} as const

/** Lets web pages of any origin read the response: those to public keys, which web pages contain, and those that reveal nothing. */
export function allowAnyOrigin(reply: FastifyReply): void {
  reply.headers(corsHeaders)
}

/** What every preflight under `/v1` is routed to: its own path may be too long, or malformed. */
export const preflightPath = '/v1/preflight'

/** Whether this is OPTIONS of anything under `/v1`, or of the whole service (`*`, RFC 9112 §3.2.4). */
export function isPreflight(method: string | undefined, url: string): boolean {
  return method === 'OPTIONS' && (url === '*' || /^\/v1(?:[/?#]|$)/.test(withoutOrigin(url)))
}

/** Sends every preflight the same response, whether the path exists or not (docs/reference/api.md#cors). */
export function allowPreflights(app: FastifyInstance): void {
  const allow = async (_: unknown, reply: FastifyReply) => {
    reply
      .header('access-control-allow-origin', '*')
      .header('access-control-allow-methods', 'GET, HEAD')
      .header('access-control-allow-headers', 'Authorization, If-None-Match, X-Request-Id')
      .header('access-control-max-age', '86400')
    return reply.code(204).send()
  }
  // In a hook, before a body that nobody wants could be refused.
  app.options('/v1/*', { config: { access: 'open', body: 'none' }, onRequest: allow }, allow)
}
