/** What Verso uses of Astro's interfaces. They are written down here so that one package serves every Astro from 5.10 on. */
export interface RenderedContent {
  html: string
  metadata?: { imagePaths?: string[]; headings?: Heading[]; [key: string]: unknown }
}

export interface Heading {
  depth: number
  slug: string
  text: string
}

export interface StoredEntry {
  id: string
  data: Record<string, unknown>
  body?: string
  digest?: number | string
  rendered?: RenderedContent
}

/** A part of what Astro gives to the `load` of a loader. */
export interface LoaderContext {
  readonly store: {
    get(key: string): StoredEntry | undefined
    set(entry: StoredEntry): boolean
    values(): StoredEntry[]
    delete(key: string): void
  }
  readonly meta: { get(key: string): string | undefined; set(key: string, value: string): void }
  readonly logger: { info(message: string): void; warn(message: string): void }
  parseData<Data extends Record<string, unknown>>(entry: { id: string; data: Data }): Promise<Data>
  renderMarkdown(content: string): Promise<RenderedContent>
  generateDigest(data: Record<string, unknown> | string): string
}

/** A loader of a content collection. Astro's own types name the schema by the zod that it brings. */
export interface ContentLoader {
  name: string
  load(context: LoaderContext): Promise<void>
  // biome-ignore lint/suspicious/noExplicitAny: a schema of zod, which only Astro has.
  createSchema(): Promise<{ schema: any; types: string }>
}

export interface LiveEntry<Data extends Record<string, unknown>> {
  id: string
  data: Data
  rendered?: { html: string }
  cacheHint?: { tags?: string[]; lastModified?: Date }
}

/** A loader of a live collection. */
export interface LiveContentLoader<Data extends Record<string, unknown>, EntryFilter, CollectionFilter> {
  name: string
  loadEntry(context: { filter: EntryFilter }): Promise<LiveEntry<Data> | undefined | { error: Error }>
  loadCollection(context: { filter?: CollectionFilter }): Promise<{ entries: LiveEntry<Data>[] } | { error: Error }>
}

/** A part of an integration. */
export interface Integration {
  name: string
  hooks: {
    'astro:config:setup'(options: {
      config: { base: string }
      injectRoute(route: { pattern: string; entrypoint: string; prerender?: boolean }): void
      injectScript(stage: 'head-inline', content: string): void
    }): void
  }
}
