import { type Feed, type FeedPost, urnOf } from './site-feed.ts'
import { element, type Piece, readyText, textElement, toDocument } from './xml.ts'

/** Atom 1.0 (RFC 4287). */
export function toAtom({ id, title, description, siteUrl, selfUrl, posts, updatedAt }: Feed): readonly Piece[] {
  return toDocument(
    element('feed', { xmlns: 'http://www.w3.org/2005/Atom' }, [
      textElement('id', urnOf(id)),
      textElement('title', title),
      textElement('subtitle', description),
      textElement('updated', updatedAt),
      element('link', { rel: 'alternate', href: siteUrl }),
      element('link', { rel: 'self', href: selfUrl, type: 'application/atom+xml' }),
      // An entry without an author takes that of the feed.
      element('author', {}, [textElement('name', title)]),
      textElement('generator', 'Verso'),
      ...apart(posts).map(toEntry),
    ]),
  )
}

/**
 * Blogs that know only days have several posts of one instant, and readers tell the versions of entries by `updated`. So in a feed each has
 * one of its own: the newer post is a millisecond later.
 */
function apart(posts: readonly FeedPost[]): readonly FeedPost[] {
  const taken = new Set<number>()
  const later = posts.toReversed().map((post) => {
    let ms = Date.parse(post.updatedAt)
    while (taken.has(ms)) ms += 1
    taken.add(ms)
    return { ...post, updatedAt: new Date(ms).toISOString() }
  })
  return later.reverse()
}

function toEntry({ id, title, url, excerpt, html, publishedAt, updatedAt, author, subjects }: FeedPost) {
  return element('entry', {}, [
    textElement('id', urnOf(id)),
    textElement('title', title, { type: 'text' }),
    element('link', { rel: 'alternate', href: url }),
    textElement('published', publishedAt),
    textElement('updated', updatedAt),
    author === null ? undefined : element('author', {}, [textElement('name', author)]),
    ...subjects.map((subject) => element('category', { term: subject })),
    // Validators want some text of every entry.
    textElement('summary', excerpt ?? (html?.length ? null : title), { type: 'text' }),
    html?.length ? element('content', { type: 'html' }, [readyText(html)]) : undefined,
  ])
}
