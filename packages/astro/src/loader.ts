import type { Post, ToldAuthor, ToldCategory, Verso } from '@verso/client'
import type { ContentLoader, LoaderContext, StoredEntry } from './astro-types.ts'
import { anySchema, toPostData, withDates } from './entries.ts'
import type { Feed } from './feed.ts'
import { htmlOf, renderMarkdown } from './rendering.ts'

/** Who renders a post: the Markdown of the site, Verso, or nobody. */
export type Rendering = 'markdown' | 'html' | 'none'

interface Kind<Resource> {
  /** As the feed names it. */
  readonly type: 'author' | 'category' | 'post'
  /** The name of its type, for the types that Astro writes. */
  readonly data: string
  /** Another source, or another way to render, begins anew. */
  readonly source: string
  toEntry(resource: Resource): StoredEntry
  /** For resources that have changed. */
  render?(resources: readonly Resource[], context: LoaderContext): Promise<(resource: Resource) => Promise<StoredEntry['rendered']>>
}

export function postLoader(
  verso: Verso,
  feed: Feed,
  { source, rendering }: { readonly source: string; readonly rendering: Rendering },
): ContentLoader {
  return loader<Post>(feed, {
    type: 'post',
    data: 'PostData',
    source: `${source} ${rendering}`,
    toEntry: (post) => ({ id: post.slug, data: toPostData(post), body: post.content }),
    ...(rendering === 'markdown' && { render: async (_, context) => (post) => renderMarkdown(post, context) }),
    ...(rendering === 'html' && { render: (posts) => htmlOf(verso, posts) }),
  })
}

export function authorLoader(feed: Feed, source: string): ContentLoader {
  return loader<ToldAuthor>(feed, {
    type: 'author',
    data: 'AuthorData',
    source,
    toEntry: (author) => ({ id: author.slug, data: { ...withDates(author) } }),
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
    createSchema: async () => ({ schema: await anySchema(), types: `export type { ${kind.data} as Entry } from '@verso/astro'\n` }),
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
  const stored = await storeEntries([...entries.values()], kind, context)
  meta.set('source', kind.source)
  meta.set('cursor', cursor)
  logger.info(`${stored} changed, ${deleted} deleted, ${store.values().length} in all`)
}

interface Told<Resource> {
  readonly resource: Resource
  readonly entry: StoredEntry
}

/** What has not changed is not rendered again. */
async function storeEntries<Resource>(told: readonly Told<Resource>[], kind: Kind<Resource>, context: LoaderContext): Promise<number> {
  const { store, generateDigest, parseData } = context
  const changed = told
    .map((each) => ({ ...each, digest: generateDigest(JSON.stringify([each.resource, kind.source])) }))
    .filter(({ entry, digest }) => store.get(entry.id)?.digest !== digest)
  const render = await kind.render?.(
    changed.map(({ resource }) => resource),
    context,
  )
  for (const { resource, entry, digest } of changed) {
    const data = await parseData({ id: entry.id, data: entry.data })
    const rendered = await render?.(resource)
    store.set({ ...entry, data, digest, ...(rendered && { rendered }) })
  }
  return changed.length
}
