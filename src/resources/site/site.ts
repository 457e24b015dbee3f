import { parseUrl } from '../../values/parse-url.ts'

/** What feeds have of each post. */
export const feedContents = ['html', 'excerpt'] as const
export type FeedContent = (typeof feedContents)[number]

/** The public site of a project: its settings that decide where posts are and what feeds say. */
export interface Site {
  readonly name: string
  /** The public URL of the site. */
  readonly siteUrl: string | null
  /** The path of a post on the site, such as `/blog/{slug}`. */
  readonly permalink: string | null
  readonly feedContent: FeedContent
  /** Where the site serves its feeds itself, such as `https://example.com/feeds`. */
  readonly feedUrl: string | null
  /** A name of the IANA time zone database. */
  readonly timeZone: string
}

/** What the URL of a post is made of. */
export interface LinkedPost {
  readonly id: string
  readonly slug: string
  readonly categorySlug: string | null
  /** The day of the post: when it was published, will be, or was made. */
  readonly date: string
}

/** What a permalink may hold in braces. */
export const placeholders = ['slug', 'id', 'year', 'month', 'day', 'category'] as const
export type Placeholder = (typeof placeholders)[number]

const form = /^\/(?!\/)[^\s\\{}]*(?:\{(?:slug|id|year|month|day|category)\}[^\s\\{}]*)*$/

const maxPermalinkLength = 2_048

/** What no path of a site has in it. */
const strays: readonly (readonly [RegExp, string])[] = [
  [/\s/, 'The permalink has white space in it. A space in a URL is %20.'],
  [/#/, 'The permalink has a # in it, which ends the path of a URL.'],
  [/%(?![\da-f]{2})/i, 'The permalink has a % in it that begins no code such as %20.'],
  [/\/(?:\.|%2e){1,2}(?:[/?]|$)/i, 'The permalink has a segment . or .. in it, which browsers take out of a path.'],
]

/** Why a pattern does not give every post a path of its own; undefined if it does: it names the slug or the id. */
export function permalinkFault(pattern: string): string | undefined {
  const stray = strays.find(([found]) => found.test(pattern))
  if (stray) return stray[1]
  if (pattern.length <= maxPermalinkLength && form.test(pattern) && /\{(?:slug|id)\}/.test(pattern)) return undefined
  return `The permalink must be a path that begins with / and contains {slug} or {id}, such as /blog/{slug}. It may contain ${placeholders.map((each) => `{${each}}`).join(', ')}.`
}

/** The path of a post below the site URL. Without a category, its segment is left out. */
export function postPath(permalink: string, { id, slug, categorySlug, date }: LinkedPost): string {
  const [year = '', month = '', day = ''] = date.slice(0, 10).split('-')
  const values: Readonly<Record<Placeholder, string>> = { slug, id, year, month, day, category: categorySlug ?? '' }
  const path = permalink.replace(/\{(slug|id|year|month|day|category)\}/g, (_, name: Placeholder) => values[name])
  return categorySlug === null ? path.replace(/\/{2,}/g, '/') : path
}

/** The URL of a post on its site, if the project has a site URL and a permalink. */
export function permalinkOf({ siteUrl, permalink }: Pick<Site, 'siteUrl' | 'permalink'>, post: LinkedPost): URL | undefined {
  if (siteUrl === null || permalink === null) return undefined
  const url = siteUrl.replace(/\/$/, '') + postPath(permalink, post)
  return parseUrl(url)
}
