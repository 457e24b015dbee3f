import type { IncomingMessage } from 'node:http'
import type { Authenticated } from '../../actions/caller.ts'
import { startStopwatch } from '../../values/stopwatch.ts'

interface Held {
  readonly authenticated: Promise<Authenticated>
  elapsedMs(): number
}

/** Requests whose visitors are looked up before the framework sees them, so that nothing is looked up twice. */
export class PendingAuthentication {
  readonly #held = new WeakMap<IncomingMessage, Held>()

  hold(request: IncomingMessage, authenticated: Promise<Authenticated>): void {
    this.#held.set(request, { authenticated, elapsedMs: startStopwatch() })
  }

  /** Whose request it is, as far as that was asked already; it rejects where it is nobody's. */
  visitOf(request: IncomingMessage): Promise<Authenticated> | undefined {
    return this.#held.get(request)?.authenticated
  }

  /** How long ago a held request came. */
  elapsedMs(request: IncomingMessage): number | undefined {
    return this.#held.get(request)?.elapsedMs()
  }
}
