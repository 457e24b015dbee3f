import { quoted } from '../source-limits.ts'

const entry = /^(?:[ \t]*- )*[ \t]*["']?[\w.-]+["']?[ \t]*:[ \t]+(?=["'[{])/

/** What to do about a fault of YAML, by the code that the parser gives it. */
const mends: Readonly<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'a text with ": " in it needs quotes around it',
  BAD_SCALAR_START: 'a text that begins with @, %, ` or | needs quotes around it',
  BAD_DQ_ESCAPE: 'put a text with backslashes in single quotes',
  MULTIPLE_DOCS: 'remove the second "---"',
  MULTILINE_IMPLICIT_KEY: 'write one "name: value" a line, all with the same indent',
  BAD_INDENT: 'indent the lines that belong together alike',
  TAB_AS_INDENT: 'indent with spaces',
  UNEXPECTED_TOKEN: 'put the whole text in quotes, and write quotes inside it as \\"',
  BAD_ALIAS: 'a text that begins with * or & needs quotes around it',
}

export function mendFor(code: string, message: string): string {
  if (code !== 'MISSING_CHAR') return mends[code] ?? 'compare the line with those around it'
  return /quote/.test(message) ? 'close the quote' : 'write "name: value", and indent a line that continues the one above'
}

/**
 * The same YAML as strict parsers take it: quoted texts and lists in brackets that go on at column 0 are indented, tabs at the start of a line
 * are spaces (as Hexo has it), and tabs at its end are gone. Lines keep their numbers.
 */
export function mendYaml(source: string): string {
  let open = ''
  const lines = source.split('\n').map((line) => {
    const spaced = withoutTabs(line)
    const text = open === '' ? spaced : ` ${spaced}`
    open = openAfter(text, open)
    return text
  })
  return open === '' ? lines.join('\n') : source.split('\n').map(withoutTabs).join('\n')
}

function withoutTabs(line: string): string {
  const [tabs = ''] = /^[ \t]*/.exec(line) ?? []
  return tabs.replaceAll('\t', '  ') + line.slice(tabs.length).replace(/(?<![ \t])[ \t]+(?=\r?$)/, '')
}

/** What is still open at the end of a line: a quote, or one bracket for each that is not closed. */
function openAfter(line: string, before: string): string {
  let open = before
  const start = before === '' ? (entry.exec(line)?.[0].length ?? line.length) : 0
  for (let at = start; at < line.length; at++) {
    const character = line[at] ?? ''
    const quote = /["']$/.exec(open)?.[0]
    if (quote !== undefined) {
      if (character === '\\' && quote === '"') at += 1
      else if (character === quote) open = open.slice(0, -1)
    } else if ('"\''.includes(character) && /[\s,[{:]$|^$/.test(line.slice(start, at).slice(-1))) open += character
    else if ('[{'.includes(character)) open += character
    else if (']}'.includes(character)) open = open.slice(0, -1)
    if (open === '') return ''
  }
  return open
}

export function repeatedKey(name: string): string {
  return `the field ${quoted(name)} is there more than once; the last counts`
}
