import type { AuthorId, CategoryId, PostId } from '../../../values/ids.ts'
import type { Post } from '../post.ts'
import type { Post as PostBody } from '../post-schema.ts'
import { toNames } from './post-fragment.ts'

export interface CatalogueRow {
  readonly id: PostId
  readonly version: number
  readonly status: Post['status']
  readonly author_id: AuthorId | null
  readonly category_id: CategoryId | null
  readonly published_at: string
  readonly updated_at: string
}

/** Which version of which post. */
export interface PostVersion {
  readonly id: PostId
  readonly version: number
  readonly updatedAtMs: number
}

/** What posts name, as it was called then. */
export interface CatalogueNames {
  readonly authors: readonly NonNullable<PostBody['author']>[]
  readonly categories: readonly NonNullable<PostBody['category']>[]
}

/** Which posts pass a filter: 1 for each that does, by its number. */
export type Members = Uint8Array
/** The numbers of all posts in the order of a sort. */
export type Order = Int32Array

/** As many sorts, and as many filters, are kept for one catalogue. */
const mostOrders = 28
const mostMembers = 250
const mostNames = 1_000

/**
 * All posts that a key can see at one moment, each with a number, and what lists filter by. Orders and filters are added as they are asked for;
 * any page of any of them is then counted off without a statement.
 */
export class Catalogue {
  /** How far the log was when it was made. */
  readonly logRevision: number | undefined
  readonly ids: readonly PostId[]
  readonly versions: Int32Array
  readonly statuses: readonly Post['status'][]
  readonly authors: readonly (AuthorId | null)[]
  readonly categories: readonly (CategoryId | null)[]
  /** In milliseconds; not a number where there is none. */
  readonly publishedAt: Float64Array
  readonly updatedAt: Float64Array
  readonly orders = new Bounded<Order>(mostOrders)
  readonly members = new Bounded<Members>(mostMembers)
  readonly #numbers: ReadonlyMap<string, number>
  readonly #authors: ReadonlyMap<string | null, PostBody['author']>
  readonly #categories: ReadonlyMap<string | null, PostBody['category']>
  readonly #names = new Bounded<Uint8Array>(mostNames)

  constructor(logRevision: number | undefined, rows: readonly CatalogueRow[], { authors, categories }: CatalogueNames) {
    this.logRevision = logRevision
    this.ids = rows.map(({ id }) => id)
    this.versions = Int32Array.from(rows, ({ version }) => version)
    this.statuses = rows.map(({ status }) => status)
    this.authors = rows.map(({ author_id }) => author_id)
    this.categories = rows.map(({ category_id }) => category_id)
    this.publishedAt = Float64Array.from(rows, ({ published_at }) => Date.parse(published_at))
    this.updatedAt = Float64Array.from(rows, ({ updated_at }) => Date.parse(updated_at))
    this.#numbers = new Map(this.ids.map((id, number) => [id, number]))
    this.#authors = new Map(authors.map((author) => [author.id, author]))
    this.#categories = new Map(categories.map((category) => [category.id, category]))
  }

  versionOf(number: number): PostVersion {
    const id = this.ids[number]
    if (id === undefined) throw new Error(`there is no number ${number} in the catalogue`)
    return { id, version: this.versions[number] ?? 0, updatedAtMs: this.updatedAt[number] ?? 0 }
  }

  /** What a post names, as it stands in its JSON. */
  namesOf(number: number): Uint8Array {
    const author = this.#authors.get(this.authors[number] ?? null) ?? null
    const category = this.#categories.get(this.categories[number] ?? null) ?? null
    const pair = `${author?.id} ${category?.id}`
    return this.#names.find(pair) ?? this.#names.keep(pair, toNames({ author, category }))
  }

  /** The ids of the categories with these slugs. */
  categoriesCalled(slugs: readonly string[]): readonly string[] {
    return [...this.#categories.values()].flatMap((category) => (category && slugs.includes(category.slug) ? [category.id] : []))
  }

  /** The order in which all of them come; none where these are others. */
  toOrder(ids: readonly string[]): Order | undefined {
    const order = Int32Array.from(ids, (id) => this.#numbers.get(id) ?? -1)
    return order.length === this.ids.length && !order.includes(-1) ? order : undefined
  }

  /** Those of these that there are. */
  membersAmong(ids: readonly string[]): Members {
    const members = new Uint8Array(this.ids.length)
    for (const id of ids) {
      const number = this.#numbers.get(id)
      if (number !== undefined) members[number] = 1
    }
    return members
  }

  /** Those of which something is one of these values. */
  membersWith<T>(of: readonly T[], values: readonly T[]): Members {
    const wanted = new Set(values)
    return Uint8Array.from(of, (value) => (wanted.has(value) ? 1 : 0))
  }
}

/** A part of a list: from `start` to before `end`. */
interface Stretch {
  readonly start: number
  readonly end: number
  /** Whether all of the list is to be counted, or only whether there is more. */
  readonly isCounted: boolean
}

/** The numbers of a stretch of those in an order that pass every filter (faster where the first lets few pass), and how many there are. */
export function countOff(order: Order, [first, ...others]: readonly Members[], { start, end, isCounted }: Stretch) {
  if (!first) return { numbers: [...order.subarray(start, end)], total: order.length }
  const numbers: number[] = []
  let total = 0
  for (let i = 0; i < order.length && (isCounted || total <= end); i++) {
    const number = order[i] ?? 0
    if (first[number] !== 1 || !passAll(others, number)) continue
    if (total >= start && total < end) numbers.push(number)
    total += 1
  }
  return { numbers, total }
}

function passAll(filters: readonly Members[], number: number): boolean {
  for (const members of filters) if (members[number] !== 1) return false
  return true
}

/** A map that begins anew when it is full. */
class Bounded<T> {
  readonly #entries = new Map<string, T>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  find(key: string): T | undefined {
    return this.#entries.get(key)
  }

  keep(key: string, value: T): T {
    if (this.#entries.size >= this.#most) this.#entries.clear()
    this.#entries.set(key, value)
    return value
  }
}
