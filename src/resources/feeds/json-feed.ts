import type { Feed, FeedPost } from './site-feed.ts'
import type { Piece } from './xml.ts'

/** JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/). */
export function toJsonFeed({ title, description, siteUrl, selfUrl, posts }: Feed): readonly Piece[] {
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: siteUrl,
    feed_url: selfUrl,
    description,
  }
  const items = posts.flatMap((post, i) => (i === 0 ? toItem(post) : [',', ...toItem(post)]))
  return [JSON.stringify(feed).slice(0, -1), ',"items":[', ...items, ']}']
}

function toItem({ id, title, url, excerpt, html, publishedAt, updatedAt, author, subjects, image }: FeedPost): readonly Piece[] {
  const item = {
    id,
    url,
    title,
    ...(html === undefined && { content_text: excerpt ?? '' }),
    ...(excerpt !== null && { summary: excerpt }),
    ...(image !== null && { image }),
    date_published: publishedAt,
    date_modified: updatedAt,
    ...(author !== null && { authors: [{ name: author }] }),
    tags: subjects,
  }
  const json = JSON.stringify(item)
  return html === undefined ? [json] : [json.slice(0, -1), ',"content_html":', html, '}']
}
