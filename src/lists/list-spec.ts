import type { Scope } from '../actions/caller.ts'
import { maxPageLength } from '../actions/validation/schema-types.ts'
import type { Instant } from '../values/instant.ts'

/** What a filter takes: several values, any of which may match; one instant; one text; or `true`. */
type FilterKind = 'many' | 'instant' | 'text' | 'flag'

export interface FilterSpec {
  readonly kind: FilterKind
  readonly description: string
  readonly example: string
  /** The allowed values of a `many`. */
  readonly values?: readonly string[]
  /** All values but the open ones need this scope. */
  readonly guarded?: { readonly scope: Scope; readonly open: readonly string[] }
}

/** What a list offers. Parsing and documentation are made from it. Names of parameters and sorts are snake_case. */
export interface ListSpec {
  readonly noun: string
  readonly filters: Readonly<Record<string, FilterSpec>>
  readonly sorts: readonly string[]
  readonly defaultSort: SortKey
  /** The filter whose best matches come first if the request has no `sort`. */
  readonly rankedBy?: string
  /** The fields that `fields` and `exclude` can name; undefined if a list does not offer them. */
  readonly fields?: readonly string[]
  /** What `include` can add to each item, and what it takes. */
  readonly includes?: Readonly<Record<string, IncludeSpec>>
}

export interface IncludeSpec {
  readonly description: string
  /** It needs this scope, too. */
  readonly scope?: Scope
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

/** A parsed list request. */
export interface ListPlan<S extends ListSpec = ListSpec> {
  readonly filters: FilterValues<S>
  readonly sort: readonly SortKey<S['sorts'][number]>[]
  /** Sorted by the best match first, then by `sort`. */
  readonly ranked?: true
  readonly limit: number
  readonly position: Position
  readonly total: boolean
  /** The fields of the response, with `id`, in the order of the representation; undefined for all. */
  readonly fields: readonly string[] | undefined
  /** What is added to each item, in the order of the spec; missing for nothing. */
  readonly include?: readonly string[]
  /** Binds a cursor to its sort and filters. */
  readonly fingerprint: string
  /** Binds a cursor to the resource that has the list; missing for a list of the project. */
  readonly parent?: string
}

export type Position = { readonly kind: 'page'; readonly page: number } | { readonly kind: 'cursor'; readonly after: CursorValues }

/** The sort values of the last item of a page, with its id at the end. */
export type CursorValues = readonly (string | number)[]

/** The parameters of a query string, each with its values in order. */
export type QueryParams = ReadonlyMap<string, readonly string[]>

export const defaultLimit = 20
/** A page is read into memory as a whole. */
export const maxLimit = maxPageLength
/** Keeps `page × limit` within the integers that every engine counts exactly. */
export const maxPage = 1_000_000_000
/** Keeps the list of values in a statement short. */
export const maxFilterValues = 50
export const maxSearchCodePoints = 200
export const maxSorts = 4
