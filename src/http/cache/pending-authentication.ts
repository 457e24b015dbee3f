import type { IncomingMessage } from 'node:http'
import type { Visit } from '../../actions/caller.ts'
import { startStopwatch } from '../../values/stopwatch.ts'

interface Held {
  readonly visit: Promise<Visit>
  elapsedMs(): number
}

/** Requests whose visitors are looked up before the framework sees them, so that nothing is looked up twice. */
export class HeldRequests {
  readonly #held = new WeakMap<IncomingMessage, Held>()

  hold(request: IncomingMessage, visit: Promise<Visit>): void {
    this.#held.set(request, { visit, elapsedMs: startStopwatch() })
  }

  /** Whose request it is, as far as that was asked already; it rejects where it is nobody's. */
  visitOf(request: IncomingMessage): Promise<Visit> | undefined {
    return this.#held.get(request)?.visit
  }

  /** How long ago a held request came. */
  elapsedMs(request: IncomingMessage): number | undefined {
    return this.#held.get(request)?.elapsedMs()
  }
}
