import type { ChangePage, Operations, Pagination, Upsert } from './api.ts'
import { type Ask, Collection, type Items, type PostCollection, pagesOf, type WritableItems } from './collection.ts'
import { pause, type RequestOptions, Sender, type VersoOptions } from './exchange.ts'
import { Problem } from './problem.ts'

export type * from './api.ts'
export type { Items, Narrowed, Page, PostCollection, WritableItems } from './collection.ts'
export type { KeySource, RequestOptions, VersoOptions } from './exchange.ts'
export { Problem, type ProblemCode } from './problem.ts'

/** An operation of the API, such as `GET /v1/posts/{idOrSlug}`. */
export type OperationName = keyof Operations

/** What an operation takes: the parameters of its path and query by their names, and `body`. */
export type Input<Name extends OperationName> = Operations[Name]['params'] &
  (Operations[Name]['body'] extends undefined ? { readonly body?: never } : BodyOf<Operations[Name]['body']>)

type BodyOf<Body> = undefined extends Body ? { readonly body?: Body } : { readonly body: Body }

export interface FollowOptions {
  /** Only resources of these types. A cursor goes with the types that it was made for. */
  readonly types?: readonly Upsert['type'][] | undefined
  /** The `nextCursor` of the last page that was applied. Without it, everything that the key sees comes first. */
  readonly since?: string | undefined
  /** Seconds, 1 to 30. With it, the iteration waits for the next change and goes on until it is aborted. */
  readonly wait?: number | undefined
  /** Changes on a page, 1 to 100; 100 if left out. */
  readonly limit?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Some changes, in their order. Store `nextCursor` when they are applied. */
export interface Changes extends ChangePage {
  /** The cursor had expired: forget everything, for all of it comes again from here. */
  readonly restarted: boolean
}

/** A service that stops answers at once, with nothing, who waits for a change. */
const shortestPollMs = 1_000

/** A project of a Verso, as its key sees it. */
export class Verso {
  readonly posts: PostCollection
  readonly authors: Items<'/v1/authors'>
  readonly categories: Items<'/v1/categories'>
  readonly tags: Items<'/v1/tags'>
  readonly media: WritableItems<'/v1/media'>
  readonly #sender: Sender

  constructor(options: VersoOptions) {
    this.#sender = new Sender(options)
    const ask: Ask = (name, input, more) => this.#ask(name, input, more)
    // What a collection can do is checked by the types of its operations.
    const at = <Kind>(path: string, id: string) => new Collection(ask, path, id) as unknown as Kind
    this.posts = at('/v1/posts', 'idOrSlug')
    this.authors = at('/v1/authors', 'idOrSlug')
    this.categories = at('/v1/categories', 'idOrSlug')
    this.tags = at('/v1/tags', 'idOrSlug')
    this.media = at('/v1/media', 'id')
  }

  /** Any operation of the API by its name: `verso.request('GET /v1/posts/{idOrSlug}', { idOrSlug: 'hello' })`. */
  request<Name extends OperationName>(
    name: Name,
    ...[input, options]: Record<never, never> extends Input<Name>
      ? [input?: Input<Name>, options?: RequestOptions]
      : [input: Input<Name>, options?: RequestOptions]
  ): Promise<Operations[Name]['answer']> {
    return this.#ask(name, input, options) as Promise<Operations[Name]['answer']>
  }

  /** All pages of a list, by cursor: none of its items is lost or comes twice while others are added. */
  async *pages<Name extends ListName>(
    name: Name,
    input?: Input<Name>,
    options?: RequestOptions,
  ): AsyncGenerator<Operations[Name]['answer']> {
    yield* pagesOf((more) => this.#ask(name, { ...input, ...more }, options)) as AsyncGenerator<Operations[Name]['answer']>
  }

  /** What a key may see, then its changes, page by page. Ends when there are no more, or with `wait` when it is aborted. */
  async *changes({ types, since, wait, limit = 100, signal }: FollowOptions = {}): AsyncGenerator<Changes> {
    let cursor = since
    let restarted = false
    while (true) {
      const asked = performance.now()
      try {
        const page = (await this.#ask('GET /v1/changes', { types, since: cursor, wait, limit }, { signal })) as ChangePage
        if (page.data.length > 0 || restarted || !wait || page.nextCursor !== cursor) yield { ...page, restarted }
        restarted = false
        cursor = page.nextCursor
        if (!page.hasMore && !wait) return
        if (!page.hasMore && page.data.length === 0) await pause(asked + shortestPollMs - performance.now(), signal)
      } catch (error) {
        const isLost = error instanceof Problem && ['cursor_expired', 'invalid_cursor'].includes(error.code)
        if (!isLost || cursor === undefined) throw error
        cursor = undefined
        restarted = true
      }
    }
  }

  async #ask(name: string, input: Readonly<Record<string, unknown>> = {}, options: RequestOptions = {}): Promise<unknown> {
    const [method = '', template = ''] = name.split(' ')
    const { body, ...given } = input
    const values: Record<string, unknown> = given
    const path = template.replace(/{(\w+)}/g, (_, part: string) => {
      const value = String(values[part] ?? '')
      delete values[part]
      // These would lead to another path.
      if (['', '.', '..'].includes(value)) throw new TypeError(`${name}: ${part} is "${value}"`)
      return encodeURIComponent(value)
    })
    const query = new URLSearchParams()
    for (const [key, value] of Object.entries(values)) if (value !== undefined) query.set(key, String(value))
    const anonymous = query.has('preview_token')
    const extraMs = Number(query.get('wait')) * 1000
    const found = String(query) && `?${query}`
    return this.#sender.send({ ...options, method, path: path + found, body, anonymous, extraMs })
  }
}

type ListName = {
  [Name in OperationName]: Operations[Name]['answer'] extends { readonly pagination: Pagination } ? Name : never
}[OperationName]
