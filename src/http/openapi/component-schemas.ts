import type { TSchema } from 'typebox'
import type { ByName, JsonSchema } from './openapi-types.ts'

/** Gathers the shapes that have a title, so that each stands in the document once. */
export interface SchemaCollection {
  /** The shape as the document says it: a `$ref` where it has a title, and so for all shapes within it. */
  refer(schema: TSchema): JsonSchema
  all(): ByName<JsonSchema>
}

export function collectSchemas(): SchemaCollection {
  const found = new Map<string, JsonSchema>()
  const refer = (schema: JsonSchema): JsonSchema => {
    const said = withParts(schema, refer)
    const { title } = schema
    if (title === undefined) return said
    const known = found.get(title)
    if (known && JSON.stringify(known) !== JSON.stringify(said)) throw new Error(`two different shapes are called ${title}`)
    found.set(title, said)
    return { $ref: `#/components/schemas/${title}` }
  }
  return {
    refer: (schema) => refer(JSON.parse(JSON.stringify(schema))),
    all: () => Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** A schema with every schema that stands directly in it changed. */
export function withParts(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const { properties, items, additionalProperties, allOf, anyOf, oneOf } = schema
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, change(part)])) }),
    ...(items && { items: change(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: change(additionalProperties) }),
    ...(allOf && { allOf: allOf.map(change) }),
    ...(anyOf && { anyOf: anyOf.map(change) }),
    ...(oneOf && { oneOf: oneOf.map(change) }),
  }
}
