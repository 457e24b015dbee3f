import type { Caller } from '../actions/caller.ts'
import { findAliasHolders } from '../resources/posts/post-alias-store.ts'
import { slugsNear } from '../resources/posts/post-slug-store.ts'
import { byPath } from '../resources/site/alias.ts'
import type { PostId, Random } from '../values/ids.ts'
import { firstFreeSlug, randomSlug, slugBase, withSuffix } from '../values/slug.ts'
import type { DetectedPost } from './detect-changes.ts'
import type { ImportContext } from './import-context.ts'
import { findTakenSlugs } from './post-bulk-store.ts'

/** The slug that a post asks for and the one that it gets. */
export interface ChosenSlug {
  readonly wanted: string
  readonly free: string
}

/** Chooses slugs, by path: for new posts, and for those whose slug has changed in the source. */
export async function chooseSlugs(
  { db, planned }: ImportContext,
  { projectId }: Caller,
  posts: readonly DetectedPost[],
  random: Random,
): Promise<ReadonlyMap<string, ChosenSlug>> {
  const asking = posts.flatMap((post) => {
    const wanted = wantedSlug(post, random)
    return wanted === undefined ? [] : { path: post.source.path, wanted, id: post.change === 'update' ? post.here.id : undefined }
  })
  const wanted = asking.map((each) => each.wanted)
  // A post can have a slug back that redirects to it.
  const some = await findTakenSlugs(db, projectId, new Map(asking.map((each) => [each.wanted, each.id])))
  const near = (base: string) => slugsNear(db, projectId, base)
  const free = await freeSlugs(wanted, { taken: planned.slugs, some, near })
  return new Map(asking.map(({ path, wanted }, index) => [path, { wanted, free: free[index] ?? wanted }]))
}

/** A slug made from a title stays when the title changes. One with a suffix stays while the source says the same. */
function wantedSlug(post: DetectedPost, random: Random): string | undefined {
  const { slug, title } = post.source
  if (post.change === 'create') return slug ?? (slugBase(title) || randomSlug('post', random))
  if (post.change !== 'update' || slug === null || isFormOf(post.here.slug, slug)) return undefined
  return slug
}

interface TakenSlugs {
  /** By what is planned; what is chosen is added. */
  readonly taken: Set<string>
  /** Those of the wanted ones that are taken. */
  readonly some: Iterable<string>
  /** The taken ones that decide which suffix of a slug is free. */
  near(base: string): Promise<Iterable<string>>
}

/** Each slug, or the first of `-2`, `-3`, … that is not taken. */
export async function freeSlugs(wanted: readonly string[], { taken, some, near }: TakenSlugs): Promise<readonly string[]> {
  for (const slug of some) taken.add(slug)
  const chosen: string[] = []
  const looked = new Set<string>()
  for (const base of wanted) {
    if (taken.has(base) && !looked.has(base)) for (const slug of await near(base)) taken.add(slug)
    looked.add(base)
    const slug = firstFreeSlug(base, taken)
    taken.add(slug)
    chosen.push(slug)
  }
  return chosen
}

/** The aliases that each post gets, by its path in the source: those that no other post has. An alias can go from one post to another. */
export async function chooseAliases(
  { db, planned }: ImportContext,
  { projectId }: Caller,
  posts: readonly DetectedPost[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const asking = posts.flatMap((post) => (post.change === 'create' || post.change === 'update' ? post : []))
  const wanted = asking.map(({ source }) => byPath(source.aliases))
  const holders = await findAliasHolders(db, projectId, [...new Set(wanted.flatMap((aliases) => [...aliases.keys()]))])
  const changing = new Map(asking.flatMap((post, index) => (post.change === 'update' ? [[post.here.id, wanted[index]] as const] : [])))
  const isFree = (path: string, own: PostId | undefined) => {
    const holder = holders.get(path)
    const isKept = holder !== undefined && holder !== own && (changing.get(holder)?.has(path) ?? true)
    return !isKept && !planned.aliases.has(path)
  }
  return new Map(
    asking.map((post, index) => {
      const own = post.change === 'update' ? post.here.id : undefined
      const free = [...(wanted[index] ?? [])].filter(([path]) => isFree(path, own))
      for (const [path] of free) planned.aliases.add(path)
      return [post.source.path, free.map(([, alias]) => alias)]
    }),
  )
}

/** Whether a slug is `base` or `base` with a number. */
export function isFormOf(slug: string, base: string): boolean {
  const [, digits] = /-([1-9]\d{0,8})$/.exec(slug) ?? []
  return slug === base || (digits !== undefined && slug === withSuffix(base, Number(digits)))
}
