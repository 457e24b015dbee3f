import type { IncomingMessage } from 'node:http'
import { Problem } from '../../values/problems.ts'

/** What has arrived of all bodies that are not there whole, together: 32 of the largest. */
const maxHeldBytes = 64 * 1024 * 1024

interface Arriving {
  bytes: number
  refuse(problem: Problem): void
}

/**
 * Reads bodies to their ends, and holds what has arrived of them in a bounded number of bytes. Beyond it, the one that has taken longest is
 * refused: it is the slowest, and the others go on (docs/decisions/0076-slow-senders.md).
 */
export class ArrivingBodies {
  /** The one that has taken longest comes first. */
  readonly #bodies = new Set<Arriving>()
  #bytes = 0

  /** 413 for a body of more than `maxBytes`, as soon as that is known; 503 for one that is too slow while too much is held. */
  read(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (Number(request.headers['content-length']) > maxBytes) return reject(tooLarge(maxBytes))
      if (request.bodyProblem) return reject(request.bodyProblem)
      const chunks: Buffer[] = []
      const refuse = (error: Error) => {
        chunks.length = 0
        this.#remove(body)
        reject(error)
      }
      const body: Arriving = { bytes: 0, refuse }
      this.#bodies.add(body)
      request.refuseBody = refuse
      request.on('data', (chunk: Buffer) => {
        if (!this.#bodies.has(body)) return
        chunks.push(chunk)
        body.bytes += chunk.length
        this.#bytes += chunk.length
        if (body.bytes > maxBytes) refuse(tooLarge(maxBytes))
        else this.#refuseSlowest()
      })
      request.on('end', () => {
        this.#remove(body)
        resolve(Buffer.concat(chunks))
      })
      request.on('error', refuse)
      request.on('close', () => refuse(new Error('the connection closed before the end of the body')))
    })
  }

  #refuseSlowest(): void {
    for (const { refuse } of this.#bodies) {
      if (this.#bytes <= maxHeldBytes) return
      refuse(tooMany)
    }
  }

  #remove(body: Arriving): void {
    if (this.#bodies.delete(body)) this.#bytes -= body.bytes
  }
}

const tooMany = new Problem('overloaded', 'Too many bodies are being sent slowly, and this one took longest; try again in a moment.', {
  headers: { 'retry-after': '5' },
})

function tooLarge(maxBytes: number): Problem {
  return new Problem(
    'body_too_large',
    `The body is larger than ${maxBytes >= 2 ** 20 ? `${maxBytes / 2 ** 20} MiB` : `${maxBytes / 2 ** 10} KiB`}.`,
  )
}
