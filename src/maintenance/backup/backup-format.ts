import { createHash } from 'node:crypto'
import { pipeline, Readable, type Transform } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { type Digest, digestRows, type Row } from '../move/row-digest.ts'
import { UnusableBackup } from './backup-errors.ts'

/**
 * A backup is lines of JSON, compressed by gzip: a header; for each table a line with its columns, a line for each row and a line with its
 * digest; and a last line with the SHA-256 of all lines before it. The rows are the same on every engine (docs/decisions/0039-backup-format.md).
 */
export const formatVersion = 1

export interface BackupHeader {
  readonly format: 'verso-backup'
  readonly formatVersion: number
  readonly createdAt: string
  /** The version of Verso that made it. */
  readonly program: string
  /** The migrations of its schema. */
  readonly migrations: readonly string[]
  readonly installation: { readonly createdAt: string }
  /** In the order of the tables in the file: referenced ones come first. */
  readonly tables: readonly { readonly name: string; readonly key: readonly string[]; readonly rows: number }[]
}

export interface TableDigest extends Digest {
  readonly table: string
}

/** What a reader of a backup finds, in the order of the file. */
type BackupPart =
  | { readonly kind: 'header'; readonly header: BackupHeader }
  | { readonly kind: 'rows'; readonly table: string; readonly rows: number; parse(): readonly Row[] }
  | { readonly kind: 'table'; readonly digest: TableDigest }

function damaged(what: string): UnusableBackup {
  return new UnusableBackup(`The backup is damaged: ${what}.`)
}

/** Reads a backup and compares every hash and count in it as it goes. Throws `UnusableBackup` at the first fault. */
export async function* readBackup(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<BackupPart> {
  const reader = openReader()
  for await (const lines of linesOf(decompressed(bytes))) {
    for (const part of reader.read(lines)) yield part
  }
  reader.end()
}

interface OpenTable {
  readonly name: string
  readonly expected: number
  readonly columns: readonly string[]
  readonly digest: ReturnType<typeof digestRows>
}

const openingBracket = 0x5b
const mostRowsAtOnce = 500

function openReader() {
  const total = createHash('sha256')
  let header: BackupHeader | undefined
  let table: OpenTable | undefined
  let tablesRead = 0
  let isComplete = false

  const rowsOf = ({ name, columns }: OpenTable, lines: readonly Buffer[]): BackupPart => ({
    kind: 'rows',
    table: name,
    rows: lines.length,
    parse: () => lines.map((line) => parseRow(line, name, columns)),
  })

  /** Reads a line that is not a row. */
  const readMark = (line: Buffer): BackupPart | undefined => {
    const mark = parseObject(line)
    if (header === undefined) {
      header = parseHeader(mark)
      return { kind: 'header', header }
    }
    if (table !== undefined) {
      const digest = endOf(table, mark)
      table = undefined
      return { kind: 'table', digest }
    }
    const next = header.tables[tablesRead++]
    if (next === undefined) throw damaged('there are more tables than its header names')
    table = openTable(next, mark)
    return undefined
  }

  function* read(lines: readonly Buffer[]): Generator<BackupPart> {
    let rows: Buffer[] = []
    for (const line of lines) {
      if (isComplete) throw damaged('something follows its end')
      if (table !== undefined && line[0] === openingBracket) {
        table.digest.addLine(line)
        rows.push(line)
        if (rows.length === mostRowsAtOnce) yield rowsOf(table, rows.splice(0))
      } else if (header !== undefined && table === undefined && tablesRead === header.tables.length) {
        requireSum(parseObject(line), total.digest('hex'))
        isComplete = true
        continue
      } else {
        if (table !== undefined && rows.length > 0) yield rowsOf(table, rows)
        rows = []
        const part = readMark(line)
        if (part) yield part
      }
      total.update(line)
    }
    if (table !== undefined && rows.length > 0) yield rowsOf(table, rows)
  }

  return {
    read,
    end() {
      if (!isComplete) throw damaged('it ends too early')
    },
  }
}

type Json = Readonly<Record<string, unknown>>

function parseObject(line: Buffer): Json {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json
  } catch {
    // Said below.
  }
  throw damaged('a line of it cannot be read')
}

function parseRow(line: Buffer, table: string, columns: readonly string[]): Row {
  const values: unknown = JSON.parse(line.toString('utf8'))
  if (!Array.isArray(values) || values.length !== columns.length) throw damaged(`a row of the table ${table} does not have its columns`)
  return Object.fromEntries(columns.map((column, i) => [column, values[i]]))
}

function parseHeader(mark: Json): BackupHeader {
  if (mark.format !== 'verso-backup') throw new UnusableBackup('This is not a backup of Verso.')
  if (mark.formatVersion !== formatVersion)
    throw new UnusableBackup(
      `The backup has the format ${mark.formatVersion}, which this version of Verso does not know. Use a newer Verso.`,
    )
  const { migrations, tables } = mark
  const isWhole = isTexts(migrations) && Array.isArray(tables) && tables.every(isTable) && typeof mark.installation === 'object'
  if (!isWhole) throw damaged('its header is not complete')
  return mark as unknown as BackupHeader
}

function isTable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { name, key, rows } = value as Json
  return isName(name) && isTexts(key) && key.every(isName) && Number.isSafeInteger(rows)
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

/** A name of a table or column: the reader of a backup puts it into statements. */
function isName(value: unknown): boolean {
  return typeof value === 'string' && /^[a-z_][a-z0-9_]{0,62}$/.test(value)
}

function openTable({ name, rows }: BackupHeader['tables'][number], mark: Json): OpenTable {
  const { table, columns } = mark
  if (table !== name) throw damaged(`the table ${name} is missing`)
  if (!isTexts(columns) || !columns.every(isName)) throw damaged(`the columns of the table ${name} are missing`)
  return { name, expected: rows, columns, digest: digestRows() }
}

function endOf({ name, expected, digest }: OpenTable, mark: Json): TableDigest {
  const found = { table: name, ...digest.result() }
  if (mark.end !== name) throw damaged(`the table ${name} does not end`)
  if (found.rows !== expected || found.rows !== mark.rows) throw damaged(`the table ${name} has ${found.rows} rows instead of ${expected}`)
  if (found.sha256 !== mark.sha256) throw damaged(`the rows of the table ${name} do not have the hash that was written with them`)
  return found
}

function requireSum(mark: Json, sha256: string): void {
  if (mark.complete !== true) throw damaged('there is no last line where it should be')
  if (mark.sha256 !== sha256) throw damaged('its lines do not have the hash that was written with them')
}

const chunkBytes = 256 * 1024
/** A row has a content of 1 MiB at most, which escapes may make six times longer. */
const maxLineBytes = 64 * 1024 * 1024

export function compressed(source: AsyncIterable<string>): AsyncIterable<Buffer> {
  return through(source, createGzip({ chunkSize: chunkBytes }))
}

/** What a stream makes of a source. An error of the source is an error of the result. */
function through(source: AsyncIterable<Uint8Array | string>, transform: Transform): AsyncIterable<Buffer> {
  pipeline(Readable.from(source, { objectMode: false }), transform, () => undefined)
  return transform
}

async function* decompressed(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  try {
    yield* through(source, createGunzip({ chunkSize: chunkBytes }))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'Z_BUF_ERROR') throw damaged('it is cut off')
    if (!code.startsWith('Z_')) throw error
    const message = error instanceof Error ? error.message : code
    if (message === 'incorrect header check') throw new UnusableBackup('This is not a backup of Verso: it is not compressed by gzip.')
    throw damaged(`it cannot be decompressed (${message})`)
  }
}

/** The lines in chunks of bytes, each with its end. A last line without an end is one, too. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly Buffer[]> {
  let begun: Buffer[] = []
  let begunBytes = 0
  for await (const chunk of chunks) {
    const lines: Buffer[] = []
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const last = chunk.subarray(start, end + 1)
      lines.push(begun.length > 0 ? Buffer.concat([...begun, last]) : last)
      begun = []
      begunBytes = 0
      start = end + 1
    }
    if (start < chunk.length) {
      begun.push(chunk.subarray(start))
      begunBytes += chunk.length - start
    }
    if (begunBytes > maxLineBytes) throw damaged('a line of it is too long')
    if (lines.length > 0) yield lines
  }
  if (begun.length > 0) yield [Buffer.concat(begun)]
}
