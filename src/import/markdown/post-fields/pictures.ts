import { quoted } from '../../source-limits.ts'
import type { PostReading } from './parsed-post.ts'

/** `![alt](address "title")`, with the address in angle brackets or not; `src="address"` of an `img`. */
const markdownPicture = /(!\[(?:[^\][\\]|\\.)*\]\(\s*<?)([^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)*)/g
const htmlPicture = /(<img\b[^<>]*?\ssrc\s*=\s*["']?)([^"'\s<>]+)/gi
const definition = /^( {0,3}\[[^\]]+\]:\s*<?)([^\s<>]+\.(?:png|jpe?g|gif|webp|svg|avif))(?=[\s>]|$)/i
const codeFence = /^ {0,3}(`{3,}|~{3,})/
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
  const replace = (line: string) =>
    outsideCode(line, (part) =>
      [markdownPicture, htmlPicture, definition].reduce(
        (result, pattern) => result.replace(pattern, (_, before: string, address: string) => before + map(address)),
        part,
      ),
    )
  let fence = ''
  return text
    .split('\n')
    .map((line) => {
      const mark = codeFence.exec(line)?.[1] ?? ''
      const isInside = fence !== ''
      if (!isInside) fence = mark
      else if (mark.startsWith(fence) && line.trim() === mark) fence = ''
      return isInside || mark !== '' ? line : replace(line)
    })
    .join('\n')
}

/** Applies a change to what is outside spans of code in a line. */
function outsideCode(line: string, change: (part: string) => string): string {
  if (!line.includes('`')) return change(line)
  return line
    .split(/(`+[^`]*`+)/)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('')
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
