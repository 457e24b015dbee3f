import { JSONParser, TokenType } from '@streamparser/json'
import { countLines, FileFault, readText } from '../exports/read-text.ts'

/** A row of one of the tables of an export. */
export interface GhostRow {
  readonly table: string
  readonly fields: GhostFields
}

export type GhostFields = Readonly<Record<string, unknown>>

/** With and without the wrapper `db`. Other tables are read, too, and let go of at once. */
const paths = ['$.db.*.data.*.*', '$.data.*.*', '$.db.*.meta', '$.meta']
const maxRowLength = 64 * 1024 * 1024
/** What an export has in depth it has as text. */
const maxDepth = 50

/** Reads the rows of an export one by one. Throws `FileFault` where the file is no JSON, or ends before its end. */
export async function* readRows(path: string): AsyncGenerator<GhostRow, void, void> {
  const found: GhostRow[] = []
  let read = 0
  let lastRow = 0
  let line = 1
  const broken = (error: Error) => new FileFault(messageOf(error), line)
  const parser = new JSONParser({ paths, keepStack: false })
  parser.onValue = ({ value, key, stack }) => {
    lastRow = read
    const table = key === 'meta' ? 'meta' : String(stack.at(-1)?.key ?? '')
    if (isFields(value)) found.push({ table, fields: value })
  }
  let depth = 0
  parser.onToken = ({ token }) => {
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth += 1
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth -= 1
    if (depth > maxDepth) throw new FileFault('values are nested deeper than in any export of Ghost', line)
  }
  parser.onError = (error) => {
    throw error instanceof FileFault ? error : broken(error)
  }
  for await (const text of readText(path)) {
    read += text.length
    parser.write(text)
    line += countLines(text)
    if (read - lastRow > maxRowLength) throw new FileFault(`one value has more than ${maxRowLength} characters`, line)
    yield* found.splice(0)
  }
  if (!parser.isEnded) throw new FileFault('the file ends before its end', line)
}

function messageOf({ message }: Error): string {
  if (/mid-parsing/.test(message)) return 'the file ends before its end'
  const position = /absolute position "(\d+)"/.exec(message)?.[1]
  return `the JSON is broken${position === undefined ? '' : ` at character ${position} of the file`}`
}

function isFields(value: unknown): value is GhostFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The text of a field; empty for what is no text. */
export function textField(fields: GhostFields | undefined, name: string): string {
  const value = fields?.[name]
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

/** Whether a field says yes: exports write `1`, `"1"` and `true`. */
export function flagField(fields: GhostFields | undefined, name: string): boolean {
  return ['1', 'true'].includes(String(fields?.[name] ?? ''))
}
