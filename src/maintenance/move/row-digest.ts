import { createHash } from 'node:crypto'

/** A row: values by column. */
export type Row = Readonly<Record<string, string | number | null>>

export interface Digest {
  readonly rows: number
  /** SHA-256 over the rows as JSON arrays, one a line, their columns in the order of the columns' names. */
  readonly sha256: string
}

interface RowDigest {
  add(rows: readonly Row[]): void
  /** The same for one row as its line. */
  addLine(line: string | Uint8Array): void
  result(): Digest
}

/** The same rows in the same order have the same digest on every engine. */
export function digestRows(): RowDigest {
  const hash = createHash('sha256')
  let count = 0
  const addLine = (line: string | Uint8Array) => {
    hash.update(line)
    count++
  }
  return {
    add(rows) {
      for (const row of rows) addLine(lineOf(row))
    },
    addLine,
    result: () => ({ rows: count, sha256: hash.digest('hex') }),
  }
}

/** A row as a line of JSON: its values in the order of the columns' names. */
export function lineOf(row: Row): string {
  const columns = Object.keys(row).sort()
  return `${JSON.stringify(columns.map((column) => requirePlain(column, row[column])))}\n`
}

/** Values of other types might differ between engines. */
function requirePlain(column: string, value: unknown): unknown {
  if (value === null || typeof value === 'string' || Number.isSafeInteger(value)) return value
  throw new Error(`the column ${column} has a ${typeof value}, which may differ between engines`)
}
