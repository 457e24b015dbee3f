import type { OpenApiDocument } from '../../src/http/openapi/openapi-document.ts'

/** The part of JSON Schema that the document uses. */
interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly description?: string
}

interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

interface Operation {
  readonly summary: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content & { readonly required?: boolean }
  readonly responses: Readonly<Record<string, Content>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>>; readonly parameters: Readonly<Record<string, Parameter>> }
}

const heading = `// Made from the OpenAPI document of Verso. A test compares it, and writes it again: npx vitest run test/packages/api-types.test.ts -u
`

/** The types of `packages/client`: every schema by its name, and every operation under `/v1` with what it takes and answers. */
export function toApiTypes(given: OpenApiDocument): string {
  // The document's own type knows each of its parts apart; here it is read like any other document.
  const document = given as unknown as Document
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => declaration(name, schema))
  const operations = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => method !== 'head')
        .map(([method, operation]) => operationType(`${method.toUpperCase()} ${path}`, operation, document)),
    )
  const about = comment('What each operation takes in its path and query, the body that it takes, and what it answers.', '')
  return `${[heading, ...schemas, eventType(document), `${about}export interface Operations {\n${operations.join('\n')}\n}`].join('\n')}\n`
}

/** The bodies of all webhooks. Each event is named by its `type`, which none of the others has. */
function eventType({ webhooks = {} }: Document): string {
  const bodies = Object.values(webhooks).map(({ post }) => schemaOf(post?.requestBody ?? {}))
  const about = comment('What webhooks send. `type` tells events apart.', '')
  return `${about}export type WebhookEvent = ${[...new Set(bodies)].join(' | ')}\n`
}

function declaration(name: string, schema: Schema): string {
  const about = comment(schema.description, '')
  return schema.properties && !schema.allOf
    ? `${about}export interface ${nameOf(name)} ${typeOf(schema, '')}\n`
    : `${about}export type ${nameOf(name)} = ${typeOf(schema, '')}\n`
}

/** `Problem` is the name of the error that the client throws. */
function nameOf(name: string): string {
  return name === 'Problem' ? 'ProblemDocument' : name
}

function operationType(key: string, operation: Operation, document: Document): string {
  const parameters = (operation.parameters ?? []).map((each) =>
    each.$ref ? (document.components.parameters[each.$ref.split('/').at(-1) ?? ''] ?? each) : each,
  )
  const inUrl = parameters.filter((each) => ['path', 'query'].includes(each.in))
  const members = inUrl.map(
    (each) => `${comment(each.description, '      ')}      ${property(each.name, each.required === true)}: ${parameterType(each.schema)}`,
  )
  const params = members.length === 0 ? 'Record<never, never>' : `{\n${members.join('\n')}\n    }`
  const { requestBody } = operation
  const body = requestBody ? `${schemaOf(requestBody)}${requestBody.required ? '' : ' | undefined'}` : 'undefined'
  const answers = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => schemaOf(response))
  return [
    `${comment(operation.summary, '  ')}  '${key}': {`,
    `    params: ${params}`,
    `    body: ${body}`,
    `    answer: ${[...new Set(answers)].join(' | ')}`,
    '  }',
  ].join('\n')
}

function schemaOf({ content }: Content): string {
  const schema = content && Object.values(content)[0]?.schema
  return schema ? typeOf(schema, '    ') : 'undefined'
}

/** Where several values are taken, one alone may be given without a list. */
function parameterType(schema: Schema): string {
  if (schema.type !== 'array' || !schema.items) return typeOf(schema, '      ')
  const item = typeOf(schema.items, '      ')
  return `${item} | readonly ${item.includes('|') ? `(${item})` : item}[]`
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref) return nameOf(schema.$ref.split('/').at(-1) ?? '')
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  const union = schema.anyOf ?? schema.oneOf
  if (union) return [...new Set(union.map((each) => typeOf(each, indent)))].join(' | ')
  if (schema.allOf) return schema.allOf.map((each) => typeOf(each, indent)).join(' & ')
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  return types.length === 0 ? 'unknown' : types.map((type) => plainType(type, schema, indent)).join(' | ')
}

function plainType(type: string, schema: Schema, indent: string): string {
  if (type === 'integer') return 'number'
  if (type === 'array') return listOf(typeOf(schema.items ?? {}, indent))
  return type === 'object' ? objectType(schema, indent) : type
}

function listOf(item: string): string {
  return `readonly ${/[|&]/.test(item) && !item.startsWith('{') ? `(${item})` : item}[]`
}

function objectType({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  if (!properties)
    return `Readonly<Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown'}>>`
  const members = Object.entries(properties).map(
    ([name, schema]) =>
      `${comment(schema.description, `${indent}  `)}${indent}  readonly ${property(name, required.includes(name))}: ${typeOf(schema, `${indent}  `)}`,
  )
  return `{\n${members.join('\n')}\n${indent}}`
}

function property(name: string, required: boolean): string {
  return `${/^\w+$/.test(name) ? name : literal(name)}${required ? '' : '?'}`
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value)
}

function comment(text: string | undefined, indent: string): string {
  return text === undefined || text === '' ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n`
}
