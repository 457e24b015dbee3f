import { parse, TomlDate, TomlError } from 'smol-toml'
import { parseInstant } from '../../values/instant.ts'
import { sourceLimits } from '../source-limits.ts'
import type { TextFault } from '../source-post.ts'
import type { FieldValue, ParsedText } from './field-value.ts'

const keyLine = /^[ \t]*(?:"([^"]+)"|([\w-]+))[ \t]*=[ \t]*(\d{4}-\d\d-\d\d)?/

/** What Franklin has in front matter that is TOML otherwise. */
const ofJulia = /(=[ \t]*)((?:Dates\.)?Date\([\d, ]{8,16}\))/g

/** Reads TOML. Dates keep their offset, or stay without one. */
export function readToml(source: string, firstLine: number): ParsedText | TextFault {
  try {
    const value = toValue(parse(source.replace(ofJulia, '$1"$2"'), { integersAsBigInt: 'asNeeded', maxDepth: sourceLimits.depth }), 0)
    return readLines(source, firstLine, value)
  } catch (error) {
    if (error instanceof RangeError) return { fault: 'not readable TOML: nested too deeply', line: firstLine }
    if (!(error instanceof TomlError)) throw error
    const [reason = ''] = error.message.split('\n')
    const mend = /redefine/.test(reason) ? '; a key may be there only once: remove one of the two' : ''
    return { fault: `not valid TOML: ${reason.replace(/^Invalid TOML document: /, '')}${mend}`, line: firstLine + error.line - 1 }
  }
}

/** Limits the depth here too: the parser does not limit that of dotted keys. */
function toValue(value: unknown, depth: number): FieldValue {
  if (depth > sourceLimits.depth) throw new RangeError('nested too deeply')
  if (Array.isArray(value)) return value.map((item) => toValue(item, depth + 1))
  if (value instanceof TomlDate) return value.toISOString()
  if (typeof value !== 'object' || value === null) return String(value)
  return new Map(Object.entries(value).map(([key, inner]) => [key, toValue(inner, depth + 1)]))
}

/** The lines of the keys before the first table. Also refuses February 30, which the parser silently turns into March 2. */
function readLines(source: string, firstLine: number, value: FieldValue): ParsedText | TextFault {
  const lines = new Map<string, number>()
  let inTable = false
  for (const [index, text] of source.split('\n').entries()) {
    const [, quoted, bare, day] = keyLine.exec(text) ?? []
    const key = quoted ?? bare
    const line = firstLine + index
    if (day && !parseInstant(`${day}T00:00:00Z`)) return { fault: `there is no day ${day}`, line }
    inTable ||= text.trimStart().startsWith('[')
    if (key !== undefined && !inTable && !lines.has(key)) lines.set(key, line)
  }
  return { value, lines }
}
