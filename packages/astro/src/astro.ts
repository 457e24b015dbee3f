import { Verso, type VersoOptions } from '@verso/client'
import type { ContentLoader } from './astro-types.ts'
import { Feed } from './feed.ts'
import { authorLoader, categoryLoader, postLoader, type Rendering } from './loader.ts'

export { type AuthorData, byTag, type CategoryData, type PostData, type TaggedPosts } from './entries.ts'
export type { Rendering } from './loader.ts'

export interface PostLoaderOptions {
  /** `markdown` (the default) renders with the Markdown of the site; `none` leaves only the body. */
  readonly render?: Rendering
}

/** Loaders of content collections that share one reading of the changes feed. */
export interface ContentLoaders {
  posts(options?: PostLoaderOptions): ContentLoader
  authors(): ContentLoader
  categories(): ContentLoader
}

/** The collections of a project. A build after the first asks only for what has changed. */
export function versoContent(options: VersoOptions): ContentLoaders {
  const feed = new Feed(new Verso({ ...options, cacheSize: 0 }))
  const source = String(options.url)
  return {
    posts: ({ render = 'markdown' } = {}) => postLoader(feed, source, render),
    authors: () => authorLoader(feed, source),
    categories: () => categoryLoader(feed, source),
  }
}
