import type { TSchema } from 'typebox'
import type { ListSpec } from '../../lists/list-spec.ts'
import type { ProblemCode } from '../../values/problems.ts'

/** The documentation of a route, without its path and scope. It names only the problems that not every route of its kind has. */
export interface Operation {
  /** The operationId: a verb and a noun. */
  readonly id: string
  readonly tag: 'Posts' | 'Authors' | 'Categories' | 'Tags' | 'Media' | 'Feeds' | 'Changes' | 'Site' | 'Administration' | 'Service'
  readonly summary: string
  readonly description: string
  /** The query parameters of a list. */
  readonly list?: ListSpec
  /** The fields that `fields` and `exclude` can name, where there is no list. */
  readonly selects?: readonly string[]
  /** What `include` can add to a single resource. */
  readonly includes?: NonNullable<ListSpec['includes']>
  /** Other boolean query parameters, with their descriptions. */
  readonly flags?: Readonly<Record<string, string>>
  /** Other query parameters that take some of these values. */
  readonly choices?: Readonly<Record<string, { readonly description: string; readonly values: readonly string[] }>>
  /** Other query parameters that take text, with their descriptions. */
  readonly texts?: Readonly<Record<string, string>>
  /** Other query parameters that take a cursor, with their descriptions. */
  readonly cursors?: Readonly<Record<string, string>>
  /** Other query parameters that take a whole number. */
  readonly numbers?: Readonly<Record<string, WholeNumber>>
  readonly body?: TSchema
  /** What protects it instead of an API key. */
  readonly protectedBy?: 'metricsToken'
  /** The body has several operations, each with its own precondition. */
  readonly severalAtOnce?: true
  /** Schemas of the responses by status; `null` where there is no body. JSON unless the schema names another `contentMediaType`. */
  readonly responses: Readonly<Partial<Record<200 | 201 | 204 | 207 | 301 | 304 | 503, TSchema | null>>>
  /** Browsers get 200 as HTML. */
  readonly isHtmlToo?: true
  readonly problems?: readonly ProblemCode[]
}

export interface WholeNumber {
  readonly description: string
  readonly minimum: number
  readonly maximum: number
  readonly default: number
}
