import type { TextFault } from '../source-post.ts'

/** A value of front matter. Numbers, dates and booleans stay text, so that a title `1.0` or `no` keeps its spelling. */
export type FieldValue = string | null | readonly FieldValue[] | FieldMap

export type FieldMap = ReadonlyMap<string, FieldValue>

export type FrontMatterFormat = 'yaml' | 'toml' | 'json' | 'lines' | 'none'

/** The two parts of a file: front matter and body. */
export interface FrontMatter {
  readonly format: FrontMatterFormat
  /** The text between the fences, or the bare JSON object. */
  readonly source: string
  /** The line of the file on which `source` begins. */
  readonly firstLine: number
  /** Everything after the line of the closing fence, unchanged. */
  readonly body: string
}

/** A parsed text, and the line of each top-level key in its file. */
export interface ParsedText {
  readonly value: FieldValue
  readonly lines: ReadonlyMap<string, number>
  /** What was accepted although it is no clean text of its format, one sentence each. */
  readonly notes?: readonly string[]
}

/** Reads a text that begins on line `firstLine` of its file. */
export type ReadText = (source: string, firstLine: number) => ParsedText | TextFault

export const noFields: FieldMap = new Map()

/** The fields of both maps. The upper map wins. */
export function layered(upper: FieldMap, lower: FieldMap): FieldMap {
  return new Map([...upper, ...[...lower].filter(([name]) => !upper.has(name))])
}

export function isFieldMap(value: FieldValue | undefined): value is FieldMap {
  return value instanceof Map
}

export function isFieldList(value: FieldValue | undefined): value is readonly FieldValue[] {
  return Array.isArray(value)
}

/** Makes a function from offsets in `source`, which begins on line `firstLine` of its file, to lines of the file. */
export function lineFinder(source: string, firstLine: number): (offset: number) => number {
  const newlines: number[] = []
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) newlines.push(at)
  return (offset) => {
    let low = 0
    let high = newlines.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((newlines[middle] ?? offset) < offset) low = middle + 1
      else high = middle
    }
    return firstLine + low
  }
}
