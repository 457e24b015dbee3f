import { codePointLength } from '../../../values/code-points.ts'
import type { TocEntry } from './safe-html/anchors.ts'

/** A post as a website shows it. */
export interface Rendered {
  /** Safe to put into any page. */
  readonly html: string
  /** The headings, in order. */
  readonly toc: readonly TocEntry[]
  readonly wordCount: number
  readonly readingTimeMinutes: number
  /** The URLs of the pictures, videos and sounds in it, as they are written. */
  readonly mediaUrls: readonly string[]
  /** Why it is shown as text. */
  readonly failure?: string
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Markdown as it is written, in a `<pre>`. */
export function renderAsText(markdown: string): Rendered {
  const text = markdown.replace(/\r\n?/g, '\n').replace(/[&<>]/g, (character) => escapes[character] ?? '')
  return { html: `<pre>\n${text}</pre>`, toc: [], ...lengthOf(markdown), mediaUrls: [] }
}

const ideographRun = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu
const word = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’_-]*/gu
const wordsPerMinute = 238
const ideographsPerMinute = 500

/** A word is a run of letters and digits. Chinese and Japanese do not part words, so each of their characters counts as one. */
export function lengthOf(text: string): Pick<Rendered, 'wordCount' | 'readingTimeMinutes'> {
  let ideographs = 0
  const others = text.replace(ideographRun, (run) => {
    ideographs += codePointLength(run)
    return ' '
  })
  const words = others.match(word)?.length ?? 0
  const minutes = words / wordsPerMinute + ideographs / ideographsPerMinute
  return { wordCount: words + ideographs, readingTimeMinutes: Math.ceil(minutes) }
}
