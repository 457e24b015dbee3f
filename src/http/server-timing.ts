import type { FastifyInstance } from 'fastify'
import { startStopwatch } from '../values/stopwatch.ts'

/** The stages of a request, as in docs/architecture.md; only writes have `action`. */
type Stage = 'authenticate' | 'settle' | 'plan' | 'validate' | 'query' | 'action' | 'respond'

/** Measures the stages of one request. */
export class Timing {
  readonly #elapsed = startStopwatch()
  readonly #stages: string[] = []
  #last = 0

  /** Ends this stage and begins the next. */
  passed(stage: Stage): void {
    const now = this.#elapsed()
    this.#stages.push(`${stage};dur=${(now - this.#last).toFixed(3)}`)
    this.#last = now
  }

  /** The value of a `Server-Timing` header (W3C Server Timing). */
  toHeader(): string {
    return [...this.#stages, `total;dur=${this.#elapsed().toFixed(3)}`].join(', ')
  }
}

/** Whether a client asks for timing with `Prefer: server-timing` (RFC 7240). */
export function asksForTiming(prefer: string | string[] | undefined): boolean {
  return prefer !== undefined && /(?:^|[,;\s])server-timing(?:$|[,;\s])/i.test(String(prefer))
}

/** Times requests on demand. Only secret keys get the result, because durations can reveal hidden content. */
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
