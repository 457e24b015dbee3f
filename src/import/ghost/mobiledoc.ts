import { escapeHtml, type GhostPart, renderCard } from './card-html.ts'
import type { GhostFields } from './read-ghost.ts'

/** Parts of a text that an editor of Ghost has stored, and what of its cards is lost. */
export interface RenderedDocument {
  readonly parts: readonly GhostPart[]
  readonly lost: readonly string[]
}

type Json = readonly unknown[]

/** The parts of a text in the format mobiledoc (0.3); undefined if it is none. */
export function renderMobiledoc(source: string): RenderedDocument | undefined {
  const document = parseDocument(source)
  if (!document || !Array.isArray(document.sections)) return undefined
  const lost: string[] = []
  const parts = document.sections.flatMap((section: unknown): readonly GhostPart[] => {
    if (!Array.isArray(section)) return []
    const [type, first, second] = section as Json
    if (type === 1) return [{ html: element(String(first), markers(asArray(second), document)) }]
    if (type === 2) return [{ html: `<img src="${escapeHtml(String(first))}" alt="">` }]
    if (type === 3) {
      const items = asArray(second).map((item) => element('li', markers(asArray(item), document)))
      return [{ html: element(String(first), items.join('')) }]
    }
    const [name, payload] = asArray(asArray(document.cards)[Number(first)])
    const card = renderCard(String(name), fieldsOf(payload))
    if (card.lost !== undefined) lost.push(card.lost)
    return card.parts
  })
  return { parts, lost }
}

export function parseDocument(source: string): GhostFields | undefined {
  try {
    const document: unknown = JSON.parse(source)
    return typeof document === 'object' && document !== null ? fieldsOf(document) : undefined
  } catch {
    return undefined
  }
}

function fieldsOf(value: unknown): GhostFields {
  return typeof value === 'object' && value !== null ? (value as GhostFields) : {}
}

function asArray(value: unknown): Json {
  return Array.isArray(value) ? value : []
}

/** A marker opens elements, has text or an atom, and closes some. */
function markers(list: Json, { markups, atoms }: GhostFields): string {
  const open: string[] = []
  let html = ''
  for (const marker of list) {
    const [type, opens, closes, value] = asArray(marker)
    for (const index of asArray(opens)) {
      const [tag, attributes] = asArray(asArray(markups)[Number(index)])
      open.push(String(tag))
      html += `<${tagName(tag)}${attributesOf(asArray(attributes))}>`
    }
    const [atom, text] = type === 1 ? asArray(asArray(atoms)[Number(value)]) : []
    html += type !== 1 ? escapeHtml(String(value ?? '')) : atom === 'soft-return' ? '<br>' : escapeHtml(String(text ?? ''))
    for (let left = Number(closes); left > 0 && open.length > 0; left--) html += `</${tagName(open.pop())}>`
  }
  return (
    html +
    open
      .reverse()
      .map((tag) => `</${tagName(tag)}>`)
      .join('')
  )
}

function attributesOf(list: Json): string {
  let html = ''
  for (let i = 0; i + 1 < list.length; i += 2) html += ` ${tagName(list[i])}="${escapeHtml(String(list[i + 1]))}"`
  return html
}

export function element(tag: string, content: string): string {
  return `<${tagName(tag)}>${content}</${tagName(tag)}>`
}

function tagName(name: unknown): string {
  return /^[a-z][a-z0-9-]*$/i.test(String(name)) ? String(name).toLowerCase() : 'span'
}
