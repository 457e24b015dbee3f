import type { Sight } from '../../actions/caller.ts'
import type { Db } from '../../database/engine.ts'
import { ownTurn, shortTurns } from '../../values/event-loop.ts'
import { permalinkOf } from '../site/site.ts'
import type { Feed, FeedPost, PublicSite, Subject, SubjectKind } from './site-feed.ts'
import { findContent, listNewest } from './site-feed-store.ts'

/** As many as readers keep anyway. */
const newestPosts = 20
/** Where a site has its posts if the project does not say so. */
const defaultPermalink = '/{slug}'

/** What renders posts for feeds. HTML comes as JSON, or as text of XML. */
export interface FeedRenderer {
  render(
    asker: string,
    posts: readonly {
      readonly id: string
      readonly contentHash: string
      readonly content: string
      readonly baseUrl: string
      readonly asXml: boolean
    }[],
  ): Promise<readonly { readonly html: Uint8Array; readonly isLate: boolean }[]>
}

interface FeedRequest {
  readonly projectId: string
  readonly site: PublicSite
  readonly subject: (Subject & { readonly kind: SubjectKind }) | undefined
  readonly selfUrl: string
  readonly isXml: boolean
}

type Rows = Awaited<ReturnType<typeof listNewest>>

/** The posts of a feed as they are stored. */
export async function readFeedPosts(db: Db, sight: Sight, { site, subject }: Pick<FeedRequest, 'site' | 'subject'>) {
  const rows = await listNewest(db, sight, subject, newestPosts)
  const giveWay = shortTurns()
  const contents: string[] = []
  for (const row of rows) {
    await giveWay(site.feedContent === 'html' ? 'long' : 'short')
    contents.push(site.feedContent === 'html' ? ((await findContent(db, sight, row)) ?? '') : '')
  }
  return { rows, contents }
}

/** A feed, and whether a post of it is text for now because it took too long to render. */
export async function makeFeed(
  request: FeedRequest,
  { rows, contents }: Awaited<ReturnType<typeof readFeedPosts>>,
  renderer: FeedRenderer,
): Promise<{ readonly feed: Feed; readonly isLate: boolean }> {
  const { projectId, site, subject, selfUrl, isXml } = request
  const wanted = site.feedContent === 'html' ? rows : []
  const rendered = await renderer.render(
    `feeds of ${projectId}`,
    wanted.map((row, i) => ({
      id: row.id,
      contentHash: row.content_hash,
      content: contents[i] ?? '',
      baseUrl: postUrl(site, row),
      asXml: isXml,
    })),
  )
  // Whoever asked for a feed with one of these posts meanwhile goes on now as well.
  if (wanted.length > 0) await ownTurn()
  const posts = rows.map((row, i) => toFeedPost(site, row, rendered[i]?.html))
  const about = subject ? `${site.name}: ${subject.name}` : site.name
  const feed = {
    id: subject?.id ?? projectId,
    title: about,
    description: `The newest posts of ${about}`,
    siteUrl: new URL(site.siteUrl).href,
    selfUrl,
    // Never the present time: the same posts give the same bytes.
    updatedAt: posts.map(({ updatedAt }) => updatedAt).reduce((a, b) => (a > b ? a : b), site.createdAt),
    posts,
  }
  return { feed, isLate: rendered.some(({ isLate }) => isLate) }
}

function toFeedPost(site: PublicSite, row: Rows[number], html: Uint8Array | undefined): FeedPost {
  const names = JSON.parse(row.tags) as string[]
  return {
    id: row.id,
    title: row.title,
    url: postUrl(site, row),
    excerpt: row.excerpt,
    html,
    publishedAt: row.published_at,
    updatedAt: changedAt(row),
    author: row.author_name,
    subjects: [...new Set([...(row.category_name === null ? [] : [row.category_name]), ...names])],
    image: row.seo_og_image,
  }
}

/** When readers should look again. A post that was never changed here is as it was published: an import is no change. */
export function changedAt({
  version,
  published_at,
  updated_at,
}: {
  readonly version: number
  readonly published_at: string
  readonly updated_at: string
}): string {
  return version === 1 && published_at !== '' ? published_at : updated_at
}

interface LinkRow {
  readonly id: string
  readonly slug: string
  readonly published_at: string
  readonly created_at: string
  readonly category_slug: string | null
}

/** The absolute URL of a post. */
export function postUrl(site: PublicSite, { id, slug, published_at, created_at, category_slug }: LinkRow): string {
  const post = { id, slug, categorySlug: category_slug, date: published_at || created_at }
  const url = permalinkOf({ ...site, permalink: site.permalink ?? defaultPermalink }, post)
  // A permalink that is no path of its site leads to the site at least.
  return (url ?? new URL(site.siteUrl)).href
}
