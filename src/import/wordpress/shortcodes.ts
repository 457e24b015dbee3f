/** Shortcodes that WordPress itself, or every highlighter of code, knows. Others stay as text. */

const captionStart = /\[(?:wp_)?caption\b/g

/** A picture with words below it, as HTML. */
export function withCaptions(text: string): string {
  const captionEnd = /\[\/(?:wp_)?caption\]/g
  let made = ''
  let last = 0
  for (const found of text.matchAll(captionStart)) {
    if (found.index < last) continue
    const start = text.indexOf(']', found.index)
    if (start < 0) break
    const single = unescaped(text, found.index, start + 1)
    captionEnd.lastIndex = start
    const close = single === undefined ? captionEnd.exec(text) : null
    if (single === undefined && !close) break
    const end = close ? captionEnd.lastIndex : start + 1
    const escaped = single ?? unescaped(text, found.index, end)
    if (escaped !== undefined) {
      made += text.slice(last, found.index - 1) + escaped
      last = end + 1
      continue
    }
    const words = / caption=(?:"([^"]*)"|'([^']*)')/.exec(text.slice(found.index, start))
    const caption = words ? ` ${words[1] ?? words[2] ?? ''}` : ''
    made += `${text.slice(last, found.index)}\n\n<figure>${splitCaption(text.slice(start + 1, close?.index) + caption)}</figure>\n\n`
    last = end
  }
  return made + text.slice(last)
}

/** A shortcode in a second pair of brackets, which WordPress shows as it is written, without them; undefined for any other. */
function unescaped(text: string, start: number, end: number): string | undefined {
  return text[start - 1] === '[' && text[end] === ']' ? text.slice(start, end) : undefined
}

const escapedAlone = /\[(\[(?:gallery|playlist|audio|video|embed)(?:\s[^[\]]{0,500})?\])\]/g

/** Names of shortcodes that WordPress itself knows and that a second pair of brackets keeps as text. */
export function withPlainNames(text: string): string {
  return text.replace(escapedAlone, '$1')
}

/** The picture, with its link, and the words after it. */
function splitCaption(html: string): string {
  const end = Math.max(html.lastIndexOf('</a>') + '</a>'.length - 1, html.indexOf('>', html.lastIndexOf('<img')))
  const picture = html.slice(0, end + 1)
  const words = html.slice(end + 1).trim()
  return words === '' ? picture : `${picture}<figcaption>${words}</figcaption>`
}

const languages = [
  ...[
    'actionscript',
    'as3',
    'bash',
    'c',
    'clojure',
    'coldfusion',
    'cpp',
    'csharp',
    'css',
    'delphi',
    'diff',
    'erlang',
    'fsharp',
    'go',
    'groovy',
  ],
  ...[
    'haskell',
    'html',
    'java',
    'javafx',
    'javascript',
    'js',
    'latex',
    'matlab',
    'mysql',
    'objc',
    'perl',
    'php',
    'powershell',
    'python',
    'r',
  ],
  ...['ruby', 'scala', 'shell', 'sql', 'swift', 'vb', 'xml', 'yaml'],
]
/** Longer ones are text. */
const maxOpening = 1_000
const codeStart = new RegExp(String.raw`\[(code|sourcecode|source|cc|${languages.join('|')})(?=[\s\]])|<(pre|code)\b`, 'gi')

/** Code between shortcodes, and in `<pre lang>` and `<code lang>` as highlighters read it, with its tags as text. */
export function withCode(text: string): string {
  let made = ''
  let last = 0
  const missing = new Set<string>()
  for (const found of text.matchAll(codeStart)) {
    if (found.index < last) continue
    const name = found[1]
    const opening = openingOf(text.slice(found.index, found.index + maxOpening), name === undefined ? '>' : ']')
    if (opening === undefined || opening.endsWith('/]') || (name === undefined && !/\slang=/i.test(opening))) continue
    const closing = name === undefined ? `</${found[2]}>` : `[/${name}]`
    const start = found.index + opening.length
    if (unescaped(text, found.index, start) !== undefined) continue
    const end = missing.has(closing) ? -1 : text.indexOf(closing, start)
    if (end < 0) {
      missing.add(closing)
      continue
    }
    const after = end + closing.length
    const escaped = unescaped(text, found.index, after)
    made += text.slice(last, escaped === undefined ? found.index : found.index - 1)
    made += escaped ?? codeBlock(opening, name, text.slice(start, end))
    last = escaped === undefined ? after : after + 1
  }
  return made + text.slice(last)
}

/** Up to the mark that ends it; undefined if there is none. */
function openingOf(text: string, mark: string): string | undefined {
  const end = text.indexOf(mark)
  return end < 0 ? undefined : text.slice(0, end + 1)
}

function codeBlock(opening: string, name: string | undefined, code: string): string {
  const named = /\s(?:lang|language)=["']?([\w+#.-]{1,40})/i.exec(opening)?.[1]
  const language = named ?? (languages.includes(name?.toLowerCase() ?? '') ? name : '')
  // Code that was stored with entities has no tags.
  const isEncoded = /\sescaped=["']true/i.test(opening) || (/&(?:lt|gt|amp|quot|#\d+);/.test(code) && !/<[a-z/?!]/i.test(code))
  const escaped = isEncoded ? code : code.replace(/&/g, '&amp;').replace(/</g, '&lt;')
  return `\n\n<pre><code class="language-${language}">${escaped.replace(/^\s*\n/, '')}</code></pre>\n\n`
}

/** How many shortcodes stand in a text, by name. Those in two pairs of brackets are none. */
export function shortcodesIn(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const [, name = ''] of text.matchAll(/(?<!\[)\[([a-z][a-z0-9_-]{2,40})(?:\s[^[\]]{0,500})?\]/g))
    counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
