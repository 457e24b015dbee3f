import type { Changes, Verso } from '@verso/client'

export type Change = Changes['data'][number]

/** What has happened since a cursor: of each resource the last that is told. */
export interface Walk {
  /** It tells everything that the key sees. What does not come in it is gone. */
  readonly isWhole: boolean
  readonly changes: readonly Change[]
  readonly cursor: string
}

interface Running {
  readonly walk: Promise<Walk>
  readonly startedAt: number
  readonly readers: Set<string>
}

/** Collections are loaded at the same time; a walk that is older belongs to a load before. */
const sameLoadMs = 5_000

/** The changes feed, read once for all collections that are loaded together. */
export class Feed {
  readonly #verso: Verso
  readonly #running = new Map<string, Running>()

  constructor(verso: Verso) {
    this.#verso = verso
  }

  read(since: string | undefined, reader: string): Promise<Walk> {
    const key = since ?? ''
    const known = this.#running.get(key)
    if (known && !known.readers.has(reader) && Date.now() - known.startedAt < sameLoadMs) {
      known.readers.add(reader)
      return known.walk
    }
    const walk = this.#walk(since)
    this.#running.set(key, { walk, startedAt: Date.now(), readers: new Set([reader]) })
    return walk
  }

  async #walk(since: string | undefined): Promise<Walk> {
    const last = new Map<string, Change>()
    let isWhole = since === undefined
    let cursor = since ?? ''
    for await (const page of this.#verso.changes({ since })) {
      if (page.restarted) {
        last.clear()
        isWhole = true
      }
      for (const change of page.data) {
        // So that a resource that comes again stands where it came last.
        last.delete(change.id)
        last.set(change.id, change)
      }
      cursor = page.nextCursor
    }
    return { isWhole, changes: [...last.values()], cursor }
  }
}
