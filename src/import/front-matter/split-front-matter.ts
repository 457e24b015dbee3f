import { isTextFault, type TextFault } from '../source-post.ts'
import type { FrontMatter, FrontMatterFormat } from './field-value.ts'
import { splitHead } from './head-lines.ts'
import { jsonEnd } from './read-json.ts'

const opening = /^( {0,3})(-{3,}|\+{3,}|;{3,})[ \t]*(?:([A-Za-z]+)[ \t]*)?(?:\r?\n|$)/
const bareObject = /^\{\s*["}]/
const anyField = /^\s*["']?[\w-]+["']?[ \t]*[:=]/
const formats: Readonly<Record<string, FrontMatterFormat>> = { yaml: 'yaml', yml: 'yaml', toml: 'toml', json: 'json' }

/**
 * Splits a file into front matter and body: between fences (`---`, `+++`, `---json`, longer ones, Hexo's `;;;`), a leading JSON object, or
 * lines before a closing fence alone, as Hexo takes them. A byte order mark and blank lines before it belong to neither.
 */
export function splitFrontMatter(file: string): FrontMatter | TextFault {
  const text = file.replace(/^[\uFEFF\u200B]+/, '')
  const start = blankStart(text)
  const firstLine = text.slice(0, start).split('\n').length
  const rest = text.slice(start)
  const fence = opening.exec(rest)
  const fenced = fence ? splitFenced(rest, fence, firstLine) : undefined
  if (fenced) return fenced
  if (bareObject.test(rest)) return splitBareObject(rest, firstLine)
  const head = fence ? undefined : splitHead(rest, firstLine)
  return head ?? { format: 'none', source: '', firstLine: 1, body: text }
}

/** The offset of the first line that is not blank. */
function blankStart(text: string): number {
  const blank = /^(?:[^\S\n]|\u200B)*\n/
  let start = 0
  for (let found = blank.exec(text); found; found = blank.exec(text.slice(start, start + 4096))) start += found[0].length
  return start
}

/** None for a thematic break: dashes that are longer than a fence and have no fields behind them. */
function splitFenced(text: string, fence: RegExpExecArray, line: number): FrontMatter | TextFault | undefined {
  const [whole, indent = '', mark = '', language = ''] = fence
  const format = language === '' ? formatOf(mark) : formats[language.toLowerCase()]
  if (!format) return { fault: `front matter written in "${language}" cannot be read`, line }
  const closings = mark === '---' && format === 'yaml' ? ['---', '...'] : [mark]
  const isClosing = (candidate: string) => closings.includes(indent === '' ? candidate.trimEnd() : candidate.trim())
  let start = whole.length
  while (start < text.length) {
    const end = lineEnd(text, start)
    if (isClosing(text.slice(start, end))) {
      const source = text.slice(whole.length, start)
      return { format, source: mark.startsWith(';') ? `{${source}}` : source, firstLine: line + 1, body: text.slice(end) }
    }
    start = end
  }
  if (mark.length > 3 && !anyField.test(text.slice(whole.length))) return undefined
  return { fault: `the front matter that "${mark}" opens is never closed; close it with a line "${mark}"`, line }
}

function formatOf(mark: string): FrontMatterFormat {
  if (mark.startsWith('+')) return 'toml'
  return mark.startsWith(';') ? 'json' : 'yaml'
}

function splitBareObject(text: string, firstLine: number): FrontMatter | TextFault {
  const end = jsonEnd(text)
  if (isTextFault(end)) return { ...end, line: (end.line ?? 1) + firstLine - 1 }
  const source = text.slice(0, end)
  const bodyStart = lineEnd(text, end)
  if (text.slice(end, bodyStart).trim() !== '')
    return { fault: 'text follows the front matter on its last line', line: firstLine + source.split('\n').length - 1 }
  return { format: 'json', source, firstLine, body: text.slice(bodyStart) }
}

/** The offset of the next line. */
export function lineEnd(text: string, from: number): number {
  const newline = text.indexOf('\n', from)
  return newline < 0 ? text.length : newline + 1
}
