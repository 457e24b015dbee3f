import {
  elementsBelow,
  type HtmlElement,
  type HtmlNode,
  type HtmlParent,
  hasTag,
  isElement,
  isTextNode,
  setChildren,
} from './html-nodes.ts'

const formatting = ['a', 'strong', 'b', 'em', 'i', 'u', 'span', 'font', 'del', 's', 'strike', 'sub', 'sup', 'mark', 'small']
const texts = ['p', 'li', 'td', 'th', 'figcaption', 'dt', 'dd', 'caption']

/**
 * Takes line breaks at the edges of formatted text out of it, since Markdown does not read `**a\\` and `**` in the next line as bold, and drops
 * them at the end of a paragraph. Formatted texts that follow each other become one.
 */
export function settleBreaks(tree: HtmlParent): void {
  for (const element of [...elementsBelow(tree)].reverse()) {
    if (element.childNodes.some((child) => hasFormat(child))) setChildren(element, settled(element.childNodes))
    if (hasTag(element, ...texts)) dropEdges(element)
  }
  setChildren(tree, settled(tree.childNodes))
}

function hasFormat(node: HtmlNode): node is HtmlElement {
  return isElement(node, ...formatting)
}

/** Children with the breaks at the edges of formatted ones beside these. */
function settled(children: readonly HtmlNode[]): readonly HtmlNode[] {
  const made: HtmlNode[] = []
  for (const child of children) {
    if (!hasFormat(child)) {
      made.push(child)
      continue
    }
    const [start, end] = edgesOf(child)
    if (start === 0 && end === child.childNodes.length) addFormatted(made, child)
    else {
      const [before, within, after] = [child.childNodes.slice(0, start), child.childNodes.slice(start, end), child.childNodes.slice(end)]
      setChildren(child, within)
      made.push(...before)
      if (within.length > 0) addFormatted(made, child)
      made.push(...after)
    }
  }
  return made
}

const alike = [
  ['strong', 'b'],
  ['em', 'i'],
]

function addFormatted(made: HtmlNode[], element: HtmlElement): void {
  const last = made.at(-1)
  const isSame = last !== undefined && alike.some((tags) => isElement(last, ...tags) && hasTag(element, ...tags))
  if (isSame && 'childNodes' in last) setChildren(last, [...last.childNodes, ...element.childNodes])
  else made.push(element)
}

/** Where breaks at the start of an element end, and those at its end begin. Blanks beside them belong to them. */
function edgesOf({ childNodes }: HtmlElement): readonly [start: number, end: number] {
  const isBlank = (node: HtmlNode | undefined) =>
    node !== undefined && (isElement(node, 'br') || (isTextNode(node) && node.value.trim() === ''))
  let start = 0
  while (isBlank(childNodes[start])) start++
  let end = childNodes.length
  while (end > start && isBlank(childNodes[end - 1])) end--
  const hasBreak = (nodes: readonly HtmlNode[]) => nodes.some((node) => isElement(node, 'br'))
  return [hasBreak(childNodes.slice(0, start)) ? start : 0, hasBreak(childNodes.slice(end)) ? end : childNodes.length]
}

/** A line break at the edge of a paragraph breaks nothing. */
export function dropEdges(element: HtmlElement): void {
  const [start, end] = edgesOf(element)
  if (start > 0 || end < element.childNodes.length) setChildren(element, element.childNodes.slice(start, end))
}
