import { Server as TcpServer } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Turns of the event loop without a new connection or request, and the most turns, before connections are closed. */
const quietTurns = 5
const mostTurns = 2_000
/** Between that and the end of listening little can have arrived. */
const mostTurnsAtTheEnd = 200

/** Closing a server resets connections that wait to be accepted, and discards requests that are not read. */
export interface LastArrivals {
  /** Accepts connections and reads requests until no more come. */
  take(): Promise<void>
  /** Once the server is closing: until the last connection has ended. */
  ended(): Promise<void> | undefined
}

export function takeLastArrivals(app: FastifyInstance): LastArrivals {
  let ended: Promise<void> | undefined
  // Fastify goes through all its parts, and Node through all connections, before either ends to listen: what arrives meanwhile would be reset.
  app.addHook('preClose', async () => {
    await take(app, mostTurnsAtTheEnd)
    ended = new Promise((resolve) => TcpServer.prototype.close.call(app.server, () => resolve()))
  })
  return { take: () => take(app, mostTurns), ended: () => ended }
}

/** A turn accepts one connection. */
async function take({ server }: FastifyInstance, mostTurns: number): Promise<void> {
  let quiet = 0
  const arrived = () => {
    quiet = 0
  }
  server.on('connection', arrived).on('request', arrived)
  for (let turn = 0; turn < mostTurns && quiet < quietTurns; turn++, quiet++) await new Promise((resolve) => setImmediate(resolve))
  server.off('connection', arrived).off('request', arrived)
}
