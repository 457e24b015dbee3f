import type { Wanted } from './clients.ts'
import type { LargeProject } from './large-posts.ts'

/** The most expensive request of each kind. Its numbers make each another one, so that no cache knows it. */
export const expensive: Readonly<Record<string, string>> = {
  'a frequent part of titles': '/v1/posts?search=subject&fields=id&page={n}',
  'a frequent part of titles, in another order': '/v1/posts?search=subject&sort=slug&fields=id&page={n}',
  'frequent words': '/v1/posts?q=common%20words&fields=id&page={n}',
  'frequent words, in another order': '/v1/posts?q=common&sort=slug&fields=id&page={n}',
  'a word that no post has': '/v1/posts?q=nowhere{n}&fields=id',
  'a part that no title has': '/v1/posts?search=nowhere{n}&fields=id',
  'an order without an index': '/v1/posts?sort=slug,title&fields=id&page={n}',
  'a deep page': '/v1/posts?sort=title&fields=id&limit=1&page={deep}',
  'two kinds of filter': '/v1/posts?tag=tag&category=category&fields=id&page={n}',
  'a counted total': '/v1/posts?updated_after=2020-01-01T00:00:00.{ms}Z&fields=id&limit=1',
  'a counted total of an indexed order': '/v1/posts?published_after=2020-01-01T00:00:00.{ms}Z&fields=id&limit=1',
  'the trash': '/v1/posts?trashed=true&fields=id&limit={1-100}',
  'the changes feed': '/v1/changes?limit={1-100}',
  tags: '/v1/tags?limit={1-100}',
}

/** What can take long for another reason: of large contents, of a site with as many posts and this key, or of what is compared or rendered for it. */
export function expensiveToMake(posts: number, key: string, large: LargeProject): readonly (readonly [kind: string, Wanted])[] {
  const ofLarge = (path: string) => ({ path, key: large.secret })
  const ofSite = (path: string) => ({ path, key })
  return [
    ['a page of large posts', ofLarge('/v1/posts?tag=t{1-10}&limit={1-100}')],
    ['a page of large posts with HTML', ofLarge('/v1/posts?tag=t{1-10}&limit={1-100}&include=html,toc,media')],
    ['a large post', ofLarge('/v1/posts/huge-{1-10}?fields=content')],
    ['a large post with HTML', ofLarge('/v1/posts/huge-{1-10}?include=html,toc,media')],
    ['the revisions of a large post', ofLarge('/v1/posts/versions/revisions?limit={1-10}')],
    ['a revision of a large post', ofLarge('/v1/posts/versions/revisions/{1-10}')],
    ['two versions of a large post compared', ofLarge('/v1/posts/versions/revisions/11/diff?against={1-10}')],
    ['large posts in the changes feed', ofLarge('/v1/changes?limit={1-100}')],
    ['an RSS feed of large posts', ofLarge('/v1/feeds/large/tags/t{1-10}/rss.xml')],
    ['an Atom feed of large posts', ofLarge('/v1/feeds/large/tags/t{1-10}/atom.xml')],
    ['a JSON feed of large posts', ofLarge('/v1/feeds/large/tags/t{1-10}/feed.json')],
    ['a sitemap', ofSite(`/v1/feeds/default/sitemap.xml${posts > 500_000 ? '?page={1-10}' : ''}`)],
    ['redirects', ofSite('/v1/redirects?limit={1-100}')],
    ['related posts', ofSite('/v1/posts/subject-{post}/related?limit={1-100}')],
  ]
}
