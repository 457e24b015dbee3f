import { type Post, Problem, type Redirect, type Verso } from '@verso/client'
import type { ContentLoader, LoaderContext } from './astro-types.ts'
import { anySchema } from './entries.ts'
import type { Change, Feed } from './feed.ts'

/** A path of the site that leads to a post. The entry has the path as id, without slashes at its ends. */
export interface RedirectData extends Redirect, Record<string, unknown> {}

/** The redirects of the project. They are read again when a post has come, gone or moved, also to another category or day; another edit costs no request. */
export function redirectLoader(verso: Verso, feed: Feed, source: string): ContentLoader {
  return {
    name: 'verso-redirects',
    createSchema: async () => ({ schema: await anySchema(), types: "export type { RedirectData as Entry } from '@verso/astro'\n" }),
    load: async (context) => {
      const { meta, logger } = context
      const isSame = meta.get('source') === source
      const { isWhole, changes, cursor } = await feed.read(isSame ? meta.get('cursor') : undefined, 'redirects')
      const addresses: Record<string, string> = isWhole ? {} : JSON.parse(meta.get('addresses') ?? '{}')
      const hasMoved = follow(addresses, changes)
      if (isWhole || hasMoved) await storeRedirects(await readRedirects(verso, logger), context)
      meta.set('source', source)
      meta.set('cursor', cursor)
      meta.set('addresses', JSON.stringify(addresses))
      logger.info(`${context.store.values().length} redirects`)
    },
  }
}

/** Whether a change is more than another text of a post: what its address is made of and its aliases are kept by its id. */
function follow(addresses: Record<string, string>, changes: readonly Change[]): boolean {
  let hasMoved = false
  for (const change of changes) {
    if (change.type !== 'post') continue
    const post = change.action === 'upsert' && 'aliases' in change.data ? change.data : undefined
    const address = post && addressOf(post)
    if (addresses[change.id] === address) continue
    hasMoved = true
    if (address === undefined) delete addresses[change.id]
    else addresses[change.id] = address
  }
  return hasMoved
}

/** All that a redirect to a post depends on, but for the permalink of the project. */
function addressOf({ slug, status, category, publishedAt, aliases }: Post): string {
  return [slug, status, category?.slug, publishedAt?.slice(0, 10), ...aliases].join(' ')
}

async function readRedirects(verso: Verso, logger: LoaderContext['logger']): Promise<readonly Redirect[]> {
  const redirects: Redirect[] = []
  try {
    for await (const { data } of verso.pages('GET /v1/redirects', { limit: 100 })) redirects.push(...data)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'not_found') throw error
    logger.warn(`There are no redirects: ${error.message}`)
  }
  return redirects
}

async function storeRedirects(redirects: readonly Redirect[], { store, parseData, logger }: LoaderContext): Promise<void> {
  for (const { id } of store.values()) store.delete(id)
  let withQuery = 0
  for (const redirect of redirects) {
    const id = decoded(redirect.from).replace(/^\/+|(?<!\/)\/+$/g, '')
    // A page cannot tell one query from another.
    if (redirect.from.includes('?') || id === '') withQuery++
    // Of `/a` and `/a/`, which are one page, the first counts, as in the files that `verso redirects` writes.
    else if (!store.get(id)) store.set({ id, data: await parseData({ id, data: { ...redirect } }) })
  }
  if (withQuery > 0)
    logger.warn(`${withQuery} redirects have a query, so no page can stand for them: verso redirects writes them for your host`)
}

/** For the `getStaticPaths` of `[...from].astro`: a page for each redirect below the `base` of the site, which Astro itself puts before the paths of pages. */
export function redirectPaths(entries: readonly { readonly id: string; readonly data: Pick<Redirect, 'to'> }[], base = '/') {
  const below = decoded(base).replace(/^\/|\/$/g, '')
  const start = below === '' ? '' : `${below}/`
  return entries
    .filter(({ id }) => id.startsWith(start))
    .map(({ id, data: { to } }) => ({ params: { from: id.slice(start.length) }, props: { to } }))
}

/** Astro escapes the paths of pages itself. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
