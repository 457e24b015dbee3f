import type { TSchema } from 'typebox'
import type { ListSpec } from '../../lists/list-spec.ts'
import type { ProblemCode } from '../../values/problems.ts'

/** What a route tells the documentation beyond its path, scope and body: see `openapi.ts`. Problems that every route of its kind has are not repeated. */
export interface Operation {
  /** The operationId, a verb and a noun. */
  readonly id: string
  readonly tag: 'Posts' | 'Authors' | 'Categories' | 'Tags' | 'Media' | 'Changes' | 'Administration' | 'Service'
  readonly summary: string
  readonly description?: string
  /** What a list offers: its query parameters. */
  readonly list?: ListSpec
  /** Other query parameters, all of them booleans, with what they do. */
  readonly flags?: Readonly<Record<string, string>>
  /** Other query parameters that take a text, with what they do. */
  readonly texts?: Readonly<Record<string, string>>
  /** Other query parameters that take a whole number, with what they do and the numbers that they take. */
  readonly numbers?: Readonly<Record<string, WholeNumber>>
  readonly body?: TSchema
  /** The body has several resources to do, each with its own precondition. */
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
