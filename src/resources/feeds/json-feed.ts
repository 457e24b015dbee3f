import type { Feed, FeedPost } from './site-feed.ts'

/** JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/). */
export function toJsonFeed({ title, description, siteUrl, selfUrl, posts }: Feed): string {
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: siteUrl,
    feed_url: selfUrl,
    description,
    items: posts.map(toItem),
  }
  return JSON.stringify(feed)
}

function toItem({ id, title, url, excerpt, html, publishedAt, updatedAt, author, subjects, image }: FeedPost) {
  return {
    id,
    url,
    title,
    ...(html === undefined ? { content_text: excerpt ?? '' } : { content_html: html }),
    ...(excerpt !== null && { summary: excerpt }),
    ...(image !== null && { image }),
    date_published: publishedAt,
    date_modified: updatedAt,
    ...(author !== null && { authors: [{ name: author }] }),
    tags: subjects,
  }
}
