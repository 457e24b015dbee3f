import { slicesOfText } from './code-points.ts'
import { shortTurns } from './event-loop.ts'

/** In UTF-16 units. Longer texts get memory that the process did not have before, which costs more than to make JSON of them. */
const sliceUnits = 32 * 1024

/**
 * The JSON of a value in pieces, as `JSON.stringify` makes it. Before each piece but the first, others have a turn when one is due. `giveWay`
 * is that of the work that it is part of.
 */
export async function jsonPieces(value: object | string, giveWay = shortTurns()): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = []
  let text = ''
  for (const part of partsOf(value)) {
    if (text.length >= sliceUnits) {
      pieces.push(Buffer.from(text))
      text = ''
      await giveWay()
    }
    text += part
  }
  pieces.push(Buffer.from(text))
  return pieces
}

/** Whether it has a text that takes long to make JSON of. */
export function isLong(value: unknown): boolean {
  if (typeof value === 'string') return value.length > sliceUnits
  return typeof value === 'object' && value !== null && Object.values(value).some(isLong)
}

function* partsOf(value: unknown): Generator<string> {
  if (!isLong(value)) yield JSON.stringify(value) ?? 'null'
  else if (typeof value === 'string') yield* partsOfText(value)
  else if (Array.isArray(value)) yield* partsOfArray(value)
  else yield* partsOfObject(value as object)
}

function* partsOfText(text: string): Generator<string> {
  yield '"'
  // Half a surrogate pair would be escaped.
  for (const slice of slicesOfText(text, sliceUnits)) yield JSON.stringify(slice).slice(1, -1)
  yield '"'
}

function* partsOfArray(items: readonly unknown[]): Generator<string> {
  let before = '['
  for (const item of items) {
    yield before
    yield* partsOf(item)
    before = ','
  }
  yield ']'
}

function* partsOfObject(members: object): Generator<string> {
  let before = '{'
  for (const [name, member] of Object.entries(members)) {
    if (member === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    yield* partsOf(member)
    before = ','
  }
  yield '}'
}
