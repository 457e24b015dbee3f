import {
  attributeOf,
  childrenOf,
  elementsBelow,
  type HtmlElement,
  type HtmlParent,
  hasTag,
  htmlOf,
  parseHtml,
  setAttribute,
  setChildren,
} from '../html/html-nodes.ts'

/** What a post says of a block within a synced one instead of what is stored there, by attribute. */
type Override = Readonly<Record<string, unknown>>

/** By the name that the block has within the synced one. */
export type Overrides = ReadonlyMap<string, Override>

/** The blocks that WordPress lets a post override. They hold no others. */
const overridable = /<!--\s*wp:(?:paragraph|heading|button|image)\s/g

/** What the comment of a synced block overrides of it (since WordPress 6.6). */
export function overridesIn(comment: string): Overrides {
  const { content } = attributesIn(comment)
  return new Map(isObject(content) ? Object.entries(content).flatMap(([name, value]) => (isObject(value) ? [[name, value]] : [])) : [])
}

/** The content of a synced block as the post has it. */
export function withOverrides(content: string, overrides: Overrides): string {
  if (overrides.size === 0) return content
  let made = ''
  let last = 0
  for (const { index } of content.matchAll(overridable)) {
    if (index < last) continue
    const start = content.indexOf('-->', index) + '-->'.length
    const end = content.indexOf('<!-- /wp:', start)
    if (start < index || end < 0) break
    const { metadata } = attributesIn(content.slice(index, start))
    const { name, bindings } = isObject(metadata) ? metadata : {}
    const override = isObject(bindings) && typeof name === 'string' ? overrides.get(name) : undefined
    made += content.slice(last, start) + (override ? overridden(content.slice(start, end), override) : content.slice(start, end))
    last = end
  }
  return made + content.slice(last)
}

function overridden(html: string, override: Override): string {
  const tree = parseHtml(html)
  const text = (name: string) => (typeof override[name] === 'string' ? override[name] : undefined)
  for (const element of [...elementsBelow(tree)]) {
    if (hasTag(element, 'p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6')) fill(element, text('content'))
    if (hasTag(element, 'a', 'button')) fill(element, text('text'))
    if (hasTag(element, 'figcaption')) fill(element, text('caption'))
    if (hasTag(element, 'a') && !hasPicture(element)) set(element, 'href', text('url'))
    if (!hasTag(element, 'img')) continue
    set(element, 'src', text('url'))
    set(element, 'alt', text('alt'))
  }
  return childrenOf(tree).map(htmlOf).join('')
}

function hasPicture(element: HtmlParent): boolean {
  return [...elementsBelow(element)].some((each) => hasTag(each, 'img'))
}

function fill(element: HtmlElement, html: string | undefined): void {
  if (html !== undefined) setChildren(element, childrenOf(parseHtml(html)))
}

function set(element: HtmlElement, name: string, value: string | undefined): void {
  if (value !== undefined && value !== attributeOf(element, name)) setAttribute(element, name, value)
}

/** The attributes in the comment of a block, which are JSON; none if they cannot be read. */
function attributesIn(comment: string): Readonly<Record<string, unknown>> {
  const json = comment.slice(comment.indexOf('{'), comment.lastIndexOf('}') + 1)
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
