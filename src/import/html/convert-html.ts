import { createMarkdownParser } from '../../resources/posts/rendering/markdown-parser.ts'
import { factsOf, type HtmlFacts, sameFacts } from './html-facts.ts'
import {
  attributeOf,
  childrenOf,
  elementsBelow,
  type HtmlElement,
  type HtmlNode,
  hasTag,
  htmlOf,
  isBlock,
  isElement,
  isElementNode,
  isTextNode,
  newElement,
  newText,
  parseHtml,
  rawText,
  setChildren,
} from './html-nodes.ts'
import { targetsIn } from './link-targets.ts'
import { isMoreMark, makeParagraphs, wrapLooseText } from './paragraphs.ts'
import { blocksOf, type Dropped, prepareHtml } from './prepare-html.ts'
import { settleBreaks } from './settle-breaks.ts'
import { createTurndown, fenced, keptTags, languageOf } from './turndown-rules.ts'

/** HTML as it is, or text whose line breaks become paragraphs. */
export interface HtmlPart {
  readonly html: string
  readonly form: 'html' | 'classic'
}

/** HTML as Markdown. */
export interface ConvertedHtml {
  readonly markdown: string
  readonly blocks: number
  /** Blocks that stayed HTML, because their Markdown would not have said the same. */
  readonly keptBlocks: number
  readonly images: readonly { readonly url: string; readonly alt: string }[]
  readonly dropped: Dropped
}

export type HtmlConverter = (parts: readonly HtmlPart[], imageUrl?: (url: string) => string) => ConvertedHtml

/** Blocks whose Markdown was proven together. */
interface ProvenRun {
  readonly markdown: string
  readonly keptBlocks: number
}

/** Makes a converter. Throws `UnusableHtml` for HTML that is nested too deep. */
export function createHtmlConverter(): HtmlConverter {
  const prover = new Prover()
  return (parts, imageUrl = (url) => url) => {
    const dropped: Dropped = new Map()
    const images: { readonly url: string; readonly alt: string }[] = []
    const trees = parts.map(({ html, form }) => ({ tree: parseHtml(html), form }))
    const targets = targetsIn(trees.map(({ tree }) => tree))
    const blocks = trees.flatMap(({ tree, form }) => {
      for (const [name, count] of prepareHtml(tree, { imageUrl, targets })) dropped.set(name, (dropped.get(name) ?? 0) + count)
      for (const element of elementsBelow(tree))
        if (element.tagName === 'img') images.push({ url: attributeOf(element, 'src') ?? '', alt: attributeOf(element, 'alt') ?? '' })
      if (form === 'classic') makeParagraphs(tree)
      else wrapLooseText(tree)
      settleBreaks(tree)
      return blocksOf(tree).filter(isVisible)
    })
    return { ...prover.convert(blocks), blocks: blocks.length, images, dropped }
  }
}

/** Converts blocks, and renders what it made of them to see that it says the same. */
class Prover {
  readonly #parse = createMarkdownParser()
  readonly #turndown = createTurndown()

  convert(blocks: readonly HtmlNode[]): ProvenRun {
    if (blocks.length === 0) return { markdown: '', keptBlocks: 0 }
    const runs = this.#prove(blocks)
    const [only] = runs
    if (only && runs.length === 1) return { ...only, markdown: `${only.markdown}\n` }
    const keptBlocks = runs.reduce((sum, run) => sum + run.keptBlocks, 0)
    const texts = runs.map((run) => run.markdown)
    const joined = (isApart: (index: number) => boolean) =>
      `${texts.reduce((made, text, index) => made + (isApart(index) ? apart : '\n\n') + text)}\n`
    const facts = factsOf(newElement('div', blocks))
    // Blocks that would run into each other, mostly two lists, are held apart by empty comments.
    const ways = [() => false, (index: number) => areLists(texts[index - 1], texts[index]), () => true]
    const markdown = ways.map(joined).find((text) => this.#says(text, facts))
    if (markdown !== undefined) return { markdown, keptBlocks }
    return { markdown: `${blocks.map((block) => this.#keep(block)).join('\n\n')}\n`, keptBlocks: blocks.length }
  }

  /** Divides what is not proven as a whole, until the blocks are found that have to stay HTML. */
  #prove(blocks: readonly HtmlNode[]): readonly ProvenRun[] {
    const markdown = this.#tryMarkdown(blocks)
    if (markdown !== undefined && this.#says(markdown, factsOf(newElement('div', blocks))))
      return [{ markdown, keptBlocks: blocks.filter(staysHtml).length }]
    const [first] = blocks
    if (blocks.length === 1 && first) return [{ markdown: this.#keep(first), keptBlocks: 1 }]
    return partsOf(blocks).flatMap((part) => this.#prove(part))
  }

  /** Some trees, such as a heading in a heading, are no more the same when their HTML is read again. Spaces keep their words apart. */
  #keep(block: HtmlNode): string {
    const html = keptHtml(block)
    if (!isElementNode(block) || this.#says(html, factsOf(newElement('div', [block])))) return html
    spaceBlocks(block)
    return keptHtml(block)
  }

  #says(markdown: string, facts: HtmlFacts): boolean {
    return sameFacts(factsOf(parseHtml(this.#parse(markdown).html)), facts)
  }

  /** The library throws for some HTML, such as text between the rows of a table. */
  #tryMarkdown(blocks: readonly HtmlNode[]): string | undefined {
    try {
      return this.#toMarkdown(blocks)
    } catch (error) {
      if (error instanceof TypeError || error instanceof RangeError) return undefined
      throw error
    }
  }

  /** Undefined if one of the blocks has no Markdown. */
  #toMarkdown(blocks: readonly HtmlNode[]): string | undefined {
    const pieces: string[] = []
    let html: string[] = []
    const endHtml = () => {
      if (html.length > 0) pieces.push(this.#turndown(html.join('')))
      html = []
    }
    for (const block of blocks) {
      if (isElement(block, 'pre') || isMoreMark(block) || staysHtml(block)) {
        endHtml()
        pieces.push(isMoreMark(block) ? '<!--more-->' : isElement(block, 'pre') ? fencedBlock(block) : keptHtml(block))
      } else if (isElementNode(block) && isTooMuch(block)) return undefined
      else html.push(htmlOf(block))
    }
    endHtml()
    return pieces.join('\n\n')
  }
}

const apart = '\n\n<!-- -->\n\n'
const listItem = /^(?:[-*+]|\d+[.)])\s/

/** Whether a text ends with a list and the next begins with one. */
function areLists(before = '', after = ''): boolean {
  return listItem.test(after) && listItem.test(lastBlock(before))
}

/** What belongs to an item of a list is indented. */
function lastBlock(markdown: string): string {
  let at = markdown.lastIndexOf('\n\n')
  while (at > 0 && /\s/.test(markdown.charAt(at + 2))) at = markdown.lastIndexOf('\n\n', at - 1)
  return markdown.slice(at < 0 ? 0 : at + 2)
}

function spaceBlocks(parent: HtmlElement): void {
  const spaced = childrenOf(parent).flatMap((child): HtmlNode[] => {
    if (isElementNode(child)) spaceBlocks(child)
    return isBlock(child) ? [newText(' '), child, newText(' ')] : [child]
  })
  setChildren(parent, spaced)
}

/** Many parts, so that a block is tried four times at most among thousands that are not proven either. */
const parts = 16

function partsOf(blocks: readonly HtmlNode[]): readonly (readonly HtmlNode[])[] {
  const length = Math.ceil(blocks.length / parts)
  return Array.from({ length: Math.ceil(blocks.length / length) }, (_, i) => blocks.slice(i * length, (i + 1) * length))
}

/** Nothing in it: no text, no picture, no embed. */
function isVisible(node: HtmlNode): boolean {
  if (isMoreMark(node)) return true
  if (isTextNode(node)) return node.value.trim() !== ''
  if (!isElementNode(node)) return false
  if (rawText(node).trim() !== '' || hasTag(node, 'hr', ...visibleTags)) return true
  for (const element of elementsBelow(node)) {
    if (hasTag(element, ...visibleTags)) return true
    if (element.tagName === 'a' && element.attrs.length > 0) return true
  }
  return false
}

const visibleTags = [
  'img',
  'iframe',
  'video',
  'audio',
  'object',
  'embed',
  'svg',
  'math',
  'canvas',
  'input',
  'button',
  'select',
  'textarea',
  'picture',
]

/** More would take the library quadratic time. */
const maxSiblings = 5_000
const maxSpaces = 1_000

/** Elements that Markdown has no form for. */
function staysHtml(node: HtmlNode): boolean {
  return isElement(node, ...keptTags)
}

function fencedBlock(node: HtmlElement): string {
  const code = node.childNodes.find((child) => isElement(child, 'code'))
  const classes = [node, code].map((each) => (each && isElementNode(each) ? attributeOf(each, 'class') : '')).join(' ')
  return fenced(rawText(node).replace(/^\n/, ''), languageOf(classes))
}

function isTooMuch(node: HtmlElement): boolean {
  const crowded = (element: HtmlElement) =>
    element.childNodes.length > maxSiblings ||
    element.childNodes.some((child) => isTextNode(child) && longestSpace(child.value) > maxSpaces)
  if (crowded(node)) return true
  for (const element of elementsBelow(node)) if (crowded(element)) return true
  return false
}

function longestSpace(text: string): number {
  let [longest, length] = [0, 0]
  for (const character of text) {
    length = character.trim() === '' ? length + 1 : 0
    if (length > longest) longest = length
  }
  return longest
}

/** Without `pre`: such a block would end at the first line with the end of any `pre` in it. */
const htmlBlockStart =
  /^<(?:address|article|aside|blockquote|center|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|iframe|legend|li|main|menu|nav|ol|optgroup|option|p|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)[\s>]/

/** HTML that stays HTML in Markdown: one block without blank lines, which would end it. */
function keptHtml(node: HtmlNode): string {
  const html = htmlOf(node).trim()
  const block = htmlBlockStart.test(html) ? html : `<div>${html}</div>`
  return block.replace(/\r\n?/g, '\n').replace(/\n(?=[ \t]*\n)/g, '&#10;')
}
