import {
  childrenOf,
  type HtmlElement,
  type HtmlNode,
  type HtmlParent,
  hasTag,
  isBlock,
  isCommentNode,
  isElement,
  isElementNode,
  isTextNode,
  newElement,
  newText,
  setChildren,
} from './html-nodes.ts'

type MakeOfRun = (run: readonly HtmlNode[]) => readonly HtmlNode[]

/**
 * Makes paragraphs and line breaks of line breaks, as WordPress does when it shows a post that was not written in blocks: a blank line ends a
 * paragraph, any other line break stays one.
 */
export function makeParagraphs(parent: HtmlParent): void {
  for (const child of parent.childNodes) if (isBlock(child)) makeParagraphsIn(child)
  replaceRuns(parent, paragraphsOf)
}

/** Puts what stands between blocks, and is no block itself, into paragraphs. */
export function wrapLooseText(parent: HtmlParent): void {
  replaceRuns(parent, (run) => [newElement('p', run)])
}

/** The end of the part that lists of posts show. */
export function isMoreMark(node: HtmlNode): boolean {
  return isCommentNode(node) && /^more\b/.test(node.data.trim())
}

function makeParagraphsIn(block: HtmlElement): void {
  const isApart = block.childNodes.some((child) => isTextNode(child) && blankLine.test(child.value))
  if (hasTag(block, ...containers) || (isApart && hasTag(block, 'li', 'td', 'th', 'dd'))) makeParagraphs(block)
  else if (!hasTag(block, 'pre', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'form', 'noscript')) {
    for (const child of block.childNodes) if (isBlock(child)) makeParagraphsIn(child)
    if (hasTag(block, 'p', 'li', 'td', 'th', 'dd', 'dt', 'figcaption')) replaceRuns(block, (run) => broken(run, { trims: true }))
  }
}

const containers = ['blockquote', 'div', 'section', 'article', 'aside', 'main', 'header', 'footer', 'center']

function replaceRuns(parent: HtmlParent, make: MakeOfRun): void {
  const made: HtmlNode[] = []
  let run: HtmlNode[] = []
  const endRun = () => {
    if (run.some(isMeaningful)) made.push(...make(run))
    run = []
  }
  for (const child of childrenOf(parent)) {
    if (!isBlock(child) && !isMoreMark(child)) run.push(child)
    else {
      endRun()
      made.push(child)
    }
  }
  endRun()
  setChildren(parent, made)
}

function isMeaningful(node: HtmlNode): boolean {
  return isTextNode(node) ? node.value.trim() !== '' : isElementNode(node) && node.tagName !== 'br'
}

const blankLine = /\n[ \t]*\n/

function paragraphsOf(run: readonly HtmlNode[]): readonly HtmlNode[] {
  const paragraphs: HtmlNode[][] = [[]]
  for (const node of run) {
    const parts = isTextNode(node) ? node.value.split(blankLine).map(newText) : [node]
    for (const [index, part] of parts.entries()) {
      if (index > 0) paragraphs.push([])
      paragraphs.at(-1)?.push(part)
    }
  }
  return paragraphs.filter((nodes) => nodes.some(isMeaningful)).map((nodes) => newElement('p', broken(nodes, { trims: true })))
}

/** Line breaks as `<br>`, except at edges where `trims` says so, and beside a `<br>` that is there. */
function broken(nodes: readonly HtmlNode[], { trims }: { readonly trims: boolean }): readonly HtmlNode[] {
  return nodes.flatMap((node, index): readonly HtmlNode[] => {
    if (isElementNode(node) && !isBlock(node) && !hasTag(node, 'pre', 'code', 'svg', 'textarea', 'select'))
      setChildren(node, broken(childrenOf(node), { trims: false }))
    if (!isTextNode(node)) return [node]
    const [before, after] = [nodes[index - 1], nodes[index + 1]]
    let text = node.value
    if (before ? isElement(before, 'br') : trims) text = text.trimStart()
    if (after ? isElement(after, 'br') : trims) text = text.trimEnd()
    return text.split('\n').flatMap((line, i) => (i === 0 ? [newText(line)] : [newElement('br'), newText(line)]))
  })
}
