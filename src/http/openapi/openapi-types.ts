import type { Method } from './route-collector.ts'

/** The part of OpenAPI 3.1 that our document is made of. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly summary: string
    readonly description: string
    readonly license: { readonly name: string; readonly identifier: string }
  }
  readonly servers: readonly { readonly url: string; readonly description?: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: ByName<PathItem>
  readonly components: {
    readonly securitySchemes: ByName<{
      readonly type: 'http'
      readonly scheme: 'bearer'
      readonly bearerFormat: string
      readonly description: string
    }>
    readonly parameters: ByName<Parameter>
    readonly headers: ByName<Header>
    readonly schemas: ByName<JsonSchema>
    readonly responses: ByName<Response>
    readonly examples: ByName<Example>
  }
}

export type ByName<T> = Readonly<Record<string, T>>

export interface Ref {
  readonly $ref: string
}

export type PathItem = Readonly<Partial<Record<Method, OperationObject>>>

export interface OperationObject {
  readonly operationId: string
  readonly tags: readonly [string]
  readonly summary: string
  readonly description?: string
  /** The one scheme with the scope that it takes, or nothing. */
  readonly security: readonly { readonly apiKey?: readonly string[] }[]
  readonly parameters: readonly (Parameter | Ref)[]
  readonly requestBody?: { readonly required: boolean; readonly content: ByName<Media> }
  readonly responses: ByName<Response | Ref>
  readonly 'x-codeSamples'?: readonly { readonly lang: string; readonly label: string; readonly source: string }[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description: string
  readonly style?: 'form'
  readonly explode?: false
  readonly schema: JsonSchema
  readonly example?: unknown
}

export interface Header {
  readonly description: string
  readonly required: boolean
  readonly schema: JsonSchema
}

export interface Response {
  readonly description: string
  readonly headers: ByName<Ref>
  readonly content?: ByName<Media>
}

interface Media {
  readonly schema: JsonSchema
  readonly example?: unknown
  readonly examples?: ByName<Ref>
}

export interface Example {
  readonly summary: string
  readonly value: unknown
}

/** The words of JSON Schema (2020-12) that our shapes use. */
export interface JsonSchema {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly properties?: ByName<JsonSchema>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly allOf?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly contentMediaType?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly 'x-maxTrimmedLength'?: number
  readonly 'x-maxBytes'?: number
}
