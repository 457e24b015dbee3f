import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../values/problems.ts'
import { startStopwatch } from '../../values/stopwatch.ts'

declare module 'node:http' {
  interface IncomingMessage {
    /** Refused because the service has more to do than it can. */
    isShed?: boolean
  }
}

/** Requests that wait longer than this for their turn are refused, so that those before them are answered within a second. */
const maxWaitMs = 250
/** A burst of so many requests is never refused, however slow the machine is. */
const burst = 100

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

/** Operators and load balancers always get their answer. */
export function isSheddable({ url = '' }: IncomingMessage): boolean {
  return url.startsWith('/v1/')
}

export function shedLoad(app: FastifyInstance, gate: LoadGate): void {
  const begun = new WeakMap<FastifyRequest, () => number>()
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.isShed) throw new Problem('overloaded', 'The service has more to do than it can.', { headers: { 'retry-after': '1' } })
  })
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
