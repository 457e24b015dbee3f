import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError } from 'fastify'
import type { Context } from '../../context.ts'
import { newId } from '../../values/ids.ts'
import { toInstant } from '../../values/instant.ts'
import { Problem, toProblemBody } from '../../values/problems.ts'
import { corsHeaders } from '../request/cors.ts'
import { hasLongUrl, uriTooLong } from '../request/request-line.ts'
import { securityHeaders } from './security-headers.ts'

/** Sends a problem for what Node cannot parse as HTTP or what arrived too late. It writes to the socket: there is no request object. */
export function sendClientError(context: Context) {
  return (error: ConnectionError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const problem = toProblem(error, socket)
    const id = newId('req', toInstant(context.now()), context.random)
    const body = JSON.stringify(toProblemBody(problem, '', id))
    const head = [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
      ...Object.entries({ ...securityHeaders, ...corsHeaders }).map(([name, value]) => `${name}: ${value}`),
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${id}`,
      'Cache-Control: no-store',
      'Connection: close',
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
}

function toProblem(error: ConnectionError, socket: Socket): Problem {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return isFirstPacket(error.rawPacket, socket) && hasLongUrl(error.rawPacket)
        ? uriTooLong()
        : new Problem('headers_too_large', 'The headers are larger than 32 KiB.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request_timeout', 'The request did not arrive in time.')
    default:
      return new Problem('malformed_request', 'This is not a valid HTTP/1.1 request.')
  }
}

/** Whether this is the first packet of the connection. A later one may begin in the middle of a request. */
function isFirstPacket(packet: unknown, socket: Socket): packet is Buffer {
  return Buffer.isBuffer(packet) && packet.length === socket.bytesRead
}
