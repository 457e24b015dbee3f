import {
  attributeOf,
  childrenOf,
  elementsBelow,
  type HtmlElement,
  type HtmlNode,
  type HtmlParent,
  hasTag,
  htmlOf,
  isBlock,
  isCommentNode,
  isElement,
  isElementNode,
  isTextNode,
  newElement,
  newText,
  parseHtml,
  rawText,
  setAttribute,
  setChildren,
} from './html-nodes.ts'
import { keepTargets, type LinkTargets } from './link-targets.ts'
import { isMoreMark } from './paragraphs.ts'
import { dropEdges } from './settle-breaks.ts'
import { keptTags } from './turndown-rules.ts'

/** What is left out by name and how often. */
export type Dropped = Map<string, number>

interface Preparation {
  readonly imageUrl: (url: string) => string
  /** What links of the whole text lead to. */
  readonly targets: LinkTargets
}

/** Takes out what no reader sees, and brings into a form that Markdown has what has one. */
export function prepareHtml(tree: HtmlParent, { imageUrl, targets }: Preparation): Dropped {
  const dropped: Dropped = new Map()
  dropUnseen(tree, dropped)
  if (tree.childNodes.some(isPartOfTable)) setChildren(tree, withTables(tree))
  const elements = [...elementsBelow(tree)]
  keepTargets(elements, targets)
  for (const element of elements) {
    if (element.tagName === 'img') setAttribute(element, 'src', imageUrl(attributeOf(element, 'src') ?? ''))
    if (element.tagName === 'pre') setChildren(element, withLines(element))
    if (/^h[1-6]$/.test(element.tagName)) breaksToSpaces(element)
    if (element.tagName === 'a' && attributeOf(element, 'href') !== undefined && [...elementsBelow(element)].some(isBlock)) flatten(element)
  }
  return dropped
}

function dropUnseen(parent: HtmlParent, dropped: Dropped): void {
  const kept = childrenOf(parent).filter((node) => {
    if (isCommentNode(node)) return isMoreMark(node)
    if (!isElement(node, 'script', 'style', 'link', 'meta', 'template')) return true
    dropped.set(node.tagName, (dropped.get(node.tagName) ?? 0) + 1)
    return false
  })
  if (kept.length < parent.childNodes.length) setChildren(parent, kept)
  for (const child of kept) if (isElementNode(child)) dropUnseen(child, dropped)
}

function isPartOfTable(node: HtmlNode): boolean {
  return isElement(node, 'caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th')
}

/** Cells and rows outside a table become one. Read in another place, their tags would count for nothing, and neighbours would be one word. */
function withTables(tree: HtmlParent): readonly HtmlNode[] {
  const nodes: HtmlNode[] = []
  let parts: HtmlNode[] = []
  for (const node of childrenOf(tree)) {
    if (isPartOfTable(node) || (parts.length > 0 && isBlank(node))) parts.push(node)
    else {
      nodes.push(...tableOf(parts), node)
      parts = []
    }
  }
  return [...nodes, ...tableOf(parts)]
}

function tableOf(parts: readonly HtmlNode[]): readonly HtmlNode[] {
  return parts.length === 0 ? [] : childrenOf(parseHtml(`<table>${parts.map(htmlOf).join('')}</table>`))
}

function isBlank(node: HtmlNode): boolean {
  return isTextNode(node) && node.value.trim() === ''
}

/** Preformatted text has line breaks and no `<br>`. */
function withLines(parent: HtmlParent): readonly HtmlNode[] {
  return childrenOf(parent).map((child) => {
    if (isElement(child, 'br')) return adopt(newText('\n'), parent)
    if (isElementNode(child)) setChildren(child, withLines(child))
    return child
  })
}

function breaksToSpaces(parent: HtmlElement): void {
  for (const child of childrenOf(parent)) if (isElementNode(child) && child.tagName !== 'br') breaksToSpaces(child)
  if (parent.childNodes.some((child) => isElement(child, 'br')))
    setChildren(
      parent,
      parent.childNodes.map((child) => (isElement(child, 'br') ? newText(' ') : child)),
    )
}

/** A link in Markdown holds one line: blocks in it become text with spaces around it, headings become bold. */
function flatten(link: HtmlElement): void {
  setChildren(link, childrenOf(link).flatMap(flattened))
}

function flattened(node: HtmlNode): readonly HtmlNode[] {
  if (isElement(node, 'br')) return [newText(' ')]
  if (!isElementNode(node) || hasTag(node, 'pre', 'table', 'ul', 'ol', 'hr')) return [node]
  const children = childrenOf(node).flatMap(flattened)
  if (!isBlock(node)) {
    setChildren(node, children)
    return [node]
  }
  const isHeading = /^h[1-6]$/.test(node.tagName) && rawText(node).trim() !== ''
  return [newText(' '), ...(isHeading ? [newElement('strong', children)] : children), newText(' ')]
}

function adopt<N extends HtmlNode>(node: N, parent: HtmlParent): N {
  node.parentNode = parent
  return node
}

const wrappers = [
  'div',
  'section',
  'article',
  'main',
  'header',
  'footer',
  'aside',
  'nav',
  'center',
  'hgroup',
  'figure',
  'noscript',
  'fieldset',
]

/** The blocks of a text, each by itself: what only holds blocks together is taken away. */
export function blocksOf(tree: HtmlParent): readonly HtmlNode[] {
  return childrenOf(tree).flatMap((node) => {
    if (isBlank(node)) return []
    if (isElement(node, 'figcaption')) return [newElement('p', childrenOf(node))]
    if (isElement(node, 'p')) return [onlyChild(node) ?? node]
    if (!isElement(node, ...wrappers)) return [node]
    return blocksWithin(node)
  })
}

/** What stands in a paragraph all by itself and is no text: an embedded video, say. */
function onlyChild(paragraph: HtmlElement): HtmlElement | undefined {
  const [child, ...others] = paragraph.childNodes.filter((node) => !isBlank(node))
  return child && others.length === 0 && isElement(child, ...keptTags) ? child : undefined
}

function blocksWithin(wrapper: HtmlElement): readonly HtmlNode[] {
  const blocks: HtmlNode[] = []
  let run: HtmlNode[] = []
  const endRun = () => {
    if (!run.every(isBlank)) {
      const paragraph = newElement('p', run)
      dropEdges(paragraph)
      blocks.push(...blocksOf(newElement('div', [paragraph])))
    }
    run = []
  }
  for (const child of childrenOf(wrapper)) {
    if (!isBlock(child) && !isMoreMark(child)) run.push(child)
    else {
      endRun()
      const single = newElement('div', [child])
      blocks.push(...blocksOf(single))
    }
  }
  endRun()
  return blocks
}
