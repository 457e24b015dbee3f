import type { Sight } from '../../actions/caller.ts'
import type { Db } from '../../database/engine.ts'
import { shortTurns } from '../../values/event-loop.ts'
import { changedAt, postUrl } from './make-feed.ts'
import type { PublicSite, Subject, SubjectKind } from './site-feed.ts'
import { countPosts, findIdAt, listLinks } from './site-feed-store.ts'
import { element, rootParts, textElement } from './xml.ts'

/** URLs of one file (https://www.sitemaps.org/protocol.html), of which the site itself is one. So a sitemap always has a URL. */
export const maxPosts = 50_000 - 1
/** Posts of one statement. To read and write 1,000 holds the event loop for 20 ms. */
const postsAtOnce = 200

const namespace = { xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9' }

interface SitemapRequest {
  readonly db: Db
  readonly sight: Sight
  readonly site: PublicSite
  readonly subject: (Subject & { readonly kind: SubjectKind }) | undefined
  /** Where the sitemap itself is. */
  readonly selfUrl: string
  /** One of the files of an index. */
  readonly page: number | undefined
  /** Posts of one file. */
  readonly most: number
}

/** A sitemap, or an index of several if one file cannot have all posts; nothing for a page that is not there. */
export async function makeSitemap(request: SitemapRequest): Promise<Buffer | undefined> {
  const { db, sight, subject, page, most } = request
  const pages = Math.ceil((await countPosts(db, sight, subject)) / most) || 1
  if (page === undefined && pages > 1) return Buffer.from(indexOf(request.selfUrl, pages))
  return page === undefined || page <= pages ? writeUrls(request, page ?? 1) : undefined
}

function indexOf(selfUrl: string, pages: number): string {
  const { start, end } = rootParts('sitemapindex', namespace)
  const urls = Array.from({ length: pages }, (_, i) => `${selfUrl}?page=${i + 1}`)
  return [start, ...urls.map((url) => `${element('sitemap', {}, [textElement('loc', url)]).text}\n`), end].join('')
}

async function writeUrls({ db, sight, site, subject, most }: SitemapRequest, page: number): Promise<Buffer> {
  const giveWay = shortTurns()
  const { start, end } = rootParts('urlset', namespace)
  const parts = [Buffer.from(start)]
  if (page === 1) parts.push(Buffer.from(`${element('url', {}, [textElement('loc', new URL(site.siteUrl).href)]).text}\n`))
  let after = page === 1 ? '' : ((await findIdAt(db, sight, subject, (page - 1) * most)) ?? '')
  for (let left = most; left > 0; ) {
    const posts = await listLinks(db, sight, subject, { after, most: Math.min(left, postsAtOnce) })
    await giveWay('long')
    const urls = posts.map(
      (post) => element('url', {}, [textElement('loc', postUrl(site, post)), textElement('lastmod', changedAt(post))]).text,
    )
    parts.push(Buffer.from(urls.map((url) => `${url}\n`).join('')))
    const last = posts.at(-1)?.id
    left = last === undefined || posts.length < postsAtOnce ? 0 : left - posts.length
    after = last ?? after
  }
  return Buffer.concat([...parts, Buffer.from(end)])
}
