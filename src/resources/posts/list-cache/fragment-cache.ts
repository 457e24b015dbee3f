import { LRUCache } from 'lru-cache'
import type { Sight } from '../../../actions/caller.ts'
import type { Db } from '../../../database/engine.ts'
import { BoundedMap } from '../../../values/bounded-map.ts'
import { bodiesOf, filledUp, namesIn, toBody } from '../post-body-store.ts'
import { type PostFragment, type PostPieces, piecesOf, toFragment, toNames } from './post-fragment.ts'
import type { PostRef } from './post-ref-store.ts'

/** Ten thousand posts of 2 KB and some more. */
const maxBytes = 40 * 1024 * 1024
/** One post may not fill the cache. */
const maxFragmentBytes = maxBytes / 16
/** Pairs of an author and a category. */
const maxNames = 5_000

interface Reading {
  readonly db: Db
  readonly sight: Sight
  readonly withContent: boolean
}

/** The JSON of posts, kept while their version holds. */
export class FragmentCache {
  readonly #fragments = new LRUCache<string, PostFragment>({
    maxSize: maxBytes,
    maxEntrySize: maxFragmentBytes,
    sizeCalculation: ({ cost }) => cost,
  })
  readonly #names = new BoundedMap<string, Uint8Array>(maxNames)

  /** The JSON of posts in order; none where one of them was changed after its reference was read. */
  async write(reading: Reading, refs: readonly PostRef[]): Promise<readonly PostPieces[] | undefined> {
    const fragments = refs.map((ref) => this.#find(reading, ref))
    const missing = refs.filter((_, i) => !fragments[i])
    const read = missing.length > 0 ? await this.#read(reading, missing) : undefined
    const pieces = refs.flatMap((ref, i) => {
      const fragment = fragments[i] ?? read?.get(ref.id)
      return fragment && isOf(fragment, ref) ? [piecesOf(fragment, this.#namesOf(ref), reading.withContent)] : []
    })
    return pieces.length === refs.length ? pieces : undefined
  }

  #find({ sight, withContent }: Reading, ref: PostRef): PostFragment | undefined {
    const fragment = this.#fragments.get(ref.id)
    const holds = fragment && isOf(fragment, ref) && fragment.projectId === sight.projectId
    return holds && (!withContent || fragment.whole) ? fragment : undefined
  }

  async #read({ db, sight, withContent }: Reading, refs: readonly PostRef[]): Promise<ReadonlyMap<string, PostFragment>> {
    const { projectId, onlyPost, drafts } = sight
    const ids = filledUp(refs.map(({ id }) => id))
    const rows = await bodiesOf(db, { projectId, onlyPost, ids }, { drafts, withContent })
    const read = new Map(rows.map((row) => [row.id as string, toFragment(projectId, toBody(row), withContent)]))
    for (const [id, fragment] of read) this.#fragments.set(id, fragment)
    return read
  }

  /** By all that they are made of, so they never go stale. */
  #namesOf(ref: PostRef): Uint8Array {
    const { author_id, author_name, category_id, category_name, category_slug } = ref
    const key = [author_id, author_name, category_id, category_name, category_slug].join('\n')
    const known = this.#names.get(key)
    if (known) return known
    const names = toNames(namesIn(ref))
    this.#names.set(key, names)
    return names
  }
}

function isOf(fragment: PostFragment, { version, updated_at }: PostRef): boolean {
  return fragment.version === version && fragment.updatedAt === updated_at
}
