import type { OpenAPIV3_1 as OpenApi } from 'openapi-types'
import type { TSchema } from 'typebox'

export type Schema = OpenApi.SchemaObject | OpenApi.ReferenceObject

/** Collects the schemas that have a title, so that the document has each of them once. */
export interface SchemaCollection {
  /** The schema as the document has it: a `$ref` if it has a title, as for every schema within it. */
  refer(schema: TSchema): Schema
  all(): Record<string, OpenApi.SchemaObject>
}

export function collectSchemas(): SchemaCollection {
  const found = new Map<string, OpenApi.SchemaObject>()
  const refer = (schema: Schema): Schema => {
    if ('$ref' in schema) return schema
    const described = withParts(explicit(schema), refer)
    const { title } = schema
    if (title === undefined) return described
    const known = found.get(title)
    if (known && JSON.stringify(known) !== JSON.stringify(described)) throw new Error(`two different schemas are called ${title}`)
    found.set(title, described)
    return { $ref: `#/components/schemas/${title}` }
  }
  return {
    refer: (schema) => refer(JSON.parse(JSON.stringify(schema))),
    all: () => Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** What our own keywords imply, in words that every reader of JSON Schema knows. */
function explicit(schema: OpenApi.SchemaObject & { readonly 'x-maxBytes'?: number }): OpenApi.SchemaObject {
  const { type, maximum = Number.MAX_SAFE_INTEGER, 'x-maxBytes': maxLength } = schema
  const isInteger = [type].flat().includes('integer')
  return {
    ...schema,
    // A text has no more code points than bytes.
    ...(maxLength !== undefined && { maxLength }),
    ...(isInteger && schema.format === undefined && { format: maximum < 2 ** 31 ? 'int32' : 'int64', maximum }),
  }
}

/** A schema with every schema directly within it changed. */
export function withParts(schema: OpenApi.SchemaObject, change: (part: Schema) => Schema): OpenApi.SchemaObject {
  const { properties, additionalProperties, allOf, anyOf, oneOf } = schema
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, change(part)])) }),
    ...('items' in schema && schema.items && { items: change(schema.items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: change(additionalProperties) }),
    ...(allOf && { allOf: allOf.map(change) }),
    ...(anyOf && { anyOf: anyOf.map(change) }),
    ...(oneOf && { oneOf: oneOf.map(change) }),
  }
}
