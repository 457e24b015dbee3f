import { isTextFault, type TextFault } from '../source-post.ts'
import { jsonEnd } from './read-json.ts'

export type FrontMatterFormat = 'yaml' | 'toml' | 'json' | 'none'

/** The two parts of a file: front matter and body. */
export interface FrontMatter {
  readonly format: FrontMatterFormat
  /** The text between the fences, or the bare JSON object. */
  readonly source: string
  /** The line of the file on which `source` begins. */
  readonly firstLine: number
  /** Everything after the line of the closing fence, unchanged. */
  readonly body: string
}

const opening = /^(---|\+\+\+)([A-Za-z]*)[ \t]*(?:\r?\n|$)/
const bareObject = /^\{\s*["}]/
const formats: Readonly<Record<string, FrontMatterFormat>> = { yaml: 'yaml', yml: 'yaml', toml: 'toml', json: 'json' }

/** Splits a file into front matter (`---`, `+++`, `---json` or a leading JSON object) and body. A byte order mark belongs to neither. */
export function splitFrontMatter(file: string): FrontMatter | TextFault {
  const text = file.startsWith('\uFEFF') ? file.slice(1) : file
  const fence = opening.exec(text)
  if (fence) return splitFenced(text, fence)
  if (bareObject.test(text)) return splitBareObject(text)
  return { format: 'none', source: '', firstLine: 1, body: text }
}

function splitFenced(text: string, fence: RegExpExecArray): FrontMatter | TextFault {
  const [line, mark = '', language = ''] = fence
  const format = language === '' ? (mark === '+++' ? 'toml' : 'yaml') : formats[language.toLowerCase()]
  if (!format) return { fault: `front matter written in "${language}" cannot be read`, line: 1 }
  const closings = mark === '---' && format === 'yaml' ? ['---', '...'] : [mark]
  let start = line.length
  while (start < text.length) {
    const end = lineEnd(text, start)
    if (closings.includes(text.slice(start, end).trimEnd())) {
      return { format, source: text.slice(line.length, start), firstLine: 2, body: text.slice(end) }
    }
    start = end
  }
  return { fault: `the front matter that "${mark}" opens is never closed`, line: 1 }
}

function splitBareObject(text: string): FrontMatter | TextFault {
  const end = jsonEnd(text)
  if (isTextFault(end)) return end
  const source = text.slice(0, end)
  const bodyStart = lineEnd(text, end)
  if (text.slice(end, bodyStart).trim() !== '')
    return { fault: 'text follows the front matter on its last line', line: source.split('\n').length }
  return { format: 'json', source, firstLine: 1, body: text.slice(bodyStart) }
}

/** The offset of the next line. */
function lineEnd(text: string, from: number): number {
  const newline = text.indexOf('\n', from)
  return newline < 0 ? text.length : newline + 1
}
