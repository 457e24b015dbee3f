import type { FastifyInstance } from 'fastify'
import { startStopwatch } from '../values/stopwatch.ts'

/** The stages of a request, as docs/architecture.md names them; `action` is a write's. */
type Stage = 'authenticate' | 'settle' | 'plan' | 'validate' | 'query' | 'action' | 'respond'

/** How long the stages of one request took, for those who asked. */
export class Timing {
  readonly #elapsed = startStopwatch()
  readonly #stages: string[] = []
  #last = 0

  /** A stage is over; the next begins. */
  passed(stage: Stage): void {
    const now = this.#elapsed()
    this.#stages.push(`${stage};dur=${(now - this.#last).toFixed(3)}`)
    this.#last = now
  }

  /** As a `Server-Timing` header (W3C Server Timing) has it. */
  toHeader(): string {
    return [...this.#stages, `total;dur=${this.#elapsed().toFixed(3)}`].join(', ')
  }
}

/** Whether the stages are to be measured: with `Prefer: server-timing` (RFC 7240). */
export function asksForTiming(prefer: string | string[] | undefined): boolean {
  return prefer !== undefined && /(?:^|[,;\s])server-timing(?:$|[,;\s])/i.test(String(prefer))
}

/** Times requests that ask for it. Only secret keys see the result: how long something takes can reveal what is hidden. */
export function timeRequests(app: FastifyInstance): void {
  app.decorateRequest('timing')
  app.addHook('onRequest', async (request) => {
    if (asksForTiming(request.headers.prefer)) request.timing = new Timing()
  })
  app.addHook('onSend', async (request, reply) => {
    const { timing, authenticated } = request
    if (!timing || authenticated?.caller.kind !== 'secret') return
    timing.passed('respond')
    reply.header('server-timing', timing.toHeader()).header('preference-applied', 'server-timing')
  })
}
