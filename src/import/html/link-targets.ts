import {
  attributeOf,
  childrenOf,
  elementsBelow,
  type HtmlElement,
  type HtmlParent,
  hasTag,
  isBlock,
  isTextNode,
  newElement,
  setAttribute,
  setChildren,
} from './html-nodes.ts'
import { keptInline, keptTags } from './turndown-rules.ts'

/** Elements whose ids have a form in Markdown, or stay with their HTML. */
const keepingIds = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'a', ...keptInline, ...keptTags]
/** Elements in which no anchor can stand. */
const closed = ['pre', 'hr', 'img', 'br', 'input', 'source', 'track', 'wbr', 'col', 'colgroup', 'area', 'script', 'style', 'template']

/** The addresses of links, of which those with `#` lead to ids in the text. */
export type LinkTargets = ReadonlySet<string>

export function targetsIn(trees: readonly HtmlParent[]): LinkTargets {
  const links = trees.flatMap((tree) => [...elementsBelow(tree)].filter((element) => element.tagName === 'a'))
  return new Set(links.flatMap((link) => attributeOf(link, 'href') ?? []))
}

/** Keeps the ids that links of the text lead to, such as those of footnotes: what has no id in Markdown gets an anchor. Others go. */
export function keepTargets(elements: readonly HtmlElement[], targets: LinkTargets): void {
  const isTarget = (id: string) => targets.has(`#${id}`)
  for (const element of elements) {
    const id = attributeOf(element, 'id')
    if (hasTag(element, 'a', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'))
      element.attrs = element.attrs.filter(({ name, value }) => !isIdOf(element, name) || isTarget(value))
    if (id !== undefined && id !== '' && isTarget(id) && !hasTag(element, ...keepingIds)) addAnchor(element, id)
  }
}

function isIdOf(element: HtmlElement, attribute: string): boolean {
  return attribute === 'id' || (attribute === 'name' && element.tagName === 'a')
}

function addAnchor(element: HtmlElement, id: string): void {
  const place = placeIn(element)
  if (!place) return
  const anchor = newElement('a')
  setAttribute(anchor, 'id', id)
  element.attrs = element.attrs.filter(({ name }) => name !== 'id')
  setChildren(place, [anchor, ...childrenOf(place)])
}

/** Where the text of an element begins: in the first item of a list, or in the first cell of a table. */
function placeIn(element: HtmlElement): HtmlElement | undefined {
  let place = element
  for (let next: HtmlElement | undefined = place; next; next = firstBlock(place)) place = next
  return hasTag(place, ...closed) ? undefined : place
}

function firstBlock(element: HtmlElement): HtmlElement | undefined {
  const first = element.childNodes.find((node) => !isTextNode(node) || node.value.trim() !== '')
  return first && isBlock(first) && !hasTag(first, ...closed) ? first : undefined
}
