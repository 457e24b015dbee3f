import { audienceOf, escapeHtml, type GhostPart, renderCard } from './card-html.ts'
import { element, parseDocument, type RenderedDocument } from './mobiledoc.ts'
import type { GhostFields } from './read-ghost.ts'

/** Deeper lists than this nobody reads. */
const maxDepth = 100
const formats = ['strong', 'em', 's', 'u', 'code', 'sub', 'sup', 'mark']

/** The parts of a text in the format lexical; undefined if it is none. */
export function renderLexical(source: string): RenderedDocument | undefined {
  const root = parseDocument(source)?.root
  if (typeof root !== 'object' || root === null) return undefined
  const lost: string[] = []
  const parts = childrenOf(root as GhostFields).flatMap((node): readonly GhostPart[] => {
    const html = blockHtml(node, 0)
    if (html !== undefined) return [{ html }]
    const card = renderCard(String(node.type), node)
    // A block that is not known, with text as every block has it, is read like one that is.
    if (childrenOf(node).length > 0 && card.parts.length === 0) return [{ html: inlineHtml(node, 0) }]
    if (card.lost !== undefined) lost.push(card.lost)
    return card.parts
  })
  return { parts, lost }
}

/** Whether a text in the format lexical has a card that members alone see. */
export function hasCardForMembers(source: string): boolean {
  const left: GhostFields[] = source.includes('"nonMember"') ? [parseDocument(source) ?? {}] : []
  for (let next = left.pop(); next; next = left.pop()) {
    if (audienceOf(next) === 'members') return true
    left.push(...childrenOf(next), ...(typeof next.root === 'object' && next.root !== null ? [next.root as GhostFields] : []))
  }
  return false
}

function childrenOf({ children }: GhostFields): readonly GhostFields[] {
  return Array.isArray(children) ? children.filter((child) => typeof child === 'object' && child !== null) : []
}

function typeOf({ type }: GhostFields): string {
  return String(type).replace(/^extended-/, '')
}

/** A block of text; undefined for a card. */
function blockHtml(node: GhostFields, depth: number): string | undefined {
  const content = () =>
    childrenOf(node)
      .map((child) => inlineHtml(child, depth + 1))
      .join('')
  const type = typeOf(node)
  if (type === 'paragraph') return element('p', content())
  if (type === 'heading') return element(String(node.tag ?? 'h2'), content())
  if (type === 'quote' || type === 'aside') return element('blockquote', element('p', content()))
  if (type === 'list') return listHtml(node, depth)
  return undefined
}

/** The editor keeps a list within a list as an item of its own, which the site shows as part of the item before it. */
function listHtml(node: GhostFields, depth: number): string {
  const items: string[] = []
  for (const child of childrenOf(node)) {
    const parts = typeOf(child) === 'listitem' ? childrenOf(child) : [child]
    const html = parts.map((part) => inlineHtml(part, depth + 2)).join('')
    const isNested = parts.length > 0 && parts.every((part) => typeOf(part) === 'list')
    if (isNested && items.length > 0) items.push(`${items.pop()}${html}`)
    else items.push(html)
  }
  const content = items.map((item) => element('li', item)).join('')
  if (node.listType !== 'number' && node.tag !== 'ol') return element('ul', content)
  return Number.isSafeInteger(node.start) && node.start !== 1 ? `<ol start="${node.start}">${content}</ol>` : element('ol', content)
}

function inlineHtml(node: GhostFields, depth: number): string {
  if (depth > maxDepth) return escapeHtml(textIn(node))
  const type = typeOf(node)
  if (type === 'text' || type === 'tk') return formatted(escapeHtml(String(node.text ?? '')), Number(node.format ?? 0))
  if (type === 'linebreak') return '<br>'
  const content = () =>
    childrenOf(node)
      .map((child) => inlineHtml(child, depth + 1))
      .join('')
  if (type === 'link' || type === 'autolink') return `<a href="${escapeHtml(String(node.url ?? ''))}">${content()}</a>`
  if (type === 'listitem') return element('li', content())
  return blockHtml(node, depth) ?? content()
}

function formatted(html: string, format: number): string {
  return formats.reduce((text, tag, bit) => ((format >> bit) & 1 ? element(tag, text) : text), html)
}

/** All text of a node, in its order. It does not recurse: nothing is too deep for it. */
function textIn(node: GhostFields): string {
  const texts: string[] = []
  const left = [node]
  for (let next = left.pop(); next; next = left.pop()) {
    if (typeof next.text === 'string') texts.push(next.text)
    left.push(...childrenOf(next).toReversed())
  }
  return texts.join(' ')
}
