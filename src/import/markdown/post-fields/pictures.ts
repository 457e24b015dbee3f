import { quoted } from '../../source-limits.ts'
import type { PostReading } from './parsed-post.ts'

/** `![alt](address "title")`, with the address in angle brackets or not, and without brackets of its own in the text; `src="address"` of an `img`. */
const markdownPicture = /(!\[(?:\\.|[^\\[\]])*\]\(\s*<?)([^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)*)/g
const htmlPicture = /(<img\b[^<>]*?\ssrc\s*=\s*["']?)([^"'\s<>]+)/gi
const definition = /^( {0,3}\[[^\]\r\n\u2028\u2029]+\]:[ \t]*<?)([^\s<>]+\.(?:png|jpe?g|gif|webp|svg|avif))(?=[\s>]|$)/gim
/** Also in lists and quotations. */
const codeFence = /^[\s>]*(?:[-*+]\s+)?(`{3,}(?=[^`]*$)|~{3,})/
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
    if (!isInside && mark === '' && line.trim() !== '') paragraph.push(line)
    else {
      flush()
      parts.push(line)
    }
  }
  flush()
  return parts.join('\n')
}

/** Lines without a blank one between them: an alternative text may go on over several, as a span of code may. */
function mapParagraph(paragraph: string, map: (address: string) => string): string {
  if (!/!\[|<img|\]:/i.test(paragraph)) return paragraph
  const isCode = codeSpans(paragraph)
  const replace = (result: string, pattern: RegExp, skips: (at: number) => boolean) =>
    result.replace(pattern, (...found: unknown[]) => {
      const [whole, before, address, at] = found as [string, string, string, number]
      return skips(at) ? whole : before + map(address)
    })
  const pieces = [markdownPicture, htmlPicture].reduce(
    (result, pattern) => replace(result, pattern, result === paragraph ? isCode : codeSpans(result)),
    paragraph,
  )
  return replace(pieces, definition, () => false)
}

/** Tells whether a character of a paragraph is in a span of code: between two runs of as many backticks. */
function codeSpans(paragraph: string): (at: number) => boolean {
  const runs = [...paragraph.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ length, index }))
  const next = new Map<number, number>()
  const closing = runs.map(() => -1)
  for (let run = runs.length - 1; run >= 0; run--) {
    const length = runs[run]?.length ?? 0
    closing[run] = next.get(length) ?? -1
    next.set(length, run)
  }
  const spans: { readonly start: number; readonly end: number }[] = []
  for (let run = 0; run < runs.length; run++) {
    const end = closing[run] ?? -1
    if (end < 0) continue
    spans.push({ start: runs[run]?.index ?? 0, end: runs[end]?.index ?? 0 })
    run = end
  }
  return (at) => spans.some(({ start, end }) => start <= at && at < end)
}

function isAbsolute(address: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\{|\$|%7b)/i.test(address)
}

/** A relative address is relative to the page of the post, which has to be known. */
function absolute(address: string, siteUrl: string | undefined, ownPath: string | undefined): string | undefined {
  if (siteUrl === undefined || isAbsolute(address)) return undefined
  if (!address.startsWith('/') && ownPath === undefined) return undefined
  const base = new URL(ownPath ?? '/', siteUrl).href
  return URL.canParse(address, base) ? new URL(address, base).href : undefined
}
