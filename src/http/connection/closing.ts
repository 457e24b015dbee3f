import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { startStopwatch } from '../../values/stopwatch.ts'

const checkMs = 100
/** A client that has just connected sends its request within this time. */
const silentMs = 500

interface Deadlines {
  readonly headersTimeoutMs: number
  readonly requestTimeoutMs: number
}

/** Closes the connections that ask nothing while the service stops: Node waits for them, and checks no deadline once it is closing. */
export function closeSilentConnections(app: FastifyInstance, deadlines: Deadlines): void {
  /** How long each connection has been there: one that waited to be accepted begins when the service has long been closing. */
  const open = new Map<Socket, () => number>()
  app.server.on('connection', (socket: Socket) => {
    open.set(socket, startStopwatch())
    socket.once('close', () => open.delete(socket))
  })
  spareNewConnections(app.server, open)
  app.addHook('preClose', async () => {
    const elapsed = startStopwatch()
    const checks = setInterval(() => {
      for (const [socket, connected] of open) if (Math.min(elapsed(), connected()) > patienceWith(socket, deadlines)) socket.destroy()
    }, checkMs)
    app.server.once('close', () => clearInterval(checks))
  })
}

/**
 * Since version 26, Node counts connections that asked nothing yet among the idle ones, and closes them with these. Their requests may be on
 * the way, so they have `silentMs`.
 */
function spareNewConnections(server: Server, open: ReadonlyMap<Socket, unknown>): void {
  const { closeIdleConnections } = server
  server.closeIdleConnections = () => {
    const spared = [...open.keys()].filter(({ bytesRead }) => bytesRead === 0)
    for (const socket of spared) socket.destroy = () => socket
    closeIdleConnections.call(server)
    for (const socket of spared) Reflect.deleteProperty(socket, 'destroy')
  }
}

function patienceWith({ bytesRead, lastResponse }: Socket, { headersTimeoutMs, requestTimeoutMs }: Deadlines): number {
  if (bytesRead === 0) return silentMs
  if (!lastResponse?.req.complete) return lastResponse ? requestTimeoutMs : headersTimeoutMs
  return lastResponse.writableFinished ? headersTimeoutMs : Number.POSITIVE_INFINITY
}
