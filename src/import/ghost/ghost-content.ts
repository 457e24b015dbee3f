import type { ConvertedHtml, HtmlConverter } from '../html/convert-html.ts'
import { type GhostPart, isForEmails } from './card-html.ts'
import { renderLexical } from './lexical.ts'
import { type RenderedDocument, renderMobiledoc } from './mobiledoc.ts'
import { type GhostFields, textField } from './read-ghost.ts'

/** The text of a post. */
export interface GhostContent extends Pick<ConvertedHtml, 'keptBlocks' | 'images'> {
  readonly markdown: string
  /** What is left out, by name and how often. */
  readonly dropped: ReadonlyMap<string, number>
}

/** The text of a post: the Markdown that its author wrote, where there is some, else its HTML, else what its editor stored. */
export function ghostContent(post: GhostFields, convert: HtmlConverter, imageUrl: (url: string) => string): GhostContent {
  const { parts, lost } = documentOf(post)
  const dropped = new Map<string, number>()
  for (const name of lost) dropped.set(name, (dropped.get(name) ?? 0) + 1)
  const [only] = parts
  if (only && parts.length === 1 && 'markdown' in only) return { markdown: only.markdown, keptBlocks: 0, images: [], dropped }
  const pieces: string[] = []
  const images: ConvertedHtml['images'][number][] = []
  let keptBlocks = 0
  for (const part of merged(parts)) {
    if ('markdown' in part) {
      pieces.push(part.markdown.trim())
      continue
    }
    const converted = convert([{ html: part.html, form: 'html' }], imageUrl)
    pieces.push(converted.markdown.trimEnd())
    images.push(...converted.images)
    keptBlocks += converted.keptBlocks
    for (const [name, count] of converted.dropped) dropped.set(`<${name}>`, (dropped.get(`<${name}>`) ?? 0) + count)
  }
  const text = pieces.filter((piece) => piece !== '').join('\n\n')
  return { markdown: text === '' ? '' : `${text}\n`, keptBlocks, images, dropped }
}

/** HTML that stands together is converted together. */
function merged(parts: readonly GhostPart[]): readonly GhostPart[] {
  const all: GhostPart[] = []
  for (const part of parts) {
    const last = all.at(-1)
    if (last && 'html' in last && 'html' in part) all[all.length - 1] = { html: `${last.html}\n${part.html}` }
    else all.push(part)
  }
  return all
}

function documentOf(post: GhostFields): RenderedDocument {
  const markdown = textField(post, 'markdown')
  if (markdown !== '') return { parts: [{ markdown }], lost: [] }
  const stored = renderMobiledoc(textField(post, 'mobiledoc')) ?? renderLexical(textField(post, 'lexical'))
  const html = textField(post, 'html')
  if (html.trim() === '') return stored ?? { parts: [], lost: [] }
  const cards = stored?.parts.flatMap((part) => ('markdown' in part ? part : [])) ?? []
  const isAllMarkdown = cards.length === 1 && stored?.parts.length === 1
  return { parts: isAllMarkdown ? cards : withCards(html, cards), lost: stored?.lost.filter(isForEmails) ?? [] }
}

const cardBegin = '<!--kg-card-begin: markdown-->'
const cardEnd = '<!--kg-card-end: markdown-->'

/** The HTML of a post with the Markdown of its cards in their places; all of it HTML where places and cards do not match. */
function withCards(html: string, cards: readonly GhostPart[]): readonly GhostPart[] {
  const pieces = html.split(cardBegin)
  if (cards.length === 0 || pieces.length !== cards.length + 1) return [{ html }]
  const [first = '', ...others] = pieces
  const parts: GhostPart[] = [{ html: first }]
  for (const [index, piece] of others.entries()) {
    const end = piece.indexOf(cardEnd)
    const card = cards[index]
    if (end < 0 || !card) return [{ html }]
    parts.push(card, { html: piece.slice(end + cardEnd.length) })
  }
  return parts
}
