import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { codingFor, encode, isWorthEncoding } from '../content-coding.ts'
import { codingOf } from '../request/accept-encoding.ts'
import { isRead } from '../request/request-line.ts'

const text = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml)\b|application\/openmetrics-text\b)/

/**
 * Sends what is text in the coding that the client wants, where it has none yet. What was written is never coded: its answer shows what the
 * client sent, perhaps next to a secret, and its length would tell of that (https://www.breachattack.com).
 */
export function codeAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload
    if (!mayBeCoded(request, reply)) return payload
    const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(payload)
    const coding = codingFor(codingOf(request.raw), bytes.length)
    if (isWorthEncoding(bytes.length) && !reply.hasHeader('vary')) reply.header('vary', 'Accept-Encoding')
    if (coding === 'identity') return payload
    reply.header('content-encoding', coding)
    return encode(coding, bytes)
  })
}

/** Whether the answer to a request can have a coding, of which it says nothing yet. */
function mayBeCoded({ method }: FastifyRequest, reply: FastifyReply): boolean {
  return (
    (isRead(method) || reply.statusCode >= 400) &&
    !reply.hasHeader('content-encoding') &&
    text.test(String(reply.getHeader('content-type')))
  )
}
