import type { Element, Root } from 'hast'

/** All elements below a node, in document order. */
export function elementsIn(node: Root | Element): readonly Element[] {
  const found: Element[] = []
  const walk = ({ children }: Root | Element): void => {
    for (const child of children) {
      if (child.type !== 'element') continue
      found.push(child)
      walk(child)
    }
  }
  walk(node)
  return found
}

/** The text of a node; a picture counts by its `alt`. Marks of footnotes are no text. */
export function textOf(node: Root | Element): string {
  let text = ''
  for (const child of node.children) {
    if (child.type === 'text') text += child.value
    else if (child.type === 'element' && !isFootnoteMark(child))
      text += child.tagName === 'img' ? String(child.properties.alt ?? '') : textOf(child)
  }
  return text
}

function isFootnoteMark({ properties: { className } }: Element): boolean {
  return Array.isArray(className) && (className.includes('footnote-ref') || className.includes('footnote-backref'))
}
