import type { Page } from '../../../lists/page-query.ts'
import { cursorValues } from '../../../lists/sort-terms.ts'
import { BoundedMap } from '../../../values/bounded-map.ts'
import type { FilterName, PostPlan } from '../list/plan-query.ts'
import { sortColumns } from '../list/post-page-store.ts'
import type { PostRef, TaggedRef } from './post-ref-store.ts'

type Filters = PostPlan['filters']

/** A post with the values that filters test. */
interface CataloguedPost extends TaggedRef {
  readonly status: PostRef['status']
  readonly author: string
  readonly category: string
  readonly publishedMs: number
  readonly updatedMs: number
}

/** Which posts a filter lets pass: those that a function accepts, or those with a time from one instant to before another. */
type Condition = ((post: CataloguedPost) => boolean) | Range

interface Range {
  readonly of: 'published' | 'updated'
  readonly fromMs?: number
  readonly beforeMs?: number
}

/** The condition of each filter; undefined if a catalogue cannot apply it. A new filter does not compile until it has a row here. */
const conditions: { readonly [F in FilterName]: ((wanted: NonNullable<Filters[F]>) => Condition) | undefined } = {
  status: (statuses) => (post) => statuses.includes(post.status),
  author: (ids) => (post) => ids.includes(post.author),
  category: (slugs) => (post) => slugs.includes(post.category),
  tag: (slugs) => (post) => post.tags.some((slug) => slugs.includes(slug)),
  published_after: (instant) => ({ of: 'published', fromMs: Date.parse(instant) }),
  published_before: (instant) => ({ of: 'published', beforeMs: Date.parse(instant) }),
  updated_after: (instant) => ({ of: 'updated', fromMs: Date.parse(instant) }),
  search: undefined,
  q: undefined,
  trashed: undefined,
}

/** Whether a catalogue has the list: a numbered page with filters that it can apply. */
export function isCatalogued({ position, filters }: PostPlan): boolean {
  return position.kind === 'page' && (Object.keys(filters) as FilterName[]).every((name) => conditions[name] !== undefined)
}

const maxOrders = 28
const maxMembers = 250

/** The numbers of all posts in order. */
type Order = Int32Array
/** By the number of a post: 1 if it passes a filter, else 0. */
type Members = Uint8Array
type ReadOrder = () => Promise<readonly string[] | undefined>

/** Loads the posts that a key can see, some at a time; undefined if there are none, or more than `most`. */
export async function loadCatalogue(all: AsyncIterable<readonly TaggedRef[]>, most: number): Promise<Catalogue | undefined> {
  const posts: CataloguedPost[] = []
  for await (const some of all) {
    if (posts.length + some.length > most) return undefined
    posts.push(...some.map(toCatalogued))
  }
  return posts.length === 0 ? undefined : new Catalogue(posts)
}

/** All posts that a key can see at one revision, numbered. It makes pages and totals of lists without a statement. */
export class Catalogue {
  readonly #posts: readonly CataloguedPost[]
  /** In milliseconds, by the number of the post; `NaN` without a date. */
  readonly #times: Readonly<Record<Range['of'], Float64Array>>
  readonly #numbers: ReadonlyMap<string, number>
  readonly #orders = new BoundedMap<string, Order>(maxOrders)
  readonly #members = new BoundedMap<string, Members>(maxMembers)

  constructor(posts: readonly CataloguedPost[]) {
    this.#posts = posts
    this.#times = {
      published: Float64Array.from(posts, ({ publishedMs }) => publishedMs),
      updated: Float64Array.from(posts, ({ updatedMs }) => updatedMs),
    }
    this.#numbers = new Map(posts.map(({ ref }, number) => [ref.id, number]))
  }

  /** A page of a list. `readOrder` returns the ids of all posts in order. If it returns undefined, so does this. */
  async page(plan: PostPlan, readOrder: ReadOrder): Promise<Page<PostRef> | undefined> {
    const { position, limit, filters, sort } = plan
    const order = await this.#order(JSON.stringify(sort), readOrder)
    if (!order || position.kind !== 'page') return undefined
    const start = (position.page - 1) * limit
    const names = Object.keys(filters) as FilterName[]
    const { numbers, total } = slice(
      order,
      names.map((name) => this.#membersOf(name, filters)),
      start,
      start + limit,
    )
    const items = numbers.flatMap((number) => this.#posts[number]?.ref ?? [])
    const last = items.at(-1)
    return {
      items,
      hasMore: start + limit < total,
      last: last && cursorValues(sort, sortColumns, last),
      total: plan.total ? total : undefined,
    }
  }

  async #order(name: string, readOrder: ReadOrder): Promise<Order | undefined> {
    const cached = this.#orders.get(name)
    if (cached) return cached
    const ids = await readOrder()
    const order = ids && Int32Array.from(ids, (id) => this.#numbers.get(id) ?? -1)
    if (order?.length !== this.#posts.length || order.includes(-1)) return undefined
    this.#orders.set(name, order)
    return order
  }

  #membersOf<F extends FilterName>(name: F, filters: Filters): Members {
    const value = filters[name]
    const condition = value === undefined ? undefined : conditions[name]?.(value)
    // There are too many different instants to cache: they would take the place of the other values.
    if (condition && typeof condition === 'object') return within(this.#times[condition.of], condition)
    const key = `${name} ${value}`
    const members = this.#members.get(key) ?? this.#accepted(condition)
    this.#members.set(key, members)
    return members
  }

  #accepted(accepts: ((post: CataloguedPost) => boolean) | undefined): Members {
    const members = new Uint8Array(this.#posts.length)
    let number = 0
    // `Uint8Array.from` would take six times as long as this loop.
    for (const post of this.#posts) members[number++] = !accepts || accepts(post) ? 1 : 0
    return members
  }
}

function within(times: Float64Array, { fromMs = Number.NEGATIVE_INFINITY, beforeMs = Number.POSITIVE_INFINITY }: Range): Members {
  const members = new Uint8Array(times.length)
  for (let number = 0; number < times.length; number++) {
    const time = times[number] ?? Number.NaN
    members[number] = time >= fromMs && time < beforeMs ? 1 : 0
  }
  return members
}

function toCatalogued({ ref, tags }: TaggedRef): CataloguedPost {
  const { status, author_id, category_slug, published_at, updated_at } = ref
  const times = { publishedMs: Date.parse(published_at), updatedMs: Date.parse(updated_at) }
  return { ref, tags, status, author: author_id ?? '', category: category_slug ?? '', ...times }
}

/** Of the posts that pass every filter: the numbers from `start` to before `end`, and the total. */
function slice(order: Order, filters: readonly Members[], start: number, end: number) {
  if (filters.length === 0) return { numbers: [...order.subarray(start, end)], total: order.length }
  const numbers: number[] = []
  let total = 0
  for (let i = 0; i < order.length; i++) {
    const number = order[i] ?? 0
    if (!passAll(filters, number)) continue
    if (total >= start && total < end) numbers.push(number)
    total += 1
  }
  return { numbers, total }
}

function passAll(filters: readonly Members[], number: number): boolean {
  for (const members of filters) if (members[number] !== 1) return false
  return true
}
