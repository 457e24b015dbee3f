import type { Scope } from '../actions/caller.ts'
import type { Instant } from '../values/instant.ts'

/** What a filter takes: several values of which any may hold, one instant, one text, or `true`. */
type FilterKind = 'many' | 'instant' | 'text' | 'flag'

export interface FilterSpec {
  readonly kind: FilterKind
  readonly description: string
  readonly example: string
  /** The closed set of values of a `many`. */
  readonly values?: readonly string[]
  /** Values that only a caller with this scope may ask for. */
  readonly guarded?: { readonly scope: Scope; readonly open: readonly string[] }
}

/** What a list offers: the one source of its parsing and of its documentation. Names of parameters and sorts are snake_case. */
export interface ListSpec {
  readonly noun: string
  readonly filters: Readonly<Record<string, FilterSpec>>
  readonly sorts: readonly string[]
  readonly defaultSort: SortKey
  /** The filter whose best matches come first, where no other order is asked for. */
  readonly rankedBy?: string
  /** The fields that `fields` and `exclude` may name; none where a list does not offer them. */
  readonly fields?: readonly string[]
}

interface FilterValue<V extends string> {
  many: readonly V[]
  instant: Instant
  text: string
  flag: true
}

type ValueOf<F extends FilterSpec> = FilterValue<F extends { readonly values: readonly (infer V extends string)[] } ? V : string>[F['kind']]

export type FilterValues<S extends ListSpec> = { readonly [F in keyof S['filters']]?: ValueOf<S['filters'][F]> }

export interface SortKey<S extends string = string> {
  readonly name: S
  readonly descending: boolean
}

/** A list request, understood: what SQL and the answer are made from. */
export interface ListPlan<S extends ListSpec = ListSpec> {
  readonly filters: FilterValues<S>
  readonly sort: readonly SortKey<S['sorts'][number]>[]
  /** The best matches come first, and only then what `sort` says. */
  readonly ranked?: true
  readonly limit: number
  readonly position: Position
  readonly total: boolean
  /** The fields to answer with, `id` among them, in the order of the representation; all where nothing was asked. */
  readonly fields: readonly string[] | undefined
  /** Binds a cursor to the sort and filters it was made with. */
  readonly fingerprint: string
}

export type Position = { readonly kind: 'page'; readonly page: number } | { readonly kind: 'cursor'; readonly after: CursorValues }

/** The sort values of the last item of a page, its id at the end. */
export type CursorValues = readonly (string | number)[]

/** The parameters of a URL's query: every name with its values in order. */
export type QueryParams = ReadonlyMap<string, readonly string[]>

export const defaultLimit = 20
/** A page is read into memory whole. */
export const maxLimit = 100
/** Beyond it `page × limit` would leave the integers that every engine counts exactly. */
export const maxPage = 1_000_000_000
/** Keeps one statement's list of values short; nobody reads more on one page. */
export const maxFilterValues = 50
export const maxSearchCodePoints = 200
export const maxSorts = 4
