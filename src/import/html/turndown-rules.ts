import { gfm } from '@joplin/turndown-plugin-gfm'
import TurndownService from 'turndown'

/** What the rules use of a node. */
interface DomNode {
  readonly nodeName: string
  readonly textContent: string | null
  readonly firstChild: DomNode | null
  readonly parentNode: DomNode | null
  readonly previousElementSibling: DomNode | null
  readonly outerHTML: string
  /** Of a table. */
  readonly rows?: ArrayLike<DomNode>
  getAttribute(name: string): string | null
}

/** Elements without a form in Markdown, whose text is Markdown all the same. */
export const keptInline = [
  'abbr',
  'bdi',
  'bdo',
  'cite',
  'dfn',
  'ins',
  'kbd',
  'mark',
  'q',
  'rp',
  'rt',
  'ruby',
  'samp',
  'small',
  'sub',
  'sup',
  'time',
  'u',
  'var',
]
const keptAttributes = ['id', 'title', 'lang', 'dir', 'cite', 'datetime']

/** Elements that stay as they are. */
export const keptTags = [
  'iframe',
  'video',
  'audio',
  'object',
  'embed',
  'svg',
  'math',
  'canvas',
  'form',
  'button',
  'select',
  'textarea',
  'details',
  'dl',
  'picture',
]

/** Turns HTML into CommonMark with the tables, strikethrough and task lists of GFM. */
export function createTurndown(): (html: string) => string {
  const service = new TurndownService({
    headingStyle: 'atx',
    hr: '---',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
  })
  service.use(gfm)
  service.keep(keptTags as never)
  const add = (name: string, tags: readonly string[], replacement: (content: string, node: DomNode) => string) =>
    service.addRule(name, {
      filter: ((node: DomNode) => tags.includes(node.nodeName.toLowerCase())) as never,
      replacement: replacement as never,
    })
  add('keptInline', keptInline, (content, node) => {
    const name = node.nodeName.toLowerCase()
    return content.trim() === '' ? content : `<${name}${attributesOf(node, keptAttributes)}>${content}</${name}>`
  })
  add('preformatted', ['pre'], (_, node) => `\n\n${fenced(node.textContent ?? '', languageOf(classesOf(node)))}\n\n`)
  add('lineBreak', ['br'], (_, node) => (isInCell(node) ? '<br>' : '\\\n'))
  add('heading', ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'], heading)
  add('link', ['a'], link)
  add('image', ['img'], (_, node) => {
    const src = node.getAttribute('src') ?? ''
    return src === '' ? '' : `![${service.escape(oneLine(node.getAttribute('alt')))}](${destination(src)}${titleOf(node)})`
  })
  add('strikethrough', ['del', 's', 'strike'], (content) => (content.trim() === '' ? content : `~~${content}~~`))
  add('list', ['ul', 'ol'], list)
  add('listItem', ['li'], listItem)
  service.addRule('rows', { filter: ((node: DomNode) => rememberRows(node)) as never, replacement: () => '' })
  const escapeSome = service.escape
  service.escape = (text) => escapeMore(escapeSome(text))
  return (html) => service.turndown(html)
}

/** Gives a table its rows before the first of them is converted: its DOM would look for all of them whenever a row is asked for. No node matches. */
function rememberRows(node: DomNode): false {
  let table: DomNode | null = node.nodeName === 'TR' ? node.parentNode : null
  while (table && table.nodeName !== 'TABLE') table = table.parentNode
  if (table?.rows && !Object.hasOwn(table, 'rows')) Object.defineProperty(table, 'rows', { value: Array.from(table.rows) })
  return false
}

/** What the library leaves open: tags, entities, strikethrough and list numbers with a bracket. */
function escapeMore(text: string): string {
  return text
    .replace(/<(?=[a-zA-Z/!?])/g, '\\<')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/~~/g, '\\~\\~')
    .replace(/^(\s*\d+)\)(?=\s)/g, '$1\\)')
    .replace(/\{#(?=[^\s{}#]+\}\s*$)/g, '\\{#')
}

function link(content: string, node: DomNode): string {
  const href = node.getAttribute('href')
  const anchor = node.getAttribute('id') ?? node.getAttribute('name')
  const mark = anchor === null || anchor === '' ? '' : `<a id="${escapeAttribute(anchor)}"></a>`
  if (href === null) return `${mark}${content}`
  return `${mark}[${content.replace(/\s+/g, (blank) => (blank.includes('\n') ? ' ' : blank))}](${destination(href)}${titleOf(node)})`
}

function isInCell(node: DomNode): boolean {
  for (let parent = node.parentNode; parent; parent = parent.parentNode) if (/^T[DH]$/.test(parent.nodeName)) return true
  return false
}

/** An id stays if a link of the text leads to it. */
function heading(content: string, node: DomNode): string {
  const id = node.getAttribute('id') ?? ''
  const mark = /^[^\s{}#]+$/.test(id) ? ` {#${id}}` : ''
  return `\n\n${'#'.repeat(Number(node.nodeName.charAt(1)))} ${oneLine(content).replace(/(?<!#)#+$/, '\\$&')}${mark}\n\n`
}

/** Only a list that begins with 1 may follow a line of text at once. */
function list(content: string, node: DomNode): string {
  const isTight = node.parentNode?.nodeName === 'LI' && (node.nodeName === 'UL' || /^1?$/.test(node.getAttribute('start') ?? ''))
  return isTight ? `\n${content}` : `\n\n${content}\n\n`
}

function listItem(content: string, node: DomNode): string {
  const list = node.parentNode
  const marker = list?.nodeName === 'OL' ? `${numberOf(node, list)}. ` : '- '
  const text = content
    .replace(/^\n+/, '')
    .replace(/^(\[[ x]\])\s+/, '$1 ')
    .trimEnd()
  return `${marker}${text.replace(/\n(?=[^\n])/g, `\n${' '.repeat(marker.length)}`)}\n`
}

function numberOf(node: DomNode, list: DomNode): number {
  let number = Number.parseInt(list.getAttribute('start') ?? '1', 10)
  if (!(number >= 0 && number < 1e8)) number = 1
  for (let item = node.previousElementSibling; item; item = item.previousElementSibling) number += 1
  return number
}

/** A code fence that is longer than any in the code. */
export function fenced(code: string, language: string): string {
  const longest = (code.match(/`{3,}/g) ?? []).reduce((length, found) => Math.max(length, found.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${code.replace(/\r\n?/g, '\n').replace(/\n$/, '')}\n${fence}`
}

/** The language that the classes of highlighters name. */
export function languageOf(classes: string): string {
  return /(?:^|\s)(?:language-|lang-|lang:|brush:\s*)([\w+#.-]+)/.exec(classes)?.[1] ?? ''
}

function classesOf(pre: DomNode): string {
  const code = pre.firstChild?.nodeName === 'CODE' ? pre.firstChild : null
  return `${pre.getAttribute('class') ?? ''} ${code?.getAttribute('class') ?? ''}`
}

function attributesOf(node: DomNode, names: readonly string[]): string {
  return names
    .map((name) => {
      const value = node.getAttribute(name)
      return value === null ? '' : ` ${name}="${escapeAttribute(value)}"`
    })
    .join('')
}

function escapeAttribute(value: string): string {
  return oneLine(value).replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;')
}

function titleOf(node: DomNode): string {
  const title = oneLine(node.getAttribute('title'))
  return title === '' ? '' : ` "${title.replace(/[\\"<&]/g, '\\$&')}"`
}

/** An address without what would end it. */
function destination(address: string): string {
  const encoded = address
    .trim()
    .replace(/[\s<>\\"`]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`)
  return encoded.replace(/[()*_]/g, '\\$&')
}

function oneLine(text: string | null): string {
  return (text ?? '').replace(/\s+/g, ' ').trim()
}
