import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html, parseFragment, serializeOuter } from 'parse5'
import { shallowTrees } from '../../resources/posts/rendering/safe-html/safe-html.ts'

export type HtmlNode = DefaultTreeAdapterTypes.ChildNode
export type HtmlElement = DefaultTreeAdapterTypes.Element
export type HtmlText = DefaultTreeAdapterTypes.TextNode
export type HtmlParent = DefaultTreeAdapterTypes.ParentNode

const { appendChild, createElement, detachNode, isCommentNode, isElementNode, isTextNode } = defaultTreeAdapter

export { isCommentNode, isElementNode, isTextNode }

/** What is no part of a sentence. */
const blockTags = new Set([
  ...['address', 'article', 'aside', 'blockquote', 'body', 'caption', 'center', 'col', 'colgroup', 'dd', 'details', 'dialog', 'dir', 'div'],
  ...['dl', 'dt', 'fieldset', 'figcaption', 'figure', 'footer', 'form', 'frameset', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'hgroup'],
  ...['hr', 'html', 'legend', 'li', 'main', 'menu', 'nav', 'noscript', 'ol', 'optgroup', 'option', 'p', 'pre', 'search', 'section'],
  ...['summary', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr', 'ul'],
])

/** Parses HTML as browsers do. Throws `UnusableHtml` if it is nested too deep. */
export function parseHtml(text: string): HtmlParent {
  return parseFragment(withCodeAsText(text), { treeAdapter: shallowTrees() })
}

/** Code of other languages would be taken for a comment, and nobody would see it. What Word leaves behind is none. */
function withCodeAsText(html: string): string {
  return html.replace(/<\?(?!xml:namespace)/gi, '&lt;?')
}

export function htmlOf(node: HtmlNode): string {
  return serializeOuter(node)
}

export function isBlock(node: HtmlNode): node is HtmlElement {
  return isElementNode(node) && blockTags.has(node.tagName)
}

export function isElement<T extends string>(node: HtmlNode | HtmlParent | null | undefined, ...tags: readonly T[]): node is HtmlElement {
  return node !== null && node !== undefined && 'tagName' in node && tags.some((tag) => tag === node.tagName)
}

export function hasTag({ tagName }: HtmlElement, ...tags: readonly string[]): boolean {
  return tags.includes(tagName)
}

export function attributeOf({ attrs }: HtmlElement, name: string): string | undefined {
  return attrs.find((attribute) => attribute.name === name)?.value
}

export function setAttribute(element: HtmlElement, name: string, value: string): void {
  const found = element.attrs.find((attribute) => attribute.name === name)
  if (found) found.value = value
  else element.attrs.push({ name, value })
}

export function childrenOf(node: HtmlNode | HtmlParent): readonly HtmlNode[] {
  return 'childNodes' in node ? [...node.childNodes] : []
}

/** All elements below a node, in document order. */
export function* elementsBelow(node: HtmlParent): Generator<HtmlElement, void, void> {
  for (const child of node.childNodes) {
    if (!isElementNode(child)) continue
    yield child
    yield* elementsBelow(child)
  }
}

/** The text of a node as it is, without scripts and styles. */
export function rawText(node: HtmlNode | HtmlParent): string {
  if (isTextNode(node as HtmlNode)) return (node as HtmlText).value
  if (isElement(node, 'script', 'style', 'template')) return ''
  if (isElement(node, 'br')) return '\n'
  return 'childNodes' in node ? node.childNodes.map(rawText).join('') : ''
}

export function newElement(tag: string, children: readonly HtmlNode[] = []): HtmlElement {
  const element = createElement(tag, html.NS.HTML, [])
  for (const child of children) moveInto(element, child)
  return element
}

function moveInto(parent: HtmlParent, child: HtmlNode): void {
  if (child.parentNode) detachNode(child)
  appendChild(parent, child)
}

export function newText(value: string): HtmlText {
  return { nodeName: '#text', value, parentNode: null }
}

/** Puts nodes in the place of all children: in one step, since a detached node is looked for among all. */
export function setChildren(parent: HtmlParent, children: readonly HtmlNode[]): void {
  for (const child of children) child.parentNode = parent
  parent.childNodes = [...children]
}
