import GithubSlugger from 'github-slugger'
import type { Element, Root } from 'hast'
import { elementsIn, textOf } from './html-tree.ts'

/** Without it, an id could take the place of a variable of the page (DOM clobbering). */
const prefix = 'user-content-'

/** A heading. */
export interface TocEntry {
  readonly id: string
  readonly text: string
  readonly level: number
}

/** Prefixes ids, gives headings one, and leads the links within the post to them. No id is there twice. */
export function setAnchors(tree: Root): void {
  const elements = elementsIn(tree)
  const ids = new Set<string>()
  for (const { properties } of elements) {
    const id = prefixed(properties.id)
    if (id === undefined || ids.has(id)) delete properties.id
    else ids.add(id)
    if (properties.id !== undefined) properties.id = id
  }
  const slugger = new GithubSlugger()
  for (const element of elements) {
    if (levelOf(element) === undefined || element.properties.id !== undefined) continue
    element.properties.id = unusedId(slugger, ids, textOf(element))
  }
  for (const { tagName, properties } of elements)
    if (tagName === 'a' && typeof properties.href === 'string') properties.href = leadTo(properties.href, ids)
}

/** The headings of a tree that has its anchors. */
export function tocOf(tree: Root): readonly TocEntry[] {
  return elementsIn(tree).flatMap((element) => {
    const level = levelOf(element)
    if (level === undefined) return []
    return [{ id: String(element.properties.id), text: textOf(element).replace(/\s+/g, ' ').trim(), level }]
  })
}

function levelOf({ tagName }: Element): number | undefined {
  return /^h[1-6]$/.test(tagName) ? Number(tagName[1]) : undefined
}

function prefixed(id: unknown): string | undefined {
  const name = id === undefined ? '' : String(id).trim().replace(/\s/g, '-')
  if (name === '' || name === prefix) return undefined
  return name.startsWith(prefix) ? name : `${prefix}${name}`
}

function unusedId(slugger: GithubSlugger, ids: Set<string>, text: string): string {
  const name = text.trim().replace(/\s+/g, ' ') || 'section'
  let id: string
  do id = `${prefix}${slugger.slug(name) || 'section'}`
  while (ids.has(id))
  ids.add(id)
  return id
}

/** A link to an id of the page around the post stays as it is. */
function leadTo(href: string, ids: ReadonlySet<string>): string {
  if (!href.startsWith('#')) return href
  const name = href.slice(1)
  if (ids.has(name) || ids.has(decoded(name))) return href
  return ids.has(`${prefix}${decoded(name)}`) ? `#${prefix}${name}` : href
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
