import { createHash } from 'node:crypto'
import { type Caller, sightOf } from '../actions/caller.ts'
import { type Author, newAuthor } from '../resources/authors/author.ts'
import { findAuthorByName } from '../resources/authors/author-store.ts'
import { findCategoryByName } from '../resources/categories/category-store.ts'
import { type AuthorId, type CategoryId, newId, type Random } from '../values/ids.ts'
import type { Ground, Term } from './import-context.ts'
import type { ImportPost, PostReferences } from './import-post.ts'
import type { SourceAuthor } from './source-post.ts'
import { authorPath, categoryPath, findSources, type SourceEntry, type SourceKind } from './source-store.ts'

/** What posts of a batch refer to, and how it came to be here. */
export interface FoundTerms {
  readonly made: readonly Term[]
  /** What was not known before. */
  readonly entries: readonly SourceEntry[]
  referencesOf(post: ImportPost): PostReferences
}

interface Named {
  readonly path: string
  readonly hash: string
  readonly nameKey: string
  find(): Promise<Term | undefined>
  make(): Promise<Term>
}

/**
 * Finds the authors and categories that posts name, every one of them and not the first alone: by what their source is known as, else by
 * their very name; else they are made.
 */
export async function findTerms(
  ground: Ground,
  caller: Caller,
  { source, posts, random }: { readonly source: SourceKind; readonly posts: readonly ImportPost[]; readonly random: Random },
): Promise<FoundTerms> {
  const named = new Map<string, Named>()
  for (const each of namedIn(ground, caller, posts, random)) if (!named.has(each.path)) named.set(each.path, each)
  const { terms, termsByName } = ground.foresight
  const known = await findSources(ground.db, { projectId: caller.projectId, source }, unseen(named.keys(), terms))
  for (const entry of known.values()) terms.set(entry.path, toTerm(entry))
  const made: Term[] = []
  const entries: SourceEntry[] = []
  for (const { path, hash, nameKey, find, make } of named.values()) {
    if (terms.has(path)) continue
    const found = termsByName.get(nameKey) ?? (await find())
    const term = found ?? (await make())
    if (!found) made.push(term)
    terms.set(path, term)
    termsByName.set(nameKey, term)
    entries.push({ path, hash, kind: term.kind, resourceId: term.id, version: term.version })
  }
  return { made, entries, referencesOf: (post) => referencesOf(post, terms) }
}

function namedIn(ground: Ground, caller: Caller, posts: readonly ImportPost[], random: Random): readonly Named[] {
  return posts.flatMap(({ authors, categories }) => [
    ...authors.map((author) => namedAuthor(ground, caller, author, random)),
    ...categories.map((name) => namedCategory(ground, caller, name)),
  ])
}

function namedAuthor({ db, makeAuthor }: Ground, caller: Caller, source: SourceAuthor, random: Random): Named {
  const { key, ...fields } = source
  const toTerm = ({ id, version }: Author): Term => ({ kind: 'author', id, version })
  return {
    path: authorPath(key),
    hash: hashOf(source),
    nameKey: `author ${fields.name.trim()}`,
    async find() {
      const author = await findAuthorByName(db, sightOf(caller), fields.name.trim())
      return author && toTerm(author)
    },
    async make() {
      const author = newAuthor(newId('auth', caller.now, random), fields, caller.now)
      await makeAuthor(author)
      return toTerm(author)
    },
  }
}

function namedCategory({ db, makeCategory }: Ground, { projectId }: Caller, name: string): Named {
  return {
    path: categoryPath(name),
    hash: hashOf(name),
    nameKey: `category ${name.trim()}`,
    async find() {
      const category = await findCategoryByName(db, projectId, name.trim())
      return category && { kind: 'category', id: category.id, version: category.version }
    },
    async make() {
      const { id, version } = await makeCategory(name)
      return { kind: 'category', id, version }
    },
  }
}

function referencesOf({ authors: [author], categories: [category] }: ImportPost, terms: ReadonlyMap<string, Term>): PostReferences {
  const first = author && terms.get(authorPath(author.key))
  const filed = category === undefined ? undefined : terms.get(categoryPath(category))
  return { authorId: first?.kind === 'author' ? first.id : null, categoryId: filed?.kind === 'category' ? filed.id : null }
}

function unseen(paths: Iterable<string>, terms: ReadonlyMap<string, Term>): readonly string[] {
  return [...paths].filter((path) => !terms.has(path))
}

function toTerm({ kind, resourceId, version }: SourceEntry): Term {
  return kind === 'author' ? { kind, id: resourceId as AuthorId, version } : { kind: 'category', id: resourceId as CategoryId, version }
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}
