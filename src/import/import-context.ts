import type { Db } from '../database/engine.ts'
import type { Author } from '../resources/authors/author.ts'
import type { Category } from '../resources/categories/category.ts'
import type { AuthorId, CategoryId } from '../values/ids.ts'

/** An author or a category that posts of the source name, as it is here. */
export type Term =
  | { readonly kind: 'author'; readonly id: AuthorId; readonly version: number }
  | { readonly kind: 'category'; readonly id: CategoryId; readonly version: number }

/** What would stand in the database by now, had what was planned before been written. */
export interface Foresight {
  /** By the path that stands for them among the sources. */
  readonly terms: Map<string, Term>
  /** By kind and name. */
  readonly termsByName: Map<string, Term>
  readonly slugs: Set<string>
  /** Folded names. */
  readonly tags: Set<string>
}

/** What a plan stands on: where it reads, what it takes for written, and how it comes by what posts refer to. */
export interface Ground {
  readonly db: Db
  readonly foresight: Foresight
  makeAuthor(author: Author): Promise<void>
  makeCategory(name: string): Promise<Category>
}

export function noForesight(): Foresight {
  return { terms: new Map(), termsByName: new Map(), slugs: new Set(), tags: new Set() }
}
