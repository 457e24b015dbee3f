import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import type { Context } from '../../context.ts'
import { newId } from '../../values/ids.ts'
import { toInstant } from '../../values/instant.ts'
import { Problem, toProblemBody } from '../../values/problems.ts'
import { type AccessLog, unparsed } from '../access-log.ts'
import { corsHeaders } from '../request/cors.ts'
import { hasLongUrl, uriTooLong } from '../request/request-line.ts'
import { securityHeaders } from '../response/security-headers.ts'
import { maxDrainedBytes } from './unread-body.ts'

declare module 'node:net' {
  interface Socket {
    /** The response to the last request that arrived on this connection. */
    lastResponse?: ServerResponse
    /** How much had arrived when the connection was refused. */
    refusedAt?: number
  }
}

declare module 'node:http' {
  interface IncomingMessage {
    /** Why the rest of the body cannot be read. */
    bodyProblem?: Problem
    /** Tells whoever reads the body. */
    refuseBody?: (problem: Problem) => void
  }
}

/** How long a refused client may stay, whether it goes on sending or not. */
const lingeringMs = 5_000

interface ClientErrorParts {
  readonly context: Context
  readonly log: FastifyBaseLogger
  readonly logRequest: AccessLog
}

type ConnectionError = Error & { readonly code?: string; readonly rawPacket?: unknown }

/** Sends a problem for what Node cannot parse as HTTP or what arrived too late: one response to each request, and in their order. */
export function sendClientError({ context, log, logRequest }: ClientErrorParts) {
  /** Writes to the socket: there is no request object. */
  const refuse = (socket: Socket, problem: Problem): void => {
    if (!socket.writable) return
    closeLater(socket)
    const requestId = newId('req', toInstant(context.now()), context.random)
    socket.end(responseText(problem, requestId, context.now()))
    logRequest(log, { requestId, method: unparsed, route: 'none', status: problem.status, durationMs: 0 }, {})
  }
  return (error: ConnectionError, socket: Socket): void => {
    const { lastResponse } = socket
    if (error.code === 'ECONNRESET' || !(socket.writable || socket.refusedAt !== undefined)) socket.destroy()
    else if (socket.refusedAt !== undefined) drop(error, socket, socket.refusedAt)
    else {
      socket.refusedAt = socket.bytesRead
      const problem = toProblem(error, socket)
      if (lastResponse && !lastResponse.req.complete) refuseBody(lastResponse, problem, socket)
      else if (!lastResponse || lastResponse.writableFinished) refuse(socket, problem)
      // Before Node closes the connection, as it does then if the client has closed its side. Nothing follows a response that says so itself.
      else if (lastResponse.shouldKeepAlive) lastResponse.prependOnceListener('finish', () => refuse(socket, problem))
    }
  }
}

/** Time to read the answer. A deadline, since a byte now and then would renew an idle timeout for ever. */
function closeLater(socket: Socket): void {
  const deadline = setTimeout(() => socket.destroy(), lingeringMs).unref()
  socket.once('close', () => clearTimeout(deadline))
}

/** A client that goes on sending can still read why it was refused, up to a limit. */
function drop({ code }: ConnectionError, socket: Socket, refusedAt: number): void {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT' || socket.bytesRead - refusedAt > maxDrainedBytes) socket.destroy()
}

/** The rest of a body is malformed or late. Its request gets the problem, unless it has a response already. */
function refuseBody(response: ServerResponse<IncomingMessage>, problem: Problem, socket: Socket): void {
  const { req, headersSent, writableFinished } = response
  if (writableFinished) socket.destroySoon()
  // The responses before it, and its own, are still being sent.
  else if (headersSent) response.once('finish', () => socket.destroySoon())
  response.shouldKeepAlive = false
  req.bodyProblem = problem
  req.refuseBody?.(problem)
}

/** Refuses CONNECT, which Node hands over as a bare socket: the service is no proxy. */
export function refuseTunnels(server: Server, refuse: (error: ConnectionError, socket: Socket) => void): void {
  server.on('connect', ({ socket }) => {
    // Node has taken its own listener away, and without one an error of the connection would end the process.
    socket.on('error', () => socket.destroy())
    refuse(Object.assign(new Error('CONNECT'), { code: 'CONNECT' }), socket)
    socket.resume()
  })
}

function responseText(problem: Problem, requestId: string, now: Date): string {
  const body = JSON.stringify(toProblemBody(problem, '', requestId))
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `Date: ${now.toUTCString()}`,
    ...Object.entries({ ...securityHeaders, ...corsHeaders }).map(([name, value]) => `${name}: ${value}`),
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'Connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

function toProblem({ code, rawPacket }: ConnectionError, socket: Socket): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return isFirstPacket(rawPacket, socket) && hasLongUrl(rawPacket)
        ? uriTooLong()
        : new Problem('headers_too_large', 'The headers are larger than 32 KiB.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request_timeout', 'The request did not arrive in time.')
    case 'CONNECT':
      return new Problem('not_implemented', 'The service is no proxy; it does not implement CONNECT.')
    default:
      return new Problem('malformed_request', 'This is not a valid HTTP/1.1 request.')
  }
}

/** Whether this is the first packet of the connection. A later one may begin in the middle of a request. */
function isFirstPacket(packet: unknown, socket: Socket): packet is Buffer {
  return Buffer.isBuffer(packet) && packet.length === socket.bytesRead
}
