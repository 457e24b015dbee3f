import type { GhostFields } from './read-ghost.ts'

/** Part of a post: HTML, or Markdown that its author wrote. */
export type GhostPart = { readonly html: string } | { readonly markdown: string }

export function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}

/** What the site shows of a card, and what of it is lost. */
export interface RenderedCard {
  readonly parts: readonly GhostPart[]
  readonly lost?: string
}

/** Whom a card of the site is shown to: everybody, some members, or nobody, since it is sent by e-mail only. */
export type CardAudience = 'everybody' | 'members' | 'nobody'

/** As the editor says since Ghost 5.100 (`web`), or before (`showOnWeb`, `emailOnly`). What is unclear is for members. */
export function audienceOf({ visibility }: GhostFields): CardAudience {
  if (typeof visibility !== 'object' || visibility === null) return 'everybody'
  const { web, showOnWeb, emailOnly } = visibility as GhostFields
  if (typeof web !== 'object' || web === null) return showOnWeb === false || emailOnly === true ? 'nobody' : 'everybody'
  const { nonMember, memberSegment } = web as GhostFields
  if (nonMember !== false) return 'everybody'
  return memberSegment === '' ? 'nobody' : 'members'
}

const forEmails = ', for e-mails alone'

/** Whether not even the HTML of a post has what was lost: it was sent by e-mail only. */
export function isForEmails(lost: string): boolean {
  return lost.endsWith(forEmails)
}

export function renderCard(name: string, card: GhostFields): RenderedCard {
  const plain = name.replace(/^card-/, '')
  if (/^email(?:-cta)?$/.test(plain) || audienceOf(card) === 'nobody') return { parts: [], lost: `card ${plain}${forEmails}` }
  const parts = cardParts(plain, card)
  if (parts && plain !== 'signup') return { parts }
  return { parts: parts ?? [], lost: parts ? 'form of a card signup' : `card ${name.slice(0, 40)}` }
}

/** Undefined for a card that is unknown. */
function cardParts(name: string, card: GhostFields): readonly GhostPart[] | undefined {
  const text = (...names: readonly string[]) =>
    names.map((each) => card[each]).find((value) => typeof value === 'string' && value !== '') as string | undefined
  const caption = text('caption') ? `<figcaption>${text('caption')}</figcaption>` : ''
  const html = (content: string): readonly GhostPart[] => [{ html: content }]
  const figure = (content: string) => html(`<figure>${content}${caption}</figure>`)
  const link = (url: string | undefined, words: string | undefined) =>
    url ? `<a href="${escapeHtml(url)}">${escapeHtml(words || url)}</a>` : escapeHtml(words ?? '')
  const button = () => (text('buttonUrl') ? `<p>${link(text('buttonUrl'), text('buttonText'))}</p>` : '')
  const picture = (source: string) => (text(source) ? `<p><img src="${escapeHtml(text(source) ?? '')}" alt=""></p>` : '')
  switch (name) {
    case 'markdown':
      return [{ markdown: text('markdown') ?? '' }]
    case 'html':
      return html(text('html') ?? '')
    case 'image':
      return figure(imageHtml(card))
    case 'gallery':
      return figure((Array.isArray(card.images) ? card.images : []).map((image: GhostFields) => imageHtml(image)).join(''))
    case 'code':
    case 'codeblock':
      return html(
        `<pre><code class="language-${escapeHtml(text('language') ?? '')}">${escapeHtml(text('code') ?? '')}</code></pre>${caption ? `<p>${text('caption')}</p>` : ''}`,
      )
    case 'hr':
    case 'horizontalrule':
      return html('<hr>')
    case 'embed':
      return figure(text('html') ?? link(text('url'), undefined))
    case 'bookmark':
      return html(bookmarkHtml(card, link) + (caption ? `<p>${text('caption')}</p>` : ''))
    case 'callout':
      return html(`<blockquote><p>${text('calloutEmoji') ?? ''} ${text('calloutText') ?? ''}</p></blockquote>`)
    case 'toggle':
      return html(`<p><strong>${text('heading') ?? ''}</strong></p><div>${text('content') ?? ''}</div>`)
    case 'button':
      return html(button())
    case 'header':
      return html(
        `${picture('backgroundImageSrc')}<h2>${text('header', 'heading') ?? ''}</h2><h3>${text('subheader', 'subheading') ?? ''}</h3>${card.buttonEnabled === true ? button() : ''}`,
      )
    case 'product':
      return html(
        `${picture('productImageSrc')}<h4>${text('productTitle') ?? ''}</h4><div>${text('productDescription') ?? ''}</div>${card.productButtonEnabled === false ? '' : `<p>${link(text('productUrl'), text('productButton'))}</p>`}`,
      )
    case 'call-to-action':
      return html(
        `${card.hasSponsorLabel === false ? '' : `<div>${text('sponsorLabel') ?? ''}</div>`}${picture('imageUrl')}<div>${text('textValue') ?? ''}</div>${card.showButton === false ? '' : button()}`,
      )
    case 'signup':
      return html(
        `${picture('backgroundImageSrc')}<h2>${text('header') ?? ''}</h2><h3>${text('subheader') ?? ''}</h3><p>${text('disclaimer') ?? ''}</p>`,
      )
    case 'video':
      return figure(`<video controls src="${escapeHtml(text('src') ?? '')}"></video>`)
    case 'audio':
      return html(`<p>${escapeHtml(text('title') ?? '')}</p><audio controls src="${escapeHtml(text('src') ?? '')}"></audio>`)
    case 'file':
      return html(`<p>${link(text('src'), text('fileTitle', 'fileName'))} ${escapeHtml(text('fileCaption') ?? '')}</p>`)
    case 'paywall':
      return []
    default:
      return undefined
  }
}

/** The page that a bookmark leads to: its title, description, and who wrote and published it. */
function bookmarkHtml(card: GhostFields, link: (url: string | undefined, words: string | undefined) => string): string {
  const metadata = (typeof card.metadata === 'object' && card.metadata !== null ? card.metadata : {}) as GhostFields
  const value = (name: string) => [metadata[name], card[name]].find((each) => typeof each === 'string' && each !== '') as string | undefined
  const source = [value('author'), value('publisher')].filter((each) => each !== undefined).join(', ')
  const paragraphs = [link(value('url'), value('title')), escapeHtml(value('description') ?? ''), escapeHtml(source)]
  return paragraphs.map((each) => (each === '' ? '' : `<p>${each}</p>`)).join('')
}

function imageHtml(image: GhostFields): string {
  const value = (name: string) => (typeof image[name] === 'string' ? image[name] : '')
  const src = value('src') || (value('fileName') && `/content/images/${value('fileName')}`)
  const html = `<img src="${escapeHtml(src)}" alt="${escapeHtml(value('alt'))}">`
  return value('href') === '' ? html : `<a href="${escapeHtml(value('href'))}">${html}</a>`
}
