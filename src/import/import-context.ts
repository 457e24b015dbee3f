import type { Db } from '../database/engine.ts'
import type { Media } from '../resources/media/media.ts'
import type { AuthorId, CategoryId } from '../values/ids.ts'

/** An author or a category that posts of the source name. */
export type Reference =
  | { readonly kind: 'author'; readonly id: AuthorId; readonly version: number }
  | { readonly kind: 'category'; readonly id: CategoryId; readonly version: number }

/** What the batches before this one would have written: a dry run writes nothing and plans as if they had. */
interface PlannedSoFar {
  /** By the path that names them among the sources. */
  readonly references: Map<string, Reference>
  /** By kind and name. */
  readonly referencesByName: Map<string, Reference>
  readonly slugs: Set<string>
  /** Folded names. */
  readonly tags: Set<string>
  /** By the path that names them among the sources. */
  readonly media: Set<string>
  readonly mediaByUrl: Map<string, Media>
  readonly aliases: Set<string>
}

/** What a plan is made with: a transaction that writes, or a dry run. */
export interface ImportContext {
  readonly db: Db
  readonly planned: PlannedSoFar
  /** The slugs of tags by folded name, those of new ones included. */
  slugsOfTags(folded: readonly string[]): Promise<ReadonlyMap<string, string>>
}

export function nothingPlanned(): PlannedSoFar {
  return {
    references: new Map(),
    referencesByName: new Map(),
    slugs: new Set(),
    tags: new Set(),
    aliases: new Set(),
    media: new Set(),
    mediaByUrl: new Map(),
  }
}
