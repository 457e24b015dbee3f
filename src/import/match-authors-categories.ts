import { type Caller, sightOf } from '../actions/caller.ts'
import type { Author } from '../resources/authors/author.ts'
import { findAuthorByName } from '../resources/authors/author-store.ts'
import { findCategoryByName } from '../resources/categories/category-store.ts'
import type { AuthorId, CategoryId } from '../values/ids.ts'
import type { ImportContext, Reference } from './import-context.ts'
import type { ImportPost, PostReferences } from './import-post.ts'
import type { SourceAuthor, SourceKind } from './source-post.ts'
import { authorPath, categoryPath, findSources, type SourceEntry, sourceHash } from './source-store.ts'

/** The authors and categories of the posts of a batch. */
interface MatchedReferences {
  readonly created: readonly Reference[]
  /** Of those that the source had not named before. */
  readonly entries: readonly SourceEntry[]
  referencesOf(post: ImportPost): PostReferences
}

interface Named {
  readonly path: string
  readonly hash: string
  readonly nameKey: string
  find(): Promise<Reference | undefined>
  create(): Promise<Reference>
}

/** Finds every author and category that posts name: as imported before, else by name. Those that are not found are created. */
export async function matchReferences(
  context: ImportContext,
  caller: Caller,
  { source, posts }: { readonly source: SourceKind; readonly posts: readonly ImportPost[] },
): Promise<MatchedReferences> {
  const named = new Map<string, Named>()
  for (const each of namedIn(context, caller, posts)) if (!named.has(each.path)) named.set(each.path, each)
  const { references, referencesByName } = context.planned
  const known = await findSources(context.db, { projectId: caller.projectId, source }, unseen(named.keys(), references))
  for (const entry of known.values()) references.set(entry.path, toReference(entry))
  const created: Reference[] = []
  const entries: SourceEntry[] = []
  for (const { path, hash, nameKey, find, create } of named.values()) {
    if (references.has(path)) continue
    const found = referencesByName.get(nameKey) ?? (await find())
    const reference = found ?? (await create())
    if (!found) created.push(reference)
    references.set(path, reference)
    referencesByName.set(nameKey, reference)
    entries.push({ path, hash, kind: reference.kind, resourceId: reference.id, version: reference.version })
  }
  return { created, entries, referencesOf: (post) => referencesOf(post, references) }
}

function namedIn(context: ImportContext, caller: Caller, posts: readonly ImportPost[]): readonly Named[] {
  return posts.flatMap(({ authors, categories }) => [
    ...authors.map((author) => namedAuthor(context, caller, author)),
    ...categories.map((name) => namedCategory(context, caller, name)),
  ])
}

function namedAuthor({ db, createAuthor }: ImportContext, caller: Caller, source: SourceAuthor): Named {
  const { key, ...fields } = source
  const toReference = ({ id, version }: Author): Reference => ({ kind: 'author', id, version })
  return {
    path: authorPath(key),
    hash: sourceHash(source),
    nameKey: `author ${fields.name.trim()}`,
    async find() {
      const author = await findAuthorByName(db, sightOf(caller), fields.name.trim())
      return author && toReference(author)
    },
    async create() {
      return toReference(await createAuthor(fields))
    },
  }
}

function namedCategory({ db, createCategory }: ImportContext, { projectId }: Caller, name: string): Named {
  return {
    path: categoryPath(name),
    hash: sourceHash(name),
    nameKey: `category ${name.trim()}`,
    async find() {
      const category = await findCategoryByName(db, projectId, name.trim())
      return category && { kind: 'category', id: category.id, version: category.version }
    },
    async create() {
      const { id, version } = await createCategory(name)
      return { kind: 'category', id, version }
    },
  }
}

function referencesOf(
  { authors: [author], categories: [category] }: ImportPost,
  references: ReadonlyMap<string, Reference>,
): PostReferences {
  const first = author && references.get(authorPath(author.key))
  const filed = category === undefined ? undefined : references.get(categoryPath(category))
  return { authorId: first?.kind === 'author' ? first.id : null, categoryId: filed?.kind === 'category' ? filed.id : null }
}

function unseen(paths: Iterable<string>, references: ReadonlyMap<string, Reference>): readonly string[] {
  return [...paths].filter((path) => !references.has(path))
}

function toReference({ kind, resourceId, version }: SourceEntry): Reference {
  return kind === 'author' ? { kind, id: resourceId as AuthorId, version } : { kind: 'category', id: resourceId as CategoryId, version }
}
