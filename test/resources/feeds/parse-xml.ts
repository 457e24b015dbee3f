import { SaxesParser } from 'saxes'

/** An element as a parser reads it, with its namespaces in front of names. */
export interface ParsedElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly (ParsedElement | string)[]
}

/** Reads a document, or throws if it is not well-formed. */
export function parseXml(document: string): ParsedElement {
  const parser = new SaxesParser({ xmlns: true })
  const root = { name: '', attributes: {}, children: [] as (ParsedElement | string)[] }
  const open = [root]
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ uri, local, attributes }) => {
    const values = Object.values(attributes).map(({ name, value }) => [name, value] as const)
    const found = { name: uri === '' ? local : `{${uri}}${local}`, attributes: Object.fromEntries(values), children: [] }
    open.at(-1)?.children.push(found)
    open.push(found)
  })
  parser.on('text', (text) => {
    open.at(-1)?.children.push(text)
  })
  parser.on('closetag', () => void open.pop())
  parser.write(document).close()
  const found = root.children.find((child) => typeof child !== 'string')
  if (!found) throw new Error('there is no element')
  return found
}

/** The elements of this name within an element, at any depth. */
export function allNamed(name: string, { children }: ParsedElement): readonly ParsedElement[] {
  return children.flatMap((child) => (typeof child === 'string' ? [] : [...(child.name === name ? [child] : []), ...allNamed(name, child)]))
}

/** The text of the one element of this name; undefined if there is none. */
export function textOf(name: string, parent: ParsedElement): string | undefined {
  const [child, ...others] = parent.children.filter((each) => typeof each !== 'string' && each.name === name)
  if (others.length > 0) throw new Error(`there are several ${name}`)
  return child && typeof child !== 'string' ? child.children.join('') : undefined
}
