import { quoted } from '../source-limits.ts'
import type { FrontMatter } from './field-value.ts'

/** Lines in which metadata are looked for that nothing here reads. */
const headLines = 60
const fence = /^\W{0,3}(?:---|\+\+\+|;;;)\W*$/
const field = /^\s*["']?[A-Za-z_][\w-]*["']?\s*[:=]/
const secret = /^\W*(?:is)?[-_]?(?:draft|published|publish|private|unlisted|hidden|status|visibility)["']?\s*[:=]/i
const exported = /^export\s+(?:const\s+(?:meta|metadata|frontmatter)\b|default\s*\{)/i
/** Pandoc's title block, Nikola's and reStructuredText's fields, Org's. */
const otherHeads = /^(?:@def\s|%\s+\S|\.\.\s+\w+:|:\w+:|#\+\w+:)/
const oneWord = /^[A-Za-z_][\w-]*:(?:\s|$)/
const someWords = /^[A-Za-z_][\w-]*(?: [\w-]+){1,2}:\s+\S/

/**
 * Why a text may have metadata that were not read, such as `draft: true` in a form of its own; undefined if there is no sign of it. Such a
 * text is not published: its author may have said not to.
 */
export function doubtAbout({ format, source, body }: FrontMatter): string | undefined {
  if (format === 'lines') return `it begins with ${quoted(firstOf(source))} without a line "---" above`
  const lines = body.split(/\r\n|\r|\n/).slice(0, headLines)
  const first = lines.findIndex((line) => line.trim() !== '')
  if (first < 0) return undefined
  if (fence.test(lines[first] ?? '') && field.test(lines[first + 1] ?? '')) return 'its text begins with another front matter'
  return format === 'none' ? doubtAboutPlain(lines.slice(first)) : undefined
}

function doubtAboutPlain(lines: readonly string[]): string | undefined {
  // Nikola writes its fields into a comment.
  const [start = ''] = lines.filter((line) => line.trim() !== '' && line.trim() !== '<!--')
  if (otherHeads.test(start) || oneWord.test(start) || someWords.test(start))
    return `it begins with ${quoted(start.trim())}, which is no front matter`
  const inner = lines.findIndex((line, index) => fence.test(line) && field.test(lines[index + 1] ?? ''))
  if (inner >= 0) return 'it has what looks like front matter, but not at its beginning'
  const line = lines.find((each) => secret.test(each) || exported.test(each))
  return line === undefined ? undefined : `its line ${quoted(line.trim())} looks like metadata`
}

function firstOf(source: string): string {
  return source.slice(0, source.indexOf('\n') < 0 ? undefined : source.indexOf('\n')).trim()
}
