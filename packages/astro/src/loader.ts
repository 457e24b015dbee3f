import type { Author, Post, ToldCategory } from '@verso/client'
import type { ContentLoader, LoaderContext, StoredEntry } from './astro-types.ts'
import { toPostData, withDates } from './entries.ts'
import type { Feed } from './feed.ts'
import { renderMarkdown } from './rendering.ts'

/** What is rendered of a post: by Astro, or nothing. */
export type Rendering = 'markdown' | 'none'

interface Kind<Resource> {
  /** As the feed names it. */
  readonly type: 'author' | 'category' | 'post'
  /** The name of its type, for the types that Astro writes. */
  readonly data: string
  /** Another source, or another way to render, begins anew. */
  readonly source: string
  toEntry(resource: Resource): StoredEntry
  render?(resource: Resource, context: LoaderContext): Promise<StoredEntry['rendered']>
}

export function postLoader(feed: Feed, source: string, rendering: Rendering): ContentLoader {
  return loader<Post>(feed, {
    type: 'post',
    data: 'PostData',
    source: `${source} ${rendering}`,
    toEntry: (post) => ({ id: post.slug, data: toPostData(post), body: post.content }),
    ...(rendering === 'markdown' && { render: renderMarkdown }),
  })
}

export function authorLoader(feed: Feed, source: string): ContentLoader {
  return loader<Author>(feed, {
    type: 'author',
    data: 'AuthorData',
    source,
    toEntry: (author) => ({ id: (author as { slug?: string }).slug ?? author.id, data: { ...withDates(author) } }),
  })
}

export function categoryLoader(feed: Feed, source: string): ContentLoader {
  return loader<ToldCategory>(feed, {
    type: 'category',
    data: 'CategoryData',
    source,
    toEntry: (category) => ({ id: category.slug, data: { ...withDates(category) } }),
  })
}

function loader<Resource extends { readonly id: string }>(feed: Feed, kind: Kind<Resource>): ContentLoader {
  return {
    name: `verso-${kind.type}`,
    load: (context) => load(feed, kind, context),
    createSchema: async () => ({ schema: await schemaOf(), types: `export type { ${kind.data} as Entry } from '@verso/astro'\n` }),
  }
}

async function load<Resource extends { readonly id: string }>(feed: Feed, kind: Kind<Resource>, context: LoaderContext): Promise<void> {
  const { store, meta, logger } = context
  const isSame = meta.get('source') === kind.source
  const { isWhole, changes, cursor } = await feed.read(isSame ? meta.get('cursor') : undefined, kind.type)
  const mine = changes.filter(({ type }) => type === kind.type)
  const changed = mine.flatMap((change) => (change.action === 'upsert' ? [change.data as unknown as Resource] : []))
  const entries = new Map(changed.map((resource) => [resource.id, { resource, entry: kind.toEntry(resource) }]))
  const told = new Set(mine.map(({ id }) => id))
  let deleted = 0
  for (const { id, data } of store.values()) {
    const resourceId = String(data.id)
    // Gone, or moved to another slug.
    if (entries.get(resourceId)?.entry.id === id || !(isWhole || told.has(resourceId))) continue
    store.delete(id)
    if (!entries.has(resourceId)) deleted++
  }
  let stored = 0
  for (const { resource, entry } of entries.values()) if (await storeEntry(resource, entry, kind, context)) stored++
  meta.set('source', kind.source)
  meta.set('cursor', cursor)
  logger.info(`${stored} changed, ${deleted} deleted, ${store.values().length} in all`)
}

/** What has not changed is not rendered again. */
async function storeEntry<Resource>(
  resource: Resource,
  entry: StoredEntry,
  kind: Kind<Resource>,
  context: LoaderContext,
): Promise<boolean> {
  const digest = context.generateDigest(JSON.stringify([resource, kind.source]))
  if (context.store.get(entry.id)?.digest === digest) return false
  const data = await context.parseData({ id: entry.id, data: entry.data })
  const rendered = await kind.render?.(resource, context)
  return context.store.set({ ...entry, data, digest, ...(rendered && { rendered }) })
}

/** Verso has checked its resources. A schema of the site itself, if there is one, takes the place of this one. */
async function schemaOf(): Promise<unknown> {
  const zod = 'astro/zod'
  const { z } = (await import(/* @vite-ignore */ zod)) as { readonly z: { looseObject(shape: object): unknown; string(): unknown } }
  return z.looseObject({ id: z.string() })
}
