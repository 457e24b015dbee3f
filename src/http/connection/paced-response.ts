import { type IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { shortTurns } from '../../values/event-loop.ts'
import { type Body, PiecedBody, slicesOf } from '../body.ts'
import { type SlowReaders, sliceBytes } from './slow-readers.ts'

declare module 'node:http' {
  interface ServerResponse {
    /** Holds a body that is about to be encoded or sent; 503 where no more may be held. */
    admit?: (body: Body | string) => void
    /** Tells that this body follows, slice by slice. */
    begin?: (body: Body) => void
  }
}

/** Ends a response with a body. */
export function endWith(response: ServerResponse, body: Body | undefined): void {
  if (body instanceof PiecedBody) new BodyStream(body).pipe(response)
  else response.end(body)
}

/** What the framework can send of a body. */
export function payloadOf(body: Body): Buffer | BodyStream {
  return body instanceof PiecedBody ? new BodyStream(body) : body
}

/** The body in what the framework sends, if there is one. */
export function heldIn(payload: unknown): Body | string | undefined {
  if (payload instanceof BodyStream) return payload.body
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : undefined
}

/** A body in slices, as fast as it is read. Others have turns between them. */
export class BodyStream extends Readable {
  readonly body: Body
  readonly #slices: Iterator<Uint8Array>
  readonly #giveWay = shortTurns()

  constructor(body: Body) {
    super({ highWaterMark: sliceBytes })
    this.body = body
    this.#slices = slicesOf(body, sliceBytes)
  }

  override pipe<D extends NodeJS.WritableStream>(destination: D): D {
    if (destination instanceof ServerResponse) destination.begin?.(this.body)
    return super.pipe(destination)
  }

  override _read(): void {
    void this.#next()
  }

  async #next(): Promise<void> {
    await this.#giveWay('long')
    this.push(this.#slices.next().value ?? null)
  }
}

/** Responses that send large bodies in slices. */
export function pacedResponses(readers: SlowReaders) {
  return class PacedResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {
    #isPaced = false

    override readonly admit = (body: Body | string) => readers.admit(this, body)

    override readonly begin = (body: Body) => {
      this.#isPaced = true
      if (!this.headersSent) this.setHeader('content-length', body.length)
      readers.hold(this, body)
    }

    override write(chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean {
      const isTaken = Reflect.apply(super.write, this, [chunk, ...rest])
      const took = () => readers.took(this, chunk.length)
      if (isTaken) took()
      else this.once('drain', took)
      return isTaken
    }

    override end(chunk?: unknown, ...rest: readonly unknown[]): this {
      if (typeof chunk === 'string' && chunk.length > sliceBytes) new BodyStream(Buffer.from(chunk)).pipe(this)
      else if (Buffer.isBuffer(chunk) && chunk.length > sliceBytes) new BodyStream(chunk).pipe(this)
      else {
        Reflect.apply(super.end, this, [chunk, ...rest])
        const isHeld = !this.#isPaced && this.socket?.writableLength !== 0
        if (isHeld) readers.hold(this, typeof chunk === 'string' || Buffer.isBuffer(chunk) ? chunk : noBody)
      }
      return this
    }
  }
}

/** What a response without a body holds. */
const noBody = ''
