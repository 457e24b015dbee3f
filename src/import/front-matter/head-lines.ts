import type { FieldValue, FrontMatter, ParsedText } from './field-value.ts'

/** Names by which a head is recognised that no fence opens. Any other line with a colon may be the first of a text. */
const knownNames = new Set(
  'title date tags tag categories category layout permalink slug author authors draft published status updated lang summary'.split(' '),
)
const field = /^["']?([A-Za-z_][\w-]*)["']?[ \t]*:(?:[ \t]|\r?$|(?=["'[]))/
const definition = /^@def[ \t]+(\w+)[ \t]*=[ \t]*(\S.*)?$/
const continued = /^(?:[ \t]+\S|-[ \t]|#|[\]}])/
const closing = /^(?:-{3,}|;{3,})[ \t]*\r?$/

/**
 * Parts a head that no fence opens from the body: Hexo's, which a fence closes; that of Pelican and MultiMarkdown (`Title: …` up to a blank
 * line); that of Franklin (`@def title = …`). None if the text has no such head.
 */
export function splitHead(text: string, firstLine: number): FrontMatter | undefined {
  const lines = text.split('\n')
  const hexo = hexoEnd(lines)
  if (hexo !== undefined) {
    const isJson = lines[hexo]?.startsWith(';')
    const source = textOf(lines, 0, hexo)
    return {
      format: isJson ? 'json' : 'yaml',
      source: isJson ? `{${source}}` : source,
      firstLine,
      body: textOf(lines, hexo + 1),
    }
  }
  const end = definitionsEnd(lines) ?? linesEnd(lines)
  return end === undefined ? undefined : { format: 'lines', source: textOf(lines, 0, end), firstLine, body: textOf(lines, end) }
}

/** Reads the fields of a head of lines. Every value is text; a name that is there again continues its list. */
export function readHeadLines(source: string, firstLine: number): ParsedText {
  const fields = new Map<string, FieldValue>()
  const lines = new Map<string, number>()
  let last = ''
  for (const [index, line] of source.split('\n').entries()) {
    const [, defined, definedAs = ''] = definition.exec(line) ?? []
    const [matched, named] = field.exec(line) ?? []
    const name = defined ?? named
    if (name === undefined) {
      const more = line.trim()
      if (last !== '' && more !== '') fields.set(last, `${String(fields.get(last) ?? '')} ${more}`.trim())
      continue
    }
    last = name
    lines.set(name, firstLine + index)
    fields.set(name, readValue(name, defined === undefined ? line.slice(matched?.length ?? 0) : definedAs))
  }
  return { value: fields, lines }
}

/** Lists are separated by commas, those of authors also by semicolons. Franklin's texts are quoted. */
function readValue(name: string, written: string): FieldValue {
  const text = written.trim()
  const isList = /^(?:tags|keywords|categories|authors)$/i.test(name)
  const items = text.replace(/^\[(.*)\]$/, '$1').split(/[,;]/)
  const plain = (item: string) => item.trim().replace(/^"(.*)"$/, '$1')
  return isList ? items.map(plain).filter((item) => item !== '') : plain(text)
}

/** The line of Hexo's closing fence, if every line before it belongs to a head with a known name. */
function hexoEnd(lines: readonly string[]): number | undefined {
  const end = lines.findIndex((line) => closing.test(line))
  if (end < 1) return undefined
  const head = lines.slice(0, end).filter((line) => line.trim() !== '')
  const isHead = head.every((line) => field.test(line) || continued.test(line))
  return isHead && head.some(isKnown) ? end : undefined
}

/** The line after the head of Pelican or MultiMarkdown: fields without a gap, one of which is the title. */
function linesEnd(lines: readonly string[]): number | undefined {
  if (!field.test(lines[0] ?? '')) return undefined
  const found = lines.findIndex((line) => !field.test(line) && !/^[ \t]+\S/.test(line))
  const end = found < 0 ? lines.length : found
  const names = lines.slice(0, end).map(nameOf)
  if (!names.includes('title')) return undefined
  return lines[end]?.trim() === '' ? end + 1 : end
}

function definitionsEnd(lines: readonly string[]): number | undefined {
  const found = lines.findIndex((line) => !definition.test(line) && line.trim() !== '')
  const end = found < 0 ? lines.length : found
  return lines.slice(0, end).some((line) => definition.test(line)) ? end : undefined
}

function isKnown(line: string): boolean {
  return knownNames.has(nameOf(line))
}

function nameOf(line: string): string {
  return field.exec(line)?.[1]?.toLowerCase() ?? ''
}

function textOf(lines: readonly string[], from: number, to = lines.length): string {
  const text = lines.slice(from, to).join('\n')
  return to < lines.length && to > from ? `${text}\n` : text
}
