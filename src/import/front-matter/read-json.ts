import { sourceLimits } from '../source-limits.ts'
import type { TextFault } from '../source-post.ts'
import { type FieldValue, lineFinder, type ParsedText } from './field-value.ts'
import { repeatedKey } from './mend-yaml.ts'

/** Reads JSON (RFC 8259). Unlike `JSON.parse` it keeps the spelling of numbers, tells of repeated keys and knows the line of a fault. */
export function readJson(source: string, firstLine: number): ParsedText | TextFault {
  const reader = new JsonReader(source, firstLine)
  return reader.attempt(() => {
    const value = reader.value(0)
    reader.skipSpace()
    if (reader.position < source.length) reader.refuse('nothing may follow the value')
    return { value, lines: reader.lines, notes: [...reader.repeated].map(repeatedKey) }
  })
}

/** The offset after the JSON value that a text begins with. */
export function jsonEnd(text: string): number | TextFault {
  const reader = new JsonReader(text, 1)
  return reader.attempt(() => {
    reader.value(0)
    return reader.position
  })
}

class JsonError extends SyntaxError {}

class JsonReader {
  position = 0
  readonly lines = new Map<string, number>()
  /** Keys that are there more than once in their object. */
  readonly repeated = new Set<string>()
  readonly #space = /[ \t\r\n]*/y
  readonly #quoted = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y
  readonly #word = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
  readonly #text: string
  readonly #lineOf: (offset: number) => number

  constructor(text: string, firstLine: number) {
    this.#text = text
    this.#lineOf = lineFinder(text, firstLine)
  }

  attempt<T>(read: () => T): T | TextFault {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      return { fault: `not valid JSON: ${error.message}`, line: this.#line() }
    }
  }

  value(depth: number): FieldValue {
    if (depth > sourceLimits.depth) this.refuse('nested too deeply')
    this.skipSpace()
    const next = this.#text[this.position]
    if (next === '{') return this.#object(depth)
    if (next === '[') return this.#list(depth)
    if (next === '"') return this.#string()
    const word = this.#take(this.#word) ?? this.refuse('a value is missing or misspelt')
    return word === 'null' ? null : word
  }

  skipSpace(): void {
    this.#take(this.#space)
  }

  refuse(reason: string): never {
    throw new JsonError(reason)
  }

  #object(depth: number): FieldValue {
    const fields = new Map<string, FieldValue>()
    this.#items('}', () => {
      const line = this.#line()
      const key = this.#string()
      if (fields.has(key)) this.repeated.add(key)
      this.skipSpace()
      if (!this.#skip(':')) this.refuse('a colon is missing')
      fields.set(key, this.value(depth + 1))
      if (depth === 0) this.lines.set(key, line)
    })
    return fields
  }

  #list(depth: number): FieldValue {
    const list: FieldValue[] = []
    this.#items(']', () => list.push(this.value(depth + 1)))
    return list
  }

  #items(close: string, readItem: () => void): void {
    this.position += 1
    this.skipSpace()
    if (this.#skip(close)) return
    do {
      this.skipSpace()
      readItem()
      this.skipSpace()
    } while (this.#skip(','))
    if (!this.#skip(close)) this.refuse(`a comma or "${close}" is missing`)
  }

  #string(): string {
    const quoted = this.#take(this.#quoted) ?? this.refuse('a text in double quotes is missing or broken')
    return JSON.parse(quoted) as string
  }

  #skip(mark: string): boolean {
    if (this.#text[this.position] !== mark) return false
    this.position += 1
    return true
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position
    const found = pattern.exec(this.#text)?.[0]
    this.position += found?.length ?? 0
    return found
  }

  #line(): number {
    return this.#lineOf(this.position)
  }
}
