import { Verso, type VersoOptions } from '@verso/client'
import type { ContentLoader, LiveContentLoader } from './astro-types.ts'
import type { PostData } from './entries.ts'
import { Feed } from './feed.ts'
import { type LivePostFilter, type LivePostsFilter, livePostLoader } from './live.ts'
import { authorLoader, categoryLoader, postLoader, type Rendering } from './loader.ts'
import { redirectLoader } from './redirects.ts'

export {
  type AuthorData,
  authorPaths,
  type CategoryData,
  feedItems,
  newestFirst,
  type PostData,
  type PostEntry,
  tagPaths,
} from './entries.ts'
export { type IntegrationOptions, verso } from './integration.ts'
export type { LivePostFilter, LivePostsFilter } from './live.ts'
export type { Rendering } from './loader.ts'
export { type RedirectData, redirectPaths } from './redirects.ts'

export interface PostLoaderOptions {
  /** `markdown` (the default): the Markdown of the site; `html`: Verso's HTML, which is safe in any page; `none`: only the body. */
  readonly render?: Rendering
}

/** Loaders of content collections that share one reading of the changes feed. */
export interface ContentLoaders {
  posts(options?: PostLoaderOptions): ContentLoader
  authors(): ContentLoader
  categories(): ContentLoader
  /** For the option `redirects` of the integration. */
  redirects(): ContentLoader
}

/** The collections of a project. A build after the first asks only for what has changed. */
export function versoContent(options: VersoOptions): ContentLoaders {
  const client = new Verso({ ...options, cacheSize: 0 })
  const feed = new Feed(client)
  const source = String(options.url)
  return {
    posts: ({ render = 'markdown' } = {}) => postLoader(client, feed, { source, rendering: render }),
    authors: () => authorLoader(feed, source),
    categories: () => categoryLoader(feed, source),
    redirects: () => redirectLoader(client, feed, source),
  }
}

/** Loaders of live collections. */
export interface LiveLoaders {
  posts(): LiveContentLoader<PostData, LivePostFilter, LivePostsFilter>
}

/** What is read at the moment of a request: for pages that are rendered on demand, such as previews. */
export function versoLive(options: VersoOptions): LiveLoaders {
  const client = new Verso(options)
  return { posts: () => livePostLoader(client) }
}
