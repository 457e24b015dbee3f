import { isSitePath } from '../actions/validation/schema-types.ts'
import { codePointLength, cutAtWord, isStorable } from '../values/code-points.ts'
import { parseUrl } from '../values/parse-url.ts'
import type { Note } from './source-post.ts'

/** The limits of the service and of one file of a source. Lengths are in code points, sizes in bytes. */
export const sourceLimits = {
  titleLength: 300,
  excerptLength: 1000,
  seoTitleLength: 300,
  seoDescriptionLength: 1000,
  urlLength: 2048,
  contentBytes: 1024 * 1024,
  /** Media records that one post makes. */
  media: 500,
  filenameLength: 255,
  altLength: 2000,
  tags: 50,
  tagLength: 80,
  aliases: 50,
  aliasBytes: 2_048,
  /** A post keeps the first; the others are created all the same. */
  authors: 50,
  categories: 50,
  authorNameLength: 300,
  authorEmailLength: 254,
  authorBioLength: 10_000,
  categoryLength: 200,
  /** Far more than anybody writes by hand; bounds the worst case of the parsers. */
  frontMatterBytes: 256 * 1024,
  /** More than the longest content and front matter together. A larger file is refused unread. */
  fileBytes: 2 * 1024 * 1024,
  /** Values in one front matter with aliases expanded: stops an alias bomb. */
  values: 50_000,
  depth: 100,
} as const

/** A batch that has reached one of these is written, in one transaction. */
export const batchLimits = {
  /** So few that a server beside the import hardly waits for its turn to write. */
  posts: 100,
  /** UTF-16 units. */
  contentLength: 4 * 1024 * 1024,
  /** Authors, categories, tags and media, counted each time they are named: SQLite takes 32,766 values in one statement. */
  references: 1_000,
} as const

/** Cuts a text at a word to the longest that the service keeps, with a note if anything was cut. */
export function fitText(what: string, text: string, maxLength: number, note: Note): string {
  const length = codePointLength(text)
  if (length <= maxLength) return text
  note(`the ${what} of ${length} characters was cut to ${maxLength}`)
  return cutAtWord(text, maxLength)
}

/** The URL if the service accepts it, else null and a note. */
export function fitUrl(what: string, url: string | null, note: Note): string | null {
  if (url === null || isHttpUrl(url)) return url
  note(`the ${what} ${quoted(url)} is not an absolute http(s) address of at most ${sourceLimits.urlLength} characters; left out`)
  return null
}

/** The aliases that the service accepts, with a note on the others. */
export function fitAliases(aliases: readonly string[], note: Note): readonly string[] {
  const isAccepted = (alias: string) => isSitePath(alias) && isStorable(alias) && Buffer.byteLength(alias) <= sourceLimits.aliasBytes
  for (const alias of aliases)
    if (!isAccepted(alias)) note(`the alias ${quoted(alias)} is no path of the site of at most ${sourceLimits.aliasBytes} bytes; left out`)
  const accepted = aliases.filter(isAccepted)
  if (accepted.length > sourceLimits.aliases) note(`of ${accepted.length} aliases, the first ${sourceLimits.aliases} were kept`)
  return accepted.slice(0, sourceLimits.aliases)
}

/** The e-mail address if it is well-formed, else null and a note. */
export function fitEmail(what: string, email: string | null, note: Note): string | null {
  if (email === null || (/^[^\s@]+@[^\s@]+$/.test(email) && codePointLength(email) <= sourceLimits.authorEmailLength)) return email
  note(`the ${what} ${quoted(email)} is no e-mail address of at most ${sourceLimits.authorEmailLength} characters; left out`)
  return null
}

/** A text in quotes for a message, shortened if it is long. */
export function quoted(text: string): string {
  return `"${codePointLength(text) > 100 ? `${cutAtWord(text, 100)}…` : text}"`
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^\s/]\S*$/i.test(text) && codePointLength(text) <= sourceLimits.urlLength && parseUrl(text) !== undefined
}
