import { shortTurns } from '../values/event-loop.ts'

/** The bytes of a response body. Most are one buffer; a large one is in pieces (docs/decisions/0091-bodies-in-pieces.md). */
export type Body = Buffer | PiecedBody

/** A body of at most this size is one buffer. */
export const largeBytes = 1024 * 1024
/** A shorter piece is copied and joined with its neighbours. */
const pieceBytes = 32 * 1024

/** A large body. It shares its large pieces with what it was made from. */
export class PiecedBody {
  readonly pieces: readonly Uint8Array[]
  /** In bytes. */
  readonly length: number

  constructor(pieces: readonly Uint8Array[]) {
    this.pieces = pieces
    this.length = lengthOf(pieces)
  }
}

/** A body of these texts, one after the other. Others have turns meanwhile. */
export async function toBody(texts: readonly (string | Uint8Array)[]): Promise<Body> {
  const pieces = texts.map((text) => (typeof text === 'string' ? Buffer.from(text) : text))
  return lengthOf(pieces) > largeBytes ? new PiecedBody(await withoutSmall(pieces)) : joined(pieces)
}

/** The bytes in order, in slices of at most `most` bytes. */
export function* slicesOf(body: Body, most: number): Generator<Uint8Array> {
  for (const piece of body instanceof PiecedBody ? body.pieces : [body]) {
    for (let at = 0; at < piece.length; at += most) yield piece.subarray(at, at + most)
  }
}

/** The same bytes, with the small pieces between large ones joined. */
async function withoutSmall(pieces: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
  const giveWay = shortTurns()
  const result: Uint8Array[] = []
  let small: Uint8Array[] = []
  let smallBytes = 0
  const join = () => {
    if (small.length > 0) result.push(joined(small))
    small = []
    smallBytes = 0
  }
  for (const piece of pieces) {
    if (isLarge(piece)) {
      join()
      result.push(piece)
      continue
    }
    small.push(piece)
    smallBytes += piece.length
    if (smallBytes < pieceBytes) continue
    await giveWay()
    join()
  }
  join()
  return result
}

/** A piece of less than half of its memory would keep more alive than anyone counts. */
function isLarge({ length, buffer }: Uint8Array): boolean {
  return length >= pieceBytes && length > buffer.byteLength / 2
}

function joined(pieces: readonly Uint8Array[]): Buffer {
  // Not from the buffer pool: each body would keep a whole pool block alive.
  const bytes = Buffer.allocUnsafeSlow(lengthOf(pieces))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0)
}
