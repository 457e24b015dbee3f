import { isStorable } from '../../values/code-points.ts'
import { sourceLimits } from '../source-limits.ts'
import { isTextFault, type TextFault } from '../source-post.ts'
import {
  type FieldMap,
  type FieldValue,
  type FrontMatter,
  type FrontMatterFormat,
  isFieldList,
  isFieldMap,
  noFields,
  type ParsedText,
  type ReadText,
} from './field-value.ts'
import { readHeadLines } from './head-lines.ts'
import { readJson } from './read-json.ts'
import { readToml } from './read-toml.ts'
import { readYaml } from './read-yaml.ts'

/** The fields of front matter, named as in the file. */
interface ParsedFrontMatter {
  readonly fields: FieldMap
  readonly lines: ReadonlyMap<string, number>
  readonly notes: readonly string[]
}

const nothing: ParsedText = { value: null, lines: new Map() }

const readers: Readonly<Record<FrontMatterFormat, ReadText>> = {
  yaml: readYaml,
  toml: readToml,
  json: readJson,
  lines: readHeadLines,
  none: () => nothing,
}

export function parseFrontMatter({ format, source, firstLine }: FrontMatter): ParsedFrontMatter | TextFault {
  const parsed = parseText(format, source, firstLine)
  if (isTextFault(parsed)) return parsed
  const { value, lines, notes = [] } = parsed
  if (value === null) return { fields: noFields, lines, notes }
  if (!isFieldMap(value)) return { fault: 'the front matter is no list of names and values', line: firstLine }
  return { fields: value, lines, notes }
}

/** Reads a text in one of the formats. Refuses what a database could not store. */
export function parseText(format: FrontMatterFormat, source: string, firstLine: number): ParsedText | TextFault {
  if (Buffer.byteLength(source) > sourceLimits.frontMatterBytes) {
    return { fault: `longer than ${sourceLimits.frontMatterBytes} bytes`, line: firstLine }
  }
  const parsed = readers[format](source, firstLine)
  if (isTextFault(parsed) || isClean(parsed.value)) return parsed
  return { fault: 'a value holds a NUL character or half of a surrogate pair', line: dirtyLine(parsed) ?? firstLine }
}

function dirtyLine({ value, lines }: ParsedText): number | undefined {
  const entries = isFieldMap(value) ? [...value] : []
  const dirty = entries.find(([key, inner]) => !isClean(key) || !isClean(inner))
  return dirty && lines.get(dirty[0])
}

function isClean(value: FieldValue): boolean {
  if (value === null) return true
  if (isFieldList(value)) return value.every(isClean)
  if (isFieldMap(value)) return [...value].every(([key, inner]) => isClean(key) && isClean(inner))
  return isStorable(value)
}
