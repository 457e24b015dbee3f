import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError } from 'fastify'
import type { Context } from '../../context.ts'
import { newId } from '../../values/ids.ts'
import { toInstant } from '../../values/instant.ts'
import { Problem, toProblemBody } from '../../values/problems.ts'
import { hasLongUrl, uriTooLong } from '../request/request-line.ts'

/** Answers what is no request by HTTP's own rules, and what did not arrive in time, straight to the connection. */
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
      return isFirst(error.rawPacket, socket) && hasLongUrl(error.rawPacket)
        ? uriTooLong()
        : new Problem('headers_too_large', 'The headers are larger than 32 KiB.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request_timeout', 'The request did not arrive in time.')
    default:
      return new Problem('malformed_request', 'This is not a request by the rules of HTTP/1.1.')
  }
}

/** Whether nothing came before this packet. Of a later one nobody can tell what it belongs to. */
function isFirst(packet: unknown, socket: Socket): packet is Buffer {
  return Buffer.isBuffer(packet) && packet.length === socket.bytesRead
}
