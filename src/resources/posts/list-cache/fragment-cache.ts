import { LRUCache } from 'lru-cache'
import type { Sight } from '../../../actions/caller.ts'
import type { Db } from '../../../database/engine.ts'
import { BoundedMap } from '../../../values/bounded-map.ts'
import { bodiesOf, namesIn, padIds, wholeBodies } from '../post-body-store.ts'
import { type PostFragment, type PostPieces, piecesOf, toFragment, toNames } from './post-fragment.ts'
import type { PostRef } from './post-ref-store.ts'

/** More than ten thousand posts of 2 KB. */
const maxBytes = 40 * 1024 * 1024
const maxFragmentBytes = maxBytes / 16
/** Pairs of an author and a category, with and without a pending edit. */
const maxNames = 5_000

interface Reading {
  readonly db: Db
  readonly sight: Sight
  readonly withContent: boolean
}

/** Caches the JSON of posts by their version. */
export class FragmentCache {
  readonly #fragments = new LRUCache<string, PostFragment>({
    maxSize: maxBytes,
    maxEntrySize: maxFragmentBytes,
    sizeCalculation: ({ cost }) => cost,
  })
  readonly #names = new BoundedMap<string, Uint8Array>(maxNames)

  /** The JSON of posts in order; undefined if one of them has changed since its reference was read. */
  async write(reading: Reading, refs: readonly PostRef[]): Promise<readonly PostPieces[] | undefined> {
    const fragments = refs.map((ref) => this.#find(reading, ref))
    const missing = refs.filter((_, i) => !fragments[i])
    const read = missing.length > 0 ? await this.#read(reading, missing) : undefined
    const pieces = refs.flatMap((ref, i) => {
      const fragment = fragments[i] ?? read?.get(ref.id)
      return fragment && matches(fragment, ref) ? [piecesOf(fragment, this.#namesOf(ref), reading.withContent)] : []
    })
    return pieces.length === refs.length ? pieces : undefined
  }

  #find({ sight, withContent }: Reading, ref: PostRef): PostFragment | undefined {
    const fragment = this.#fragments.get(ref.id)
    const isValid = fragment && matches(fragment, ref) && fragment.projectId === sight.projectId
    return isValid && (!withContent || fragment.whole) ? fragment : undefined
  }

  async #read({ db, sight, withContent }: Reading, refs: readonly PostRef[]): Promise<ReadonlyMap<string, PostFragment>> {
    const { projectId, onlyPost, drafts } = sight
    const ids = padIds(refs.map(({ id }) => id))
    const rows = await bodiesOf(db, { projectId, onlyPost, ids }, { drafts, withContent })
    const read = new Map(
      await wholeBodies(db, rows, async (post) => [post.id as string, await toFragment(projectId, post, withContent)] as const),
    )
    for (const [id, fragment] of read) this.#fragments.set(id, fragment)
    return read
  }

  /** The key has everything that the JSON shows, so entries never go stale. */
  #namesOf(ref: PostRef): Uint8Array {
    const { author_id, author_name, category_id, category_name, category_slug, has_pending_edit } = ref
    const key = [author_id, author_name, category_id, category_name, category_slug, has_pending_edit].join('\n')
    const cached = this.#names.get(key)
    if (cached) return cached
    const names = toNames({ ...namesIn(ref), hasPendingEdit: has_pending_edit === 1 })
    this.#names.set(key, names)
    return names
  }
}

function matches(fragment: PostFragment, { version, updated_at }: PostRef): boolean {
  return fragment.version === version && fragment.updatedAt === updated_at
}
