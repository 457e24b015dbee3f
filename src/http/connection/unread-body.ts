import type { IncomingMessage } from 'node:http'
import { Problem } from '../../values/problems.ts'

/** The largest body: 1 MiB of Markdown with every character escaped, and the rest of a post (docs/reference/api.md#limits). */
const maxBodyBytes = 2 * 1024 * 1024
/** What is still read of a body that was refused: a client that gets a reset while it sends often never reads its response. */
export const maxDrainedBytes = 16 * 1024 * 1024

/** Reads a body to its end; 413 for one that is too large, as soon as that is known. */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length']) > maxBodyBytes) return reject(tooLarge())
    if (request.bodyProblem) return reject(request.bodyProblem)
    request.refuseBody = reject
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > maxBodyBytes) reject(tooLarge())
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(Buffer.concat(chunks, length)))
    request.on('error', reject)
    request.on('close', () => reject(new Error('the connection closed before the end of the body')))
  })
}

/** Goes on reading a body after its request was refused, up to a limit, so that the client can read the response. */
export function drain(request: IncomingMessage): void {
  let drained = 0
  request.on('data', (chunk: Buffer) => {
    drained += chunk.length
    if (drained > maxDrainedBytes) request.socket.destroy()
  })
}

function tooLarge(): Problem {
  return new Problem('body_too_large', 'The body is larger than 2 MiB.')
}
