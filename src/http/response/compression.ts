import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
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
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload
    if (!mayBeEncoded(request, reply)) return payload
    const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(payload)
    const coding = codingFor(codingOf(request.raw), bytes.length)
    if (isWorthEncoding(bytes.length) && !reply.hasHeader('vary')) reply.header('vary', 'Accept-Encoding')
    if (coding === 'identity') return payload
    reply.header('content-encoding', coding)
    return encode(coding, bytes)
  })
}

function mayBeEncoded({ method }: FastifyRequest, reply: FastifyReply): boolean {
  return (
    (isRead(method) || reply.statusCode >= 400) &&
    !reply.hasHeader('content-encoding') &&
    text.test(String(reply.getHeader('content-type')))
  )
}
