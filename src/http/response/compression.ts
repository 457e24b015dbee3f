import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { heldIn, payloadOf } from '../connection/paced-response.ts'
import { codingFor, encode, isWorthEncoding } from '../content-coding.ts'
import { codingOf } from '../request/accept-encoding.ts'
import { isRead } from '../request/request-line.ts'

const text = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml)\b|application\/openmetrics-text\b)/

/**
 * Encodes text responses as the client prefers. Responses to writes are never encoded: they repeat what the client sent, perhaps next to a
 * secret, and the compressed length could reveal the secret (https://www.breachattack.com).
 */
export function compressResponses(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const sent = heldIn(payload)
    if (sent === undefined || !mayBeEncoded(request, reply)) return payload
    const body = typeof sent === 'string' ? Buffer.from(sent) : sent
    const coding = codingFor(codingOf(request.raw), body.length)
    if (isWorthEncoding(body.length) && !reply.hasHeader('vary')) reply.header('vary', 'Accept-Encoding')
    if (coding === 'identity') return payload
    reply.header('content-encoding', coding)
    return payloadOf(await encode(coding, body))
  })
}

function mayBeEncoded({ method }: FastifyRequest, reply: FastifyReply): boolean {
  return (
    (isRead(method) || reply.statusCode >= 400) &&
    !reply.hasHeader('content-encoding') &&
    text.test(String(reply.getHeader('content-type')))
  )
}
