import type { Feed, FeedPost } from './site-feed.ts'
import { element, type Piece, readyText, textElement, toDocument } from './xml.ts'

const namespaces = {
  'xmlns:atom': 'http://www.w3.org/2005/Atom',
  'xmlns:content': 'http://purl.org/rss/1.0/modules/content/',
  'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
}

/** RSS 2.0 (https://www.rssboard.org/rss-specification). */
export function toRss({ title, description, siteUrl, selfUrl, posts }: Feed): readonly Piece[] {
  return toDocument(
    element('rss', { version: '2.0', ...namespaces }, [
      element('channel', {}, [
        textElement('title', title),
        textElement('link', siteUrl),
        textElement('description', description),
        element('atom:link', { href: selfUrl, rel: 'self', type: 'application/rss+xml' }),
        textElement('generator', 'Verso'),
        ...posts.map(toItem),
      ]),
    ]),
  )
}

function toItem({ id, title, url, excerpt, html, publishedAt, author, subjects }: FeedPost) {
  const content = html && readyText(html)
  return element('item', {}, [
    textElement('title', title),
    textElement('link', url),
    textElement('guid', id, { isPermaLink: 'false' }),
    textElement('pubDate', toRfc822(publishedAt)),
    textElement('dc:creator', author),
    ...subjects.map((subject) => textElement('category', subject)),
    // The content comes as the description where there is no other.
    excerpt === null ? content && element('description', {}, [content]) : textElement('description', excerpt),
    excerpt === null ? undefined : content && element('content:encoded', {}, [content]),
  ])
}

/** `Sat, 07 Sep 2002 09:42:31 GMT`. */
function toRfc822(instant: string): string {
  return new Date(instant).toUTCString()
}
