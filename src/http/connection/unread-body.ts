import type { IncomingMessage } from 'node:http'

/** What is still read of a body that was refused: a client that gets a reset while it sends often never reads its response. */
export const maxDrainedBytes = 16 * 1024 * 1024

/** Goes on reading a body after its request was refused, up to a limit, so that the client can read the response. */
export function drain(request: IncomingMessage): void {
  let drained = 0
  request.on('data', (chunk: Buffer) => {
    drained += chunk.length
    if (drained > maxDrainedBytes) request.socket.destroy()
  })
}
