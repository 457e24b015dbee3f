import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { Problem, toProblemBody } from '../../values/problems.ts'
import { startStopwatch } from '../../values/stopwatch.ts'
import type { AccessLog } from '../access-log.ts'
import { mayComeFromWebPage } from '../request/authentication.ts'
import { corsHeaders } from '../request/cors.ts'
import { securityHeaders } from '../response/security-headers.ts'
import { drain } from './unread-body.ts'

/** Requests that wait longer than this for their turn are refused, so that those before them are answered within a second. */
const maxWaitMs = 250
/** A burst of this many requests is never refused, however slow the machine is. */
const burst = 500

/**
 * Refuses requests with 503 while more arrive than can be answered. Two queues are watched: requests that wait for the event loop (the time
 * since its turn began), and those that wait for the database (when even the fastest of the last answers took too long).
 */
export class LoadGate {
  #turn: { readonly elapsed: () => number; requests: number } | undefined
  #window = { elapsed: startStopwatch(), fastestMs: Number.POSITIVE_INFINITY }
  #isBehind = false
  #open = 0

  /** Whether there is time for another request. */
  admits(): boolean {
    if (this.#turn === undefined) {
      this.#turn = { elapsed: startStopwatch(), requests: 0 }
      setImmediate(() => {
        this.#turn = undefined
      })
    }
    const { requests, elapsed } = this.#turn
    if (requests >= burst && elapsed() > maxWaitMs) return false
    if (this.#isBehind && this.#open >= burst) return false
    this.#turn.requests++
    return true
  }

  begin(): void {
    this.#open++
  }

  end(tookMs: number): void {
    this.#open--
    this.#window.fastestMs = Math.min(this.#window.fastestMs, tookMs)
    if (this.#window.elapsed() < maxWaitMs) return
    this.#isBehind = this.#window.fastestMs > maxWaitMs
    this.#window = { elapsed: startStopwatch(), fastestMs: Number.POSITIVE_INFINITY }
  }
}

interface RefusalParts {
  readonly log: FastifyBaseLogger
  readonly logRequest: AccessLog
  requestIdFor(request: IncomingMessage): string
}

/** Refuses a request without the framework, which would cost several times as much: time that the other requests need. */
export function refusing({ log, logRequest, requestIdFor }: RefusalParts) {
  const problem = new Problem('overloaded', 'The service has more to do than it can.', { headers: { 'retry-after': '1' } })
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { method = '', url = '', headers } = request
    const requestId = requestIdFor(request)
    const body = Buffer.from(JSON.stringify(toProblemBody(problem, url.split('?')[0] ?? '', requestId)))
    response.writeHead(problem.status, {
      ...securityHeaders,
      ...(mayComeFromWebPage(request) && corsHeaders),
      ...problem.headers,
      'content-type': 'application/problem+json',
      'content-length': body.length,
      'cache-control': 'no-store',
      'x-request-id': requestId,
    })
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) drain(request)
    response.end(body)
    logRequest(log, { requestId, method, route: 'none', status: problem.status, durationMs: 0 }, headers)
  }
}

/** Operators and load balancers always get their answer, and so do preflights: a web page could not read the refusal of one. */
export function isSheddable({ method, url = '' }: IncomingMessage): boolean {
  return url.startsWith('/v1/') && method !== 'OPTIONS'
}

/** Tells the gate how long requests take. */
export function measureLoad(app: FastifyInstance, gate: LoadGate): void {
  const begun = new WeakMap<FastifyRequest, () => number>()
  // After the body has arrived: a slow client is no load. A long poll waits because it was asked to.
  app.addHook('preHandler', async (request) => {
    if (request.url.includes('wait=')) return
    begun.set(request, startStopwatch())
    gate.begin()
  })
  app.addHook('onSend', async (request) => {
    const elapsed = begun.get(request)
    if (!elapsed) return
    begun.delete(request)
    gate.end(elapsed())
  })
}
