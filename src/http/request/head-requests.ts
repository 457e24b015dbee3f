import type { FastifyInstance } from 'fastify'

/** A 304 to HEAD must not tell a length of 0: it would be taken for that of what the client has already (RFC 9110 §8.6). */
export function answerHeadsWithoutLength(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') return
    const framework = [route.onSend ?? []].flat()
    route.onSend = [
      ...framework,
      async (_, reply) => {
        if (reply.statusCode === 304) reply.removeHeader('content-length')
      },
    ]
  })
}
