import { type MimeType, mimeTypes } from '../resources/media/media.ts'
import { cutAtWord } from '../values/code-points.ts'
import { parseUrl } from '../values/parse-url.ts'
import { sourceLimits } from './source-limits.ts'
import type { SourceMedia } from './source-post.ts'

const typesByExtension: Readonly<Record<string, MimeType>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  jpe: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  svg: 'image/svg+xml',
}

/** What a source knows of an asset besides its URL. */
type AssetFacts = Partial<Omit<SourceMedia, 'url' | 'mimeType'>> & { readonly mimeType?: string }

/** The media record of a URL; undefined for a URL that is not absolute and for types that the service does not register. */
export function mediaOf(url: string, facts: AssetFacts = {}): SourceMedia | undefined {
  if (url.length > sourceLimits.urlLength || !/^https?:\/\/[^\s/]\S*$/i.test(url) || !parseUrl(url)) return undefined
  const filename = facts.filename ?? filenameOf(url)
  const mimeType = mimeTypes.find((type) => type === facts.mimeType) ?? typesByExtension[extensionOf(filename)]
  if (mimeType === undefined || filename === '') return undefined
  const { key = url, size = 0, width = 0, height = 0, alt = '' } = facts
  return {
    key,
    url,
    filename: cutFilename(filename),
    mimeType,
    size: wholeNumber(size),
    width: wholeNumber(width),
    height: wholeNumber(height),
    alt: cutAtWord(alt, sourceLimits.altLength),
  }
}

/** The last part of the path, decoded. */
function filenameOf(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last).replaceAll('/', '-')
  } catch {
    return last
  }
}

function extensionOf(filename: string): string {
  return /\.([a-z]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? ''
}

/** The end of a name says its type. */
function cutFilename(name: string): string {
  return [...name].slice(-sourceLimits.filenameLength).join('')
}

function wholeNumber(value: number): number {
  return Number.isSafeInteger(value) && value > 0 ? value : 0
}
