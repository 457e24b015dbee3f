import type { Element, Root } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import { type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes, defaultTreeAdapter, parseFragment, type TreeAdapter } from 'parse5'
import { parseUrl } from '../../../../values/parse-url.ts'
import { allowedHtml } from './allowed-html.ts'
import { setAnchors } from './anchors.ts'
import { elementsIn } from './html-tree.ts'

/** Browsers stop nesting at 512. */
const maxDepth = 500
/** Each nested mistake takes a pass; what is not stable after some is not meant well. */
const maxPasses = 6

const urlAttributes = ['href', 'src', 'poster', 'cite'] as const

/** HTML that is not shown as HTML, because no browser would read it as it is meant. */
export class UnusableHtml extends Error {}

interface SafeHtml {
  readonly html: string
  readonly tree: Root
}

interface Unsafe {
  /** It is stable after the first pass. */
  readonly isWellFormed: boolean
  /** URLs become absolute. */
  readonly baseUrl?: string | undefined
}

/** Reduces HTML to what is allowed. The result is stable: parsed and reduced again, it gives the same bytes. */
export function toSafeHtml(unsafe: string, { isWellFormed, baseUrl }: Unsafe): SafeHtml {
  const safe = isWellFormed ? reduce(unsafe) : stable(unsafe)
  if (baseUrl === undefined) return safe
  makeUrlsAbsolute(safe.tree, baseUrl)
  return { ...safe, html: toText(safe.tree) }
}

/** Makes every URL of a sanitized tree absolute, for readers that do not know the page. */
function makeUrlsAbsolute(tree: Root, baseUrl: string): void {
  const absolute = (url: string) => parseUrl(url, baseUrl)?.href ?? url
  for (const { properties } of elementsIn(tree)) {
    for (const name of urlAttributes) if (typeof properties[name] === 'string') properties[name] = absolute(properties[name])
    if (typeof properties.srcSet !== 'string') continue
    const candidates = properties.srcSet.split(', ').map((candidate) => candidate.replace(/^\S+/, absolute))
    properties.srcSet = candidates.join(', ')
  }
}

function stable(unsafe: string): SafeHtml {
  let last = reduce(unsafe)
  for (let pass = 1; pass < maxPasses; pass++) {
    const next = reduce(last.html)
    if (next.html === last.html) return next
    last = next
  }
  throw new UnusableHtml('The HTML changes each time it is parsed.')
}

function reduce(html: string): SafeHtml {
  const parsed = fromParse5(parseFragment(html, { treeAdapter: shallowTrees() })) as Root
  for (const element of elementsIn(parsed)) mendAttributes(element)
  const sanitized = sanitize(parsed, allowedHtml)
  const tree: Root = sanitized.type === 'root' ? sanitized : { type: 'root', children: [sanitized] as Root['children'] }
  setAnchors(tree)
  for (const element of elementsIn(tree)) tidy(element)
  return { tree, html: toText(tree) }
}

function toText(tree: Root): string {
  return toHtml(tree, { characterReferences: { useNamedReferences: true } })
}

const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/

/** Browsers ignore white space around a URL and the case of its scheme. The sanitizer does not. */
function mendAttributes({ tagName, properties }: Element): void {
  for (const name of urlAttributes) {
    const url = properties[name]
    if (typeof url === 'string') properties[name] = url.trim().replace(scheme, (found) => found.toLowerCase())
  }
  if (typeof properties.srcSet === 'string') setSources(properties, properties.srcSet)
  if (tagName === 'a' && typeof properties.name === 'string') properties.id ??= properties.name
}

const usableSource = /^(?:https?:|[^:/?#]*(?:[/?#]|$))/i

/** A URL, which may have commas in it, and its descriptors, which end at a comma. A comma at the end of the URL means that there are none. */
const source = /([^\s,]\S*)(?:(?<=,)|([^,]*))/g

/** Keeps the pictures of a `srcset` whose URLs are allowed. The sanitizer looks at the first one only. */
function setSources(properties: Element['properties'], srcSet: string): void {
  const sources = [...srcSet.matchAll(source)].map(([, url = '', descriptors = '']) => ({ url: url.replace(/(?<!,),+$/, ''), descriptors }))
  const usable = sources.filter(({ url }) => usableSource.test(url))
  const texts = usable.map(({ url, descriptors }) => `${url} ${descriptors.trim().replaceAll(/\s+/g, ' ')}`.trim())
  if (texts.length > 0) properties.srcSet = texts.join(', ')
  else delete properties.srcSet
}

/** Leaves no empty list of classes. The parser drops a line break after `<pre>` and turns carriage returns into line breaks. */
function tidy({ tagName, properties, children }: Element): void {
  if (Array.isArray(properties.className) && properties.className.length === 0) delete properties.className
  for (const child of children) if (child.type === 'text') child.value = child.value.replaceAll('\r', '\n')
  const first = children[0]
  if (tagName === 'pre' && first?.type === 'text' && first.value.startsWith('\n')) first.value = `\n${first.value}`
}

/** Refuses deep trees while they grow, since everything that walks them later takes more than linear time. */
export function shallowTrees(): TreeAdapter<DefaultTreeAdapterMap> {
  const depths = new WeakMap<DefaultTreeAdapterTypes.ParentNode, number>()
  const grow = (parent: DefaultTreeAdapterTypes.ParentNode, node: object) => {
    const depth = (depths.get(parent) ?? 0) + 1
    if (depth > maxDepth) throw new UnusableHtml(`The HTML is nested deeper than ${maxDepth}.`)
    if ('childNodes' in node) depths.set(node as DefaultTreeAdapterTypes.ParentNode, depth)
  }
  return {
    ...defaultTreeAdapter,
    appendChild(parent, node) {
      grow(parent, node)
      defaultTreeAdapter.appendChild(parent, node)
    },
    insertBefore(parent, node, reference) {
      grow(parent, node)
      defaultTreeAdapter.insertBefore(parent, node, reference)
    },
  }
}
