import type { Root } from 'hast'
import { codePointLength } from '../../../values/code-points.ts'
import { createMarkdownParser } from './markdown-parser.ts'
import { type TocEntry, tocOf } from './safe-html/anchors.ts'
import { elementsIn, textOf } from './safe-html/html-tree.ts'
import { toSafeHtml, UnusableHtml } from './safe-html/safe-html.ts'

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
}

/** HTML of more characters than this is shown as text: some Markdown grows when it is rendered. */
const maxHtmlLength = 4 * 1024 * 1024

/**
 * Renders Markdown. Never throws for what is in it: HTML that nobody could read is shown as text. URLs become absolute if there is a base for
 * them.
 */
export function createRenderer(): (markdown: string, baseUrl?: string) => Rendered {
  const parse = createMarkdownParser()
  return (markdown, baseUrl) => {
    try {
      const parsed = parse(markdown)
      if (parsed.html.length > maxHtmlLength) throw new UnusableHtml('The HTML is too long.')
      const { html, tree } = toSafeHtml(parsed.html, { isWellFormed: !parsed.hasRawHtml, baseUrl })
      return { html, toc: tocOf(tree), ...lengthOf(textOf(tree)), mediaUrls: mediaUrlsIn(tree) }
    } catch (error) {
      if (error instanceof UnusableHtml) return renderAsText(markdown)
      throw error
    }
  }
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
function lengthOf(text: string): Pick<Rendered, 'wordCount' | 'readingTimeMinutes'> {
  let ideographs = 0
  const others = text.replace(ideographRun, (run) => {
    ideographs += codePointLength(run)
    return ' '
  })
  const words = others.match(word)?.length ?? 0
  const minutes = words / wordsPerMinute + ideographs / ideographsPerMinute
  return { wordCount: words + ideographs, readingTimeMinutes: Math.ceil(minutes) }
}

function mediaUrlsIn(tree: Root): readonly string[] {
  const urls = elementsIn(tree).flatMap(({ tagName, properties }) => {
    if (!['img', 'source', 'video', 'audio'].includes(tagName)) return []
    const candidates = String(properties.srcSet ?? '')
      .split(', ')
      .map((candidate) => candidate.split(' ', 1)[0] ?? '')
    return [String(properties.src ?? ''), String(properties.poster ?? ''), ...candidates]
  })
  return [...new Set(urls)].filter((url) => url !== '')
}
