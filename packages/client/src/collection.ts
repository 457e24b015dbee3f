import type { Operations, Pagination } from './api.ts'
import type { RequestOptions } from './exchange.ts'

type Values = Readonly<Record<string, unknown>>

/** Sends an operation by its name. */
export type Ask = (name: string, input?: Values, options?: RequestOptions) => Promise<unknown>

/** Resources under one path: a list, one by its id or slug, and writes where the API has them. */
export class Collection {
  readonly #ask: Ask
  readonly #path: string
  readonly #id: string

  constructor(ask: Ask, path: string, id: string) {
    this.#ask = ask
    this.#path = path
    this.#id = id
  }

  list(query?: Values, options?: RequestOptions) {
    return this.#ask(`GET ${this.#path}`, query, options)
  }

  pages(query?: Values, options?: RequestOptions) {
    return pagesOf((more) => this.list({ ...query, ...more }, options))
  }

  async *all(query?: Values, options?: RequestOptions) {
    for await (const { data } of this.pages({ limit: 100, total: false, ...query }, options)) yield* data
  }

  get(id: string, query?: Values, options?: RequestOptions) {
    return this.#one('GET', id, query, options)
  }

  create(body: unknown, options?: RequestOptions) {
    return this.#ask(`POST ${this.#path}`, { body }, options)
  }

  update(id: string, body: unknown, options?: RequestOptions) {
    return this.#one('PATCH', id, { body }, options)
  }

  delete(id: string, query?: Values, options?: RequestOptions) {
    return this.#one('DELETE', id, query, options)
  }

  restore(id: string, body: unknown = {}, options?: RequestOptions) {
    return this.#ask(`POST ${this.#path}/{id}/restore`, { id, body }, options)
  }

  related(id: string, query?: Values, options?: RequestOptions) {
    return this.#ask(`GET ${this.#path}/{idOrSlug}/related`, { ...query, idOrSlug: id }, options)
  }

  preview(id: string, token: string, options?: RequestOptions) {
    // Without a token, the key would be sent, and show what it sees to whoever asks.
    return this.get(id, { preview_token: String(token) }, options)
  }

  createPreviewToken(id: string, body: unknown = {}, options?: RequestOptions) {
    return this.#ask(`POST ${this.#path}/{idOrSlug}/preview-tokens`, { idOrSlug: id, body }, options)
  }

  #one(method: string, id: string, input?: Values, options?: RequestOptions) {
    return this.#ask(`${method} ${this.#path}/{${this.#id}}`, { ...input, [this.#id]: id }, options)
  }
}

interface AnyPage {
  readonly data: readonly unknown[]
  readonly pagination: Pagination
}

/** Page after page of a list. */
export async function* pagesOf(read: (more: Values) => Promise<unknown>): AsyncGenerator<AnyPage> {
  let more: Values = {}
  while (true) {
    const page = (await read(more)) as AnyPage
    yield page
    const { nextCursor } = page.pagination
    if (nextCursor === null) return
    more = { cursor: nextCursor, page: undefined }
  }
}

/** A page of a list. */
export interface Page<Item> {
  readonly data: readonly Item[]
  readonly pagination: Pagination
}

type Params<Name extends string> = Name extends keyof Operations ? Operations[Name]['params'] : never
type Body<Name extends string> = Name extends keyof Operations ? Operations[Name]['body'] : never
type Answer<Name extends string> = Name extends keyof Operations ? Operations[Name]['answer'] : never

type Names<Value> = Value extends readonly (infer Name)[] ? Name : Value

/** The fields that `include` adds. */
interface IncludedFields {
  readonly html: 'contentHtml'
  readonly toc: 'toc'
  readonly reading_time: 'readingTimeMinutes' | 'wordCount'
  readonly media: 'media'
}

type Included<Item, Query> = Query extends { readonly include: infer Include }
  ? Required<Pick<Item, Extract<IncludedFields[Extract<Names<Include>, keyof IncludedFields>], keyof Item>>>
  : unknown

/** An item as a query narrows it by `fields` or `exclude`, with what `include` adds. */
export type Narrowed<Item, Query> = Included<Item, Query> &
  (Query extends { readonly fields: infer Fields }
    ? Pick<Item, Extract<'id' | Names<Fields>, keyof Item>>
    : Query extends { readonly exclude: infer Excluded }
      ? Omit<Item, Extract<Names<Excluded>, keyof Item>>
      : Item)

/** The parameter that names one of the resources under a path. */
type IdOf<Path extends string, Name = keyof Operations> = Name extends `GET ${Path}/{${infer Id}}`
  ? Id extends `${string}/${string}`
    ? never
    : Id
  : never

/** One of the resources under a path. */
type One<Path extends string> = `${Path}/{${IdOf<Path>}}`

/** Resources to read. */
export interface Items<Path extends string, Item = Answer<`GET ${One<Path>}`>> {
  /** One page. */
  list<const Query extends Params<`GET ${Path}`>>(query?: Query, options?: RequestOptions): Promise<Page<Narrowed<Item, Query>>>
  /** Page after page, by cursor: nothing is lost or comes twice while others are added. */
  pages<const Query extends Params<`GET ${Path}`>>(query?: Query, options?: RequestOptions): AsyncGenerator<Page<Narrowed<Item, Query>>>
  /** Item after item, of all pages. */
  all<const Query extends Params<`GET ${Path}`>>(query?: Query, options?: RequestOptions): AsyncGenerator<Narrowed<Item, Query>>
  get<const Query extends Omit<Params<`GET ${One<Path>}`>, IdOf<Path>>>(
    id: string,
    query?: Query,
    options?: RequestOptions,
  ): Promise<Narrowed<Item, Query>>
}

/** Resources to read and write. */
export interface WritableItems<Path extends string, Item = Answer<`GET ${One<Path>}`>> extends Items<Path, Item> {
  create(body: Body<`POST ${Path}`>, options?: RequestOptions): Promise<Item>
  /** Changes the fields that are given; `null` empties one. */
  update(id: string, patch: Body<`PATCH ${One<Path>}`>, options?: RequestOptions): Promise<Item>
  delete(id: string, query?: Omit<Params<`DELETE ${One<Path>}`>, IdOf<Path>>, options?: RequestOptions): Promise<void>
}

export interface PostCollection extends WritableItems<'/v1/posts'> {
  /** Out of the trash. */
  restore(id: string, body?: Body<'POST /v1/posts/{id}/restore'>, options?: RequestOptions): Promise<Answer<'GET /v1/posts/{idOrSlug}'>>
  /** Published posts that have most in common with this one. */
  related<const Query extends Omit<Params<'GET /v1/posts/{idOrSlug}/related'>, 'idOrSlug'>>(
    idOrSlug: string,
    query?: Query,
    options?: RequestOptions,
  ): Promise<{ readonly data: readonly Narrowed<Answer<'GET /v1/posts/{idOrSlug}'>, Query>[] }>
  /** The post as whoever has the preview token may see it. The API key is not sent. */
  preview(idOrSlug: string, token: string, options?: RequestOptions): Promise<Answer<'GET /v1/posts/{idOrSlug}'>>
  createPreviewToken(
    idOrSlug: string,
    body?: Body<'POST /v1/posts/{idOrSlug}/preview-tokens'>,
    options?: RequestOptions,
  ): Promise<Extract<Answer<'POST /v1/posts/{idOrSlug}/preview-tokens'>, { readonly token: string }>>
}
