import { parseUrl } from '../../../values/parse-url.ts'
import { quoted } from '../../source-limits.ts'
import type { PostReading } from './parsed-post.ts'

/** What matters for finding the end of an alternative text. */
const bracket = /\\[\s\S]|!?\[|\]/g
/** What follows the alternative text, up to the end of the address, in angle brackets or not. */
const address = /\(\s*<?([^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)*)/dy
const htmlPicture = /<img\b[^<>]*?\ssrc\s*=\s*["']?([^"'\s<>]+)/dgi
const definition = /^ {0,3}\[[^\]\r\n\u2028\u2029]+\]:[ \t]*<?([^\s<>]+\.(?:png|jpe?g|gif|webp|svg|avif))(?=[\s>]|$)/dgim
/** Also in lists and quotations. */
const codeFence = /^[\s>]*(?:[-*+]\s+)?(`{3,}(?=[^`]*$)|~{3,})/
const indent = /^(?: {4}| {0,3}\t)/
/** Indented lines may belong to it: an item of a list, a footnote, a definition, HTML, a note or a tab of MkDocs. */
const holder = /^ {0,3}(?:[-*+](?:\s|$)|\d{1,9}[.)](?:\s|$)|\[\^|[:<]|!!!|\?\?\?|===)/
const maxNamed = 5

interface Pictures {
  readonly content: string
  /** Makes an address of the front matter absolute, if the site is known. */
  toAbsolute(address: string): string
}

/** The text with the addresses of its pictures made absolute. Without the site's address the text stays, and they are listed. */
export function resolvePictures(reading: PostReading, ownPath: string | undefined): Pictures {
  const { body, settings, note, lose } = reading
  const toAbsolute = (address: string) => absolute(address, settings.siteUrl, ownPath) ?? address
  const left: string[] = []
  const content = mapPictures(body, (address) => {
    if (isAbsolute(address)) return address
    const resolved = absolute(address, settings.siteUrl, ownPath)
    if (resolved === undefined) left.push(address)
    return resolved ?? address
  })
  if (left.length > 0) {
    const named = [...new Set(left)].slice(0, maxNamed).map(quoted).join(', ')
    note(`pictures with an address inside the old site were left as they are (--site-url makes them absolute): ${named}`)
    lose('pictures with an address inside the old site', left.length)
  }
  return { content, toAbsolute }
}

/** Replaces the addresses of pictures outside code. */
export function mapPictures(text: string, map: (address: string) => string): string {
  let fence = ''
  let paragraph: string[] = []
  const isIndentedCode = indentedCodeFinder()
  const parts: string[] = []
  const flush = () => {
    if (paragraph.length > 0) parts.push(mapParagraph(paragraph.join('\n'), map))
    paragraph = []
  }
  for (const line of text.split('\n')) {
    const mark = codeFence.exec(line)?.[1] ?? ''
    const isInside = fence !== ''
    if (!isInside) fence = mark
    else if (mark.startsWith(fence) && line.trim().endsWith(mark)) fence = ''
    if (!isInside && mark === '' && !isIndentedCode(line) && line.trim() !== '') paragraph.push(line)
    else {
      flush()
      parts.push(line)
    }
  }
  flush()
  return parts.join('\n')
}

/** Makes the finder of code that is indented: it is given the lines outside fences in their order. Whatever is unclear is no code. */
function indentedCodeFinder(): (line: string) => boolean {
  let isHeld = false
  let isBlockStart = true
  return (line) => {
    const isBlank = line.trim() === ''
    const isCode = !isBlank && !isHeld && isBlockStart && indent.test(line)
    if (holder.test(line)) isHeld = true
    else if (isBlockStart && /^\S/.test(line)) isHeld = false
    isBlockStart = isBlank || isCode
    return isCode
  }
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Lines without a blank one between them: an alternative text may go on over several, as a span of code may. */
function mapParagraph(paragraph: string, map: (address: string) => string): string {
  if (!/!\[|<img|\]:/i.test(paragraph)) return paragraph
  const isCode = memberOf(codeSpans(paragraph))
  const inHtml = spansOf(paragraph.matchAll(htmlPicture)).filter(({ start }) => !isCode(start))
  const found = [...addressesIn(paragraph), ...inHtml, ...spansOf(paragraph.matchAll(definition))]
  let made = ''
  let last = 0
  for (const { start, end } of found.sort((a, b) => a.start - b.start)) {
    if (start < last) continue
    made += paragraph.slice(last, start) + map(paragraph.slice(start, end))
    last = end
  }
  return made + paragraph.slice(last)
}

/** Where the addresses of `![alt](address "title")` are. Brackets in an alternative text come in pairs. */
function addressesIn(paragraph: string): readonly Span[] {
  const isCode = memberOf(codeSpans(paragraph))
  const open: string[] = []
  const found: Span[] = []
  for (const { 0: mark, index } of paragraph.matchAll(bracket)) {
    if (mark.startsWith('\\') || isCode(index)) continue
    if (mark !== ']') open.push(mark)
    else if (open.pop() === '![') {
      address.lastIndex = index + 1
      const match = address.exec(paragraph)
      if (match) found.push(...spansOf([match]))
    }
  }
  return found
}

/** Where the first group of each match is. */
function spansOf(matches: Iterable<RegExpExecArray>): readonly Span[] {
  return [...matches].flatMap(({ indices }): readonly Span[] => {
    const [start, end] = indices?.[1] ?? []
    return start === undefined || end === undefined ? [] : [{ start, end }]
  })
}

/** The spans of code of a paragraph: between two runs of as many backticks. */
function codeSpans(paragraph: string): readonly Span[] {
  const runs = [...paragraph.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ length, index }))
  const next = new Map<number, number>()
  const closing = runs.map(() => -1)
  for (let run = runs.length - 1; run >= 0; run--) {
    const length = runs[run]?.length ?? 0
    closing[run] = next.get(length) ?? -1
    next.set(length, run)
  }
  const spans: Span[] = []
  for (let run = 0; run < runs.length; run++) {
    const end = closing[run] ?? -1
    if (end < 0) continue
    spans.push({ start: runs[run]?.index ?? 0, end: runs[end]?.index ?? 0 })
    run = end
  }
  return spans
}

/** Tells whether a place is in one of the spans. Places are asked for in their order. */
function memberOf(spans: readonly Span[]): (at: number) => boolean {
  let next = 0
  return (at) => {
    while ((spans[next]?.end ?? Number.POSITIVE_INFINITY) <= at) next += 1
    return (spans[next]?.start ?? Number.POSITIVE_INFINITY) <= at
  }
}

function isAbsolute(address: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\{|\$|%7b)/i.test(address)
}

/** A relative address is relative to the page of the post, which has to be known. */
function absolute(address: string, siteUrl: string | undefined, ownPath: string | undefined): string | undefined {
  if (siteUrl === undefined || isAbsolute(address)) return undefined
  if (!address.startsWith('/') && ownPath === undefined) return undefined
  const base = new URL(ownPath ?? '/', siteUrl).href
  return parseUrl(address, base)?.href
}
