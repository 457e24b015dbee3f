import { codePointLength, cutAtWord } from '../../../values/code-points.ts'
import { sourceLimits } from '../../source-limits.ts'
import type { Note } from '../../source-post.ts'

/** A text cut at a word to what the service keeps, with a note if anything was cut. */
export function keptText(what: string, text: string, maxLength: number, note: Note): string {
  const length = codePointLength(text)
  if (length <= maxLength) return text
  note(`the ${what} of ${length} characters was cut to ${maxLength}`)
  return cutAtWord(text, maxLength)
}

/** The address when the service may keep it, else null and a note. */
export function keptUrl(what: string, url: string | null, note: Note): string | null {
  if (url === null || isHttpUrl(url)) return url
  note(`the ${what} ${quoted(url)} is not an absolute http(s) address of at most ${sourceLimits.urlLength} characters; left out`)
  return null
}

/** The e-mail address when it has the form of one, else null and a note. */
export function keptEmail(what: string, email: string | null, note: Note): string | null {
  if (email === null || (/^[^\s@]+@[^\s@]+$/.test(email) && codePointLength(email) <= sourceLimits.authorEmailLength)) return email
  note(`the ${what} ${quoted(email)} is no e-mail address of at most ${sourceLimits.authorEmailLength} characters; left out`)
  return null
}

/** For messages: a text in quotes, with its end left out when it is long. */
export function quoted(text: string): string {
  return `"${codePointLength(text) > 100 ? `${cutAtWord(text, 100)}…` : text}"`
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^\s/]\S*$/i.test(text) && codePointLength(text) <= sourceLimits.urlLength && URL.canParse(text)
}
