import type { FastifyInstance, FastifyReply } from 'fastify'
import '../route-config.ts'

const exposed = 'ETag, Link, Retry-After, X-Request-Id, RateLimit'

/** Web pages of any origin may read the answer: for public keys, which may stand in them, and for refusals that tell nothing. */
export function allowAnyOrigin(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', exposed)
}

/** Answers every preflight in the same way, whether the path exists or not: docs/reference/api.md#cors. */
export function allowPreflights(app: FastifyInstance): void {
  app.options('/v1/*', { config: { access: 'open', body: 'none' } }, async (_, reply) => {
    reply
      .header('access-control-allow-origin', '*')
      .header('access-control-allow-methods', 'GET, HEAD')
      .header('access-control-allow-headers', 'Authorization, If-None-Match, X-Request-Id')
      .header('access-control-max-age', '86400')
    return reply.code(204).send()
  })
}
