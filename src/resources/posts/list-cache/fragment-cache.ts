import type { AuthorId, CategoryId, PostId, ProjectId } from '../../../values/ids.ts'
import { SecondChanceCache } from './clock-cache.ts'
import type { PostPart } from './post-fragment.ts'
import type { PostVersion } from './post-index.ts'
import { KnownCatalogues } from './post-index-cache.ts'

/** Ten thousand posts of 2 KB and some more. */
const maxBytes = 40 * 1024 * 1024
/** Pairs of an author and a category whose names are known at once. */
const maxPairs = 2_000
/** Projects of which names are known at once. */
const maxProjects = 100

/** A post on a page: all that is needed to find the rest of it. */
export interface PostRef extends Naming {
  readonly id: PostId
  readonly version: number
  readonly updated_at: string
}

/** What a post names. */
interface Naming {
  readonly author_id: AuthorId | null
  readonly category_id: CategoryId | null
  /** How far the log of its project was when this was read. */
  readonly revision: number | null
}

/** What lists were made of, kept for the next ones: parts of posts while their version holds, names while nothing at all was written. */
export class KnownPosts {
  readonly #parts = new SecondChanceCache<PostPart>(maxBytes)
  readonly catalogues = new KnownCatalogues()
  readonly #names = new Map<ProjectId, { readonly revision: number | null; readonly pairs: Map<string, Uint8Array> }>()
  /** Whether the last page was made of parts that were known for the most part. */
  mostAreKnown = false

  findPart(projectId: ProjectId, { id, version, updated_at }: PostRef, withContent: boolean): PostPart | undefined {
    const part = this.#parts.find(id)
    const holds = part?.version === version && part.updatedAt === updated_at && part.projectId === projectId
    return holds && (!withContent || part.whole) ? part : undefined
  }

  findVersion(projectId: ProjectId, { id, version, updatedAtMs }: PostVersion, withContent: boolean): PostPart | undefined {
    const part = this.#parts.find(id)
    const holds = part?.version === version && part.updatedAtMs === updatedAtMs && part.projectId === projectId
    return holds && (!withContent || part.whole) ? part : undefined
  }

  keepPart(id: string, part: PostPart): void {
    this.#parts.keep(id, part)
  }

  /** The names that a post shows, as they were when it was read. */
  findNames(projectId: ProjectId, post: Naming): Uint8Array | undefined {
    const names = this.#names.get(projectId)
    return names?.revision === post.revision ? names.pairs.get(pairOf(post)) : undefined
  }

  keepNames(projectId: ProjectId, post: Naming, names: Uint8Array): Uint8Array {
    const known = this.#names.get(projectId)
    const holds = known?.revision === post.revision && known.pairs.size < maxPairs
    const pairs = holds ? known.pairs : new Map<string, Uint8Array>()
    pairs.set(pairOf(post), names)
    if (holds) return names
    if (this.#names.size >= maxProjects) this.#names.clear()
    this.#names.set(projectId, { revision: post.revision, pairs })
    return names
  }
}

function pairOf({ author_id, category_id }: Naming): string {
  return `${author_id} ${category_id}`
}
