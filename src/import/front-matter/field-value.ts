import type { TextFault } from '../source-post.ts'

/** A value of any front matter: numbers, dates and yes or no stay the text that was written, so that a title `1.0` or `no` keeps its spelling. */
export type FieldValue = string | null | readonly FieldValue[] | FieldMap

export type FieldMap = ReadonlyMap<string, FieldValue>

/** A parsed text, and on which line of its file each of its outermost keys stands. */
export interface ParsedText {
  readonly value: FieldValue
  readonly lines: ReadonlyMap<string, number>
}

/** Reads a text that begins on a given line of its file. */
export type ReadText = (source: string, firstLine: number) => ParsedText | TextFault

export const noFields: FieldMap = new Map()

/** The fields of both, the upper's where a name is in both. */
export function layered(upper: FieldMap, lower: FieldMap): FieldMap {
  return new Map([...upper, ...[...lower].filter(([name]) => !upper.has(name))])
}

export function isFieldMap(value: FieldValue | undefined): value is FieldMap {
  return value instanceof Map
}

export function isFieldList(value: FieldValue | undefined): value is readonly FieldValue[] {
  return Array.isArray(value)
}

/** Tells the line of a file that an offset into a part of it falls on, the part beginning on `firstLine`. */
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
