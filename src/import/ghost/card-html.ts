import type { GhostFields } from './read-ghost.ts'

/** Part of a post: HTML, or Markdown that its author wrote. */
export type GhostPart = { readonly html: string } | { readonly markdown: string }

export function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}

/** What a card of the editor shows; undefined for cards that are unknown, and for those that are sent by e-mail only. */
export function cardParts(name: string, card: GhostFields): readonly GhostPart[] | undefined {
  const text = (...names: readonly string[]) =>
    names.map((each) => card[each]).find((value) => typeof value === 'string' && value !== '') as string | undefined
  const caption = text('caption') ? `<figcaption>${text('caption')}</figcaption>` : ''
  const html = (content: string): readonly GhostPart[] => [{ html: content }]
  const figure = (content: string) => html(`<figure>${content}${caption}</figure>`)
  const link = (url: string | undefined, words: string | undefined) =>
    url ? `<a href="${escapeHtml(url)}">${escapeHtml(words || url)}</a>` : escapeHtml(words ?? '')
  switch (name.replace(/^card-/, '')) {
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
    case 'bookmark': {
      const metadata = (typeof card.metadata === 'object' && card.metadata !== null ? card.metadata : {}) as GhostFields
      const description = typeof metadata.description === 'string' ? metadata.description : ''
      return html(
        `<p>${link(text('url'), typeof metadata.title === 'string' ? metadata.title : undefined)}</p><p>${escapeHtml(description)}</p>${caption ? `<p>${text('caption')}</p>` : ''}`,
      )
    }
    case 'callout':
      return html(`<blockquote><p>${text('calloutEmoji') ?? ''} ${text('calloutText') ?? ''}</p></blockquote>`)
    case 'toggle':
      return html(`<p><strong>${text('heading') ?? ''}</strong></p><div>${text('content') ?? ''}</div>`)
    case 'button':
      return html(`<p>${link(text('buttonUrl'), text('buttonText'))}</p>`)
    case 'header':
      return html(`<h2>${text('header', 'heading') ?? ''}</h2><p>${text('subheader', 'subheading') ?? ''}</p>`)
    case 'product':
      return html(
        `<h4>${text('productTitle') ?? ''}</h4><div>${text('productDescription') ?? ''}</div><p>${link(text('productUrl'), text('productButton'))}</p>`,
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

function imageHtml(image: GhostFields): string {
  const value = (name: string) => (typeof image[name] === 'string' ? image[name] : '')
  const src = value('src') || (value('fileName') && `/content/images/${value('fileName')}`)
  const html = `<img src="${escapeHtml(src)}" alt="${escapeHtml(value('alt'))}">`
  return value('href') === '' ? html : `<a href="${escapeHtml(value('href'))}">${html}</a>`
}
