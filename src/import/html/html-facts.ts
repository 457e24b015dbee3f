import { parseUrl } from '../../values/parse-url.ts'
import { attributeOf, type HtmlElement, type HtmlNode, type HtmlParent, type HtmlText, isBlock, isElement } from './html-nodes.ts'

/** What must not get lost when HTML becomes Markdown. Equal facts mean that readers get the same. */
export interface HtmlFacts {
  readonly words: readonly string[]
  /** Address and text. */
  readonly links: readonly string[]
  /** Address and alternative text. */
  readonly images: readonly string[]
  /** Of code and preformatted text, with their line breaks. */
  readonly code: readonly string[]
  /** The words of each cell that has some, and of each row that has some. */
  readonly cells: readonly string[]
  /** Headings with their level, list items with their depth, the numbers of lists, rules, and what is embedded. */
  readonly shape: readonly string[]
}

const embedding = new Set([
  'iframe',
  'video',
  'audio',
  'object',
  'embed',
  'source',
  'input',
  'textarea',
  'select',
  'button',
  'svg',
  'math',
  'canvas',
])
const unread = new Set(['script', 'style', 'template', 'textarea', 'select', 'iframe', 'noframes', 'noembed'])

export function factsOf(tree: HtmlParent | HtmlNode): HtmlFacts {
  const reader = new FactReader()
  reader.read(tree, 0)
  return reader.facts()
}

export function sameFacts(a: HtmlFacts, b: HtmlFacts): boolean {
  return (Object.keys(a) as readonly (keyof HtmlFacts)[]).every(
    (name) => a[name].length === b[name].length && a[name].every((fact, index) => fact === b[name][index]),
  )
}

class FactReader {
  readonly #links: string[] = []
  readonly #images: string[] = []
  readonly #code: string[] = []
  readonly #cells: string[] = []
  readonly #shape: string[] = []
  /** Pieces of text; joined, they are all that there is to read. */
  readonly #text: string[] = []

  facts(): HtmlFacts {
    return {
      words: wordsIn(this.#text.join('')),
      links: this.#links,
      images: this.#images,
      code: this.#code,
      cells: this.#cells,
      shape: this.#shape,
    }
  }

  read(node: HtmlParent | HtmlNode, listDepth: number): void {
    if (node.nodeName === '#text') this.#text.push((node as HtmlText).value)
    else if ('tagName' in node) this.#readElement(node, listDepth)
    else if ('childNodes' in node) this.#readChildren(node, listDepth)
  }

  #readElement(element: HtmlElement, listDepth: number): void {
    const { tagName } = element
    if (embedding.has(tagName))
      this.#shape.push(`${tagName} ${addressOf(attributeOf(element, 'src') ?? attributeOf(element, 'data') ?? '')}`)
    if (unread.has(tagName)) return
    const isApart = isBlock(element) || tagName === 'br'
    if (isApart) this.#text.push(' ')
    const start = this.#text.length
    const isList = isElement(element, 'ul', 'ol')
    if (tagName === 'img') this.#images.push(`${addressOf(attributeOf(element, 'src') ?? '')} ${plain(attributeOf(element, 'alt') ?? '')}`)
    if (tagName === 'hr') this.#shape.push('hr')
    if (tagName === 'li')
      this.#shape.push(`li ${listDepth} ${element.parentNode && 'tagName' in element.parentNode ? element.parentNode.tagName : ''}`)
    if (tagName === 'ol') this.#shape.push(`ol ${numbersOf(element)}`)
    this.#readChildren(element, listDepth + (isList ? 1 : 0))
    const text = () => this.#text.slice(start).join('')
    const href = tagName === 'a' ? attributeOf(element, 'href') : undefined
    if (href !== undefined) this.#links.push(`${addressOf(href)} ${plain(text())}`)
    if (/^h[1-6]$/.test(tagName) && plain(text()) !== '') this.#shape.push(`${tagName} ${plain(text())}`)
    if (tagName === 'pre') this.#code.push(text().replace(/\r\n?/g, '\n').replace(/^\n+/, '').trimEnd())
    if (tagName === 'code' && !isInPre(element) && plain(text()) !== '') this.#code.push(plain(text()))
    if (isElement(element, 'td', 'th', 'caption') && plain(text()) !== '') this.#cells.push(plain(text()))
    if (tagName === 'tr' && plain(text()) !== '') this.#cells.push('end of row')
    if (isElement(element, 'td', 'th'))
      for (const name of ['colspan', 'rowspan']) if (Number(attributeOf(element, name) ?? 1) > 1) this.#cells.push(name)
    if (isApart) this.#text.push(' ')
  }

  #readChildren(parent: HtmlParent, listDepth: number): void {
    for (const child of parent.childNodes) this.read(child, listDepth)
  }
}

/** The numbers of the items of a list as browsers show them, with the kind of the list if these are letters or Roman. */
function numbersOf(list: HtmlElement): string {
  const items = list.childNodes.filter((node) => isElement(node, 'li'))
  const isReversed = attributeOf(list, 'reversed') !== undefined
  let next = wholeNumber(attributeOf(list, 'start')) ?? (isReversed ? items.length : 1)
  const numbers = items.map((item) => {
    const number = wholeNumber(attributeOf(item, 'value')) ?? next
    next = number + (isReversed ? -1 : 1)
    return number
  })
  const kind = attributeOf(list, 'type') ?? ''
  return `${/^[AaIi]$/.test(kind) ? kind : ''} ${numbers.join(' ')}`
}

function wholeNumber(text: string | undefined): number | undefined {
  const number = Number.parseInt(text ?? '', 10)
  return Number.isNaN(number) ? undefined : number
}

function isInPre({ parentNode }: HtmlElement): boolean {
  for (let node: HtmlParent | null = parentNode; node && 'tagName' in node; node = node.parentNode) if (node.tagName === 'pre') return true
  return false
}

function wordsIn(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

function plain(text: string): string {
  return wordsIn(text).join(' ')
}

/** Markdown encodes addresses a little differently. */
function addressOf(address: string): string {
  const trimmed = address.trim()
  const url = /^https?:/i.test(trimmed) ? parseUrl(trimmed) : undefined
  return decoded(url?.href ?? trimmed)
}

function decoded(address: string): string {
  return address.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes)
    } catch {
      return bytes.toUpperCase()
    }
  })
}
