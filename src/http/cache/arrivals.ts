import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Of more connections than this, libuv may read some in a second round within a turn: it takes 1,024 events at a time. */
const mostInOneRound = 1_000

/**
 * Which requests had been begun before the turn of the event loop that hands them over, so that what is written meanwhile happens at the same
 * time as they do, and need not be seen by them. Of a socket that is ready when a turn begins to poll, Node reads once, up to 64 KiB: what
 * it finds is the rest of one request, as long as the client sends the next one only after the answer, and none with a body, which may fill
 * several reads. So connections on which anything else was seen are not trusted again.
 */
export class Arrivals {
  readonly #distrusted = new WeakSet<Socket>()
  readonly #mostOpen: number
  #open = 0

  constructor(mostOpen = mostInOneRound) {
    this.#mostOpen = mostOpen
  }

  /** Has an eye on how many connections there are. */
  watch(server: Server): void {
    server.on('connection', (socket) => {
      this.#open += 1
      socket.once('close', () => {
        this.#open -= 1
      })
    })
  }

  /** To be asked of every request. */
  wasBegunBeforeTurn({ socket, headers }: IncomingMessage, response: ServerResponse): boolean {
    // A response has no socket yet while an earlier one is being sent there.
    const isAlone = response.socket !== null && headers['content-length'] === undefined && headers['transfer-encoding'] === undefined
    if (!isAlone) this.#distrusted.add(socket)
    return isAlone && this.#open <= this.#mostOpen && !this.#distrusted.has(socket)
  }
}
