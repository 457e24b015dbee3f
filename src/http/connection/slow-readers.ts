import type { ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { Problem } from '../../values/problems.ts'
import type { Body } from '../body.ts'

/** A body, before it is encoded perhaps. */
type Held = Body | string

/** What a response takes beside its body, roughly (measured with 40,000 small ones). It counts where very many wait. */
const bytesEach = 5 * 1024

export interface SendLimits {
  /** A response is given up if nothing of it is read for this long. */
  readonly timeoutSeconds: number
  /** The most that is held in memory for all readers together. */
  readonly maxBytes: number
}

/** A client that has not taken its response yet. */
interface Reader {
  readonly body: Held
  /** In bytes, since it was last looked at. */
  taken: number
  /** In bytes, in the second before it was last looked at. Infinite if the client waited for the service then, not the service for the client. */
  rate: number
  /** How often in a row it was looked at and had taken nothing. */
  idleSeconds: number
}

/** In bytes a second. Whoever reads at least this fast is never cut to make room for others. */
const slowRate = 2 ** 20

/** Sent at a time. What is sent at once is held in memory until the last byte of it is taken, and its progress cannot be seen. */
export const sliceBytes = 64 * 1024

/**
 * The responses that their readers have not taken yet, in a bounded number of bytes. Beyond it the slowest readers are cut, if they are
 * known to be slow; if that is not enough, new responses are refused (docs/decisions/0038-slow-readers.md).
 */
export class SlowReaders {
  readonly #readers = new Map<ServerResponse, Reader>()
  /** How many readers each body has: the response cache gives one body to many. */
  readonly #holders = new Map<Held, number>()
  readonly #limits: SendLimits
  readonly #log: FastifyBaseLogger
  #bytes = 0

  constructor(limits: SendLimits, log: FastifyBaseLogger) {
    this.#limits = limits
    this.#log = log
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Holds a body before it is encoded or sent; 503 where the limit does not allow it. A single response is always allowed. */
  admit(response: ServerResponse, body: Held): void {
    if (body.length <= sliceBytes || response.destroyed) return
    this.hold(response, body)
    if (this.#bytes <= this.#limits.maxBytes || this.#holders.size === 1) return
    this.release(response)
    throw new Problem('overloaded', 'Too many large responses are not read to their end yet; try again in a moment.', {
      headers: { 'retry-after': '2' },
    })
  }

  /** Holds a body instead of the one before it, and makes room for it if possible. */
  hold(response: ServerResponse, body: Held): void {
    const known = this.#readers.get(response)
    if (known?.body === body) return
    this.release(response)
    if (!known) response.once('close', () => this.release(response))
    this.#readers.set(response, { body, taken: 0, rate: Number.POSITIVE_INFINITY, idleSeconds: 0 })
    this.#bytes += bytesEach
    const holders = this.#holders.get(body) ?? 0
    this.#holders.set(body, holders + 1)
    if (holders === 0) this.#bytes += body.length
    if (this.#bytes > this.#limits.maxBytes) this.#cutSlowest()
  }

  took(response: ServerResponse, bytes: number): void {
    const reader = this.#readers.get(response)
    if (!reader) return
    reader.taken += bytes
    reader.idleSeconds = 0
  }

  release(response: ServerResponse): void {
    const reader = this.#readers.get(response)
    if (!reader) return
    this.#readers.delete(response)
    this.#bytes -= bytesEach
    const holders = (this.#holders.get(reader.body) ?? 1) - 1
    if (holders > 0) this.#holders.set(reader.body, holders)
    else {
      this.#holders.delete(reader.body)
      this.#bytes -= reader.body.length
    }
  }

  /** Notes how fast each response is read, and gives up those that nobody reads. To be called every second. */
  look(): void {
    for (const [response, reader] of this.#readers) {
      // Node does not tell a pipelined response, before its turn has come, that its connection has ended.
      if (response.req.socket.destroyed) {
        this.release(response)
        continue
      }
      // Before its headers are sent, it may still be encoded. A pipelined response has no socket while it waits for the one before it.
      const isWaitedFor = response.headersSent && response.socket !== null && response.socket.writableLength > 0
      reader.rate = isWaitedFor ? reader.taken : Number.POSITIVE_INFINITY
      reader.taken = 0
      if (!isWaitedFor) reader.idleSeconds = 0
      if (reader.idleSeconds++ >= this.#limits.timeoutSeconds) this.#cut(response, 'was not read in time')
    }
  }

  #cutSlowest(): void {
    const alone = ({ body }: Reader) => (this.#holders.get(body) === 1 ? 0 : 1)
    const slowest = [...this.#readers]
      .filter(([, { rate }]) => rate < slowRate)
      .sort(([, a], [, b]) => alone(a) - alone(b) || a.rate - b.rate)
    for (const [response] of slowest) {
      if (this.#bytes <= this.#limits.maxBytes) return
      this.#cut(response, 'was read too slowly while too much was held for slow readers')
    }
  }

  #cut(response: ServerResponse, why: string): void {
    this.release(response)
    this.#log.info({ requestId: response.req.requestId }, `a response ${why}; its connection was closed`)
    response.req.socket.destroy()
  }
}
