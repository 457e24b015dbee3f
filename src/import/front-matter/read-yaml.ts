import { CST, isAlias, isMap, isScalar, isSeq, Lexer, type Node, parseDocument } from 'yaml'
import { sourceLimits } from '../source-limits.ts'
import { isTextFault, type TextFault } from '../source-post.ts'
import { type FieldMap, type FieldValue, isFieldList, isFieldMap, lineFinder, type ParsedText } from './field-value.ts'
import { mendFor, mendYaml, repeatedKey } from './mend-yaml.ts'

const nulls = new Set(['', '~', 'null', 'Null', 'NULL'])

/** Reads YAML with the failsafe schema: every scalar is text, and tags are ignored. What site generators accept beyond YAML is mended. */
export function readYaml(source: string, firstLine: number): ParsedText | TextFault {
  const parsed = readStrict(source, firstLine)
  if (!isTextFault(parsed)) return parsed
  const mended = mendYaml(source)
  const again = mended === source ? parsed : readStrict(mended, firstLine)
  return isTextFault(again) ? parsed : again
}

function readStrict(source: string, firstLine: number): ParsedText | TextFault {
  if (isTooDeep(source)) return { fault: 'not readable YAML: nested too deeply', line: firstLine }
  const lineOf = lineFinder(source, firstLine)
  const document = parseDocument(source, { schema: 'failsafe', prettyErrors: false, uniqueKeys: false })
  const [error] = document.errors
  if (error) return { fault: `not valid YAML: ${error.message}; ${mendFor(error.code, error.message)}`, line: lineOf(error.pos[0]) }
  try {
    const reader = new YamlReader()
    const value = reader.value(document.contents, 0)
    return { value, lines: linesOf(document.contents, lineOf), notes: [...reader.repeated].map(repeatedKey) }
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    return { fault: `not readable YAML: ${error.message}`, line: lineOf(error.offset) }
  }
}

class YamlError extends Error {
  constructor(
    reason: string,
    readonly offset: number,
  ) {
    super(reason)
  }
}

class YamlReader {
  readonly #anchors = new Map<string, Node>()
  /** Keys that are there more than once in their map. */
  readonly repeated = new Set<string>()
  #count = 0

  value(node: unknown, depth: number): FieldValue {
    if (isAlias(node))
      return this.value(
        this.#anchors.get(node.source) ?? refuse(`the alias *${node.source} stands for nothing; ${mendFor('BAD_ALIAS', '')}`, node),
        depth + 1,
      )
    this.#count += 1
    if (this.#count > sourceLimits.values || depth > sourceLimits.depth) refuse('it holds too many values, or repeats itself', node)
    if ((isScalar(node) || isSeq(node) || isMap(node)) && node.anchor) this.#anchors.set(node.anchor, node)
    if (isSeq(node)) return node.items.map((item) => this.value(item, depth + 1))
    if (isMap(node)) return this.#fields(node.items, depth + 1)
    if (!isScalar(node) || node.value === null) return null
    const text = String(node.value)
    return node.type === 'PLAIN' && nulls.has(text) ? null : text
  }

  #fields(pairs: readonly { readonly key: unknown; readonly value: unknown }[], depth: number): FieldValue {
    const fields = new Map<string, FieldValue>()
    for (const { key, value } of pairs) {
      const name = isScalar(key) ? String(key.value) : refuse('a key is not a plain text', key)
      if (fields.has(name)) this.repeated.add(name)
      this.value(key, depth)
      fields.set(name, this.value(value, depth))
    }
    return merged(fields)
  }
}

/** What `<<` brings in, of one map or of several, where the map has no field of that name itself. The first counts. */
function merged(fields: Map<string, FieldValue>): FieldMap {
  const given = fields.get('<<')
  const maps = isFieldList(given) ? given : [given]
  if (given === undefined || !maps.every((each) => each !== undefined && isFieldMap(each))) return fields
  fields.delete('<<')
  for (const map of maps) if (isFieldMap(map)) for (const [name, value] of map) if (!fields.has(name)) fields.set(name, value)
  return fields
}

function refuse(reason: string, node: unknown): never {
  throw new YamlError(reason, offsetOf(node))
}

function linesOf(node: unknown, lineOf: (offset: number) => number): ReadonlyMap<string, number> {
  const pairs = isMap(node) ? node.items : []
  return new Map(pairs.map(({ key }) => [isScalar(key) ? String(key.value) : '', lineOf(offsetOf(key))]))
}

function offsetOf(node: unknown): number {
  return (isScalar(node) || isSeq(node) || isMap(node) || isAlias(node) ? node.range?.[0] : undefined) ?? 0
}

/** Whether the recursive parser could run out of stack: an upper estimate by the lexer, which does not recurse. */
function isTooDeep(source: string): boolean {
  let brackets = 0
  let onLine = 0
  let atLineStart = true
  for (const token of new Lexer().lex(source)) {
    const type = CST.tokenType(token)
    if (type === 'newline') onLine = 0
    else if (type === 'flow-map-start' || type === 'flow-seq-start') brackets += 1
    else if (type === 'flow-map-end' || type === 'flow-seq-end') brackets = Math.max(0, brackets - 1)
    else if (type === 'space' && atLineStart) onLine = token.length
    else if (type === 'explicit-key-ind' || (brackets === 0 && (type === 'seq-item-ind' || type === 'map-value-ind'))) onLine += 1
    atLineStart = type === 'newline'
    if (brackets + onLine > sourceLimits.depth) return true
  }
  return false
}
