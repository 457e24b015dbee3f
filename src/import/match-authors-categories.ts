import { type Caller, sightOf } from '../actions/caller.ts'
import { type Author, newAuthor } from '../resources/authors/author.ts'
import { findAuthorsByName } from '../resources/authors/author-store.ts'
import { type Category, newCategory } from '../resources/categories/category.ts'
import { findCategoriesByName } from '../resources/categories/category-store.ts'
import { referenceSlugsNear, takenReferenceSlugs } from '../resources/references/reference-slug-store.ts'
import { type AuthorId, type CategoryId, newId, type Random } from '../values/ids.ts'
import { randomSlug, slugBase } from '../values/slug.ts'
import { freeSlugs } from './choose-slugs.ts'
import type { ImportContext, Reference } from './import-context.ts'
import type { ImportPost, PostReferences } from './import-post.ts'
import type { SourceAuthor, SourceKind } from './source-post.ts'
import { authorPath, categoryPath, findSources, type SourceEntry, sourceHash } from './source-store.ts'

/** The authors and categories of the posts of a batch. */
interface MatchedReferences {
  readonly createdAuthors: readonly Author[]
  readonly createdCategories: readonly Category[]
  /** Of those that the source had not named before. */
  readonly entries: readonly SourceEntry[]
  referencesOf(post: ImportPost): PostReferences
}

/** An author or a category as the source names it. */
type Named = { readonly path: string; readonly hash: string; readonly name: string } & (
  | { readonly kind: 'author'; readonly author: Omit<SourceAuthor, 'key'> }
  | { readonly kind: 'category' }
)

interface NamingPosts {
  readonly source: SourceKind
  readonly posts: readonly ImportPost[]
  readonly random: Random
}

/** Finds every author and category that posts name: as imported before, else by name. Those that are not found are to be created. */
export async function matchReferences(
  context: ImportContext,
  caller: Caller,
  { source, posts, random }: NamingPosts,
): Promise<MatchedReferences> {
  const { references, referencesByName } = context.planned
  const unknown = await namedForTheFirstTime(context, caller, source, posts)
  await findByName(context, caller, unknown)
  const missing = new Map<string, Named>()
  for (const each of unknown) if (!referencesByName.has(nameKey(each)) && !missing.has(nameKey(each))) missing.set(nameKey(each), each)
  const createdAuthors = await makeAuthors(context, caller, [...missing.values()], random)
  const createdCategories = await makeCategories(context, caller, [...missing.values()], random)
  for (const author of createdAuthors) know(context, { kind: 'author', ...author })
  for (const category of createdCategories) know(context, { kind: 'category', ...category })
  const entries = unknown.flatMap((each): readonly SourceEntry[] => {
    const reference = referencesByName.get(nameKey(each))
    if (!reference) return []
    references.set(each.path, reference)
    return [{ path: each.path, hash: each.hash, kind: reference.kind, resourceId: reference.id, version: reference.version }]
  })
  return { createdAuthors, createdCategories, entries, referencesOf: (post) => referencesOf(post, references) }
}

/** The authors and categories of posts that no import knows by their paths, each once. */
async function namedForTheFirstTime(
  { db, planned: { references } }: ImportContext,
  { projectId }: Caller,
  source: SourceKind,
  posts: readonly ImportPost[],
): Promise<readonly Named[]> {
  const named = new Map<string, Named>()
  for (const each of posts.flatMap(namedIn)) if (!references.has(each.path) && !named.has(each.path)) named.set(each.path, each)
  const known = await findSources(db, { projectId, source }, [...named.keys()])
  for (const entry of known.values()) references.set(entry.path, toReference(entry))
  return [...named.values()].filter(({ path }) => !references.has(path))
}

function namedIn({ authors, categories }: ImportPost): readonly Named[] {
  return [
    ...authors.map(({ key, ...author }): Named => {
      return { kind: 'author', path: authorPath(key), hash: sourceHash({ key, ...author }), name: author.name.trim(), author }
    }),
    ...categories.map((name): Named => ({ kind: 'category', path: categoryPath(name), hash: sourceHash(name), name: name.trim() })),
  ]
}

function nameKey({ kind, name }: { readonly kind: Reference['kind']; readonly name: string }): string {
  return `${kind} ${name}`
}

/** Looks up those whose names no batch has had before. Of several with one name, the oldest counts. */
async function findByName(context: ImportContext, caller: Caller, named: readonly Named[]): Promise<void> {
  const { db, planned } = context
  const unseen = named.filter((each) => !planned.referencesByName.has(nameKey(each)))
  const namesOf = (kind: Reference['kind']) => [...new Set(unseen.flatMap((each) => (each.kind === kind ? each.name : [])))]
  const authors = await findAuthorsByName(db, sightOf(caller), namesOf('author'))
  const categories = await findCategoriesByName(db, caller.projectId, namesOf('category'))
  for (const author of authors.toReversed()) know(context, { kind: 'author', ...author })
  for (const category of categories.toReversed()) know(context, { kind: 'category', ...category })
}

function know({ planned }: ImportContext, named: Reference & { readonly name: string }): void {
  const { kind, id, version } = named
  planned.referencesByName.set(nameKey(named), kind === 'author' ? { kind, id, version } : { kind, id, version })
}

async function makeAuthors(context: ImportContext, caller: Caller, named: readonly Named[], random: Random): Promise<readonly Author[]> {
  const authors = named.flatMap((each) => (each.kind === 'author' ? each.author : []))
  const slugs = await slugsFor(
    'author',
    context,
    caller,
    authors.map(({ name }) => slugBase(name) || randomSlug('author', random)),
  )
  return authors.map((author, index) => newAuthor(newId('auth', caller.now, random), { ...author, slug: slugs[index] ?? '' }, caller.now))
}

async function makeCategories(
  context: ImportContext,
  caller: Caller,
  named: readonly Named[],
  random: Random,
): Promise<readonly Category[]> {
  const names = named.flatMap(({ kind, name }) => (kind === 'category' ? name : []))
  const slugs = await slugsFor(
    'category',
    context,
    caller,
    names.map((name) => slugBase(name) || randomSlug('category', random)),
  )
  return names.map((name, index) => newCategory(newId('cat', caller.now, random), { name, slug: slugs[index] ?? '' }, caller.now))
}

async function slugsFor(
  kind: Reference['kind'],
  { db }: ImportContext,
  { projectId }: Caller,
  wanted: readonly string[],
): Promise<readonly string[]> {
  const some = await takenReferenceSlugs(db, projectId, kind, wanted)
  return freeSlugs(wanted, { taken: new Set(), some, near: (base) => referenceSlugsNear(db, projectId, kind, base) })
}

function referencesOf(
  { authors: [author], categories: [category] }: ImportPost,
  references: ReadonlyMap<string, Reference>,
): PostReferences {
  const first = author && references.get(authorPath(author.key))
  const filed = category === undefined ? undefined : references.get(categoryPath(category))
  return { authorId: first?.kind === 'author' ? first.id : null, categoryId: filed?.kind === 'category' ? filed.id : null }
}

function toReference({ kind, resourceId, version }: SourceEntry): Reference {
  return kind === 'author' ? { kind, id: resourceId as AuthorId, version } : { kind: 'category', id: resourceId as CategoryId, version }
}
