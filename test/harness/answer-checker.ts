import { Ajv } from 'ajv'
import { describeApi } from '../../src/app/routes.ts'
import { withParts } from '../../src/http/openapi/component-schemas.ts'
import type { JsonSchema, OpenApiDocument, OperationObject, Response } from '../../src/http/openapi/openapi-types.ts'

/** What was asked and what came back. */
interface Exchange {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** What a path or method that is not there may be answered. */
const elsewhere = ['not_found', 'method_not_allowed', 'malformed_request', 'uri_too_long', 'headers_too_large']

/** Fails the test unless the answer is as the OpenAPI document says. Every answer that a test receives passes through here. */
export function expectAsDocumented(exchange: Exchange): void {
  const found = differences(exchange)
  if (found.length === 0) return
  throw new Error(`${exchange.method} ${exchange.path} answered ${exchange.status} other than documented: ${found.join('; ')}`)
}

/**
 * Holds an answer against the OpenAPI document and names every difference: a status that is not declared, headers that are missing, a body of
 * another shape (with fields that are not declared, too), a problem that is not listed, a parameter that worked and is not documented.
 */
export function differences(exchange: Exchange): readonly string[] {
  const { method, path, status, text, headers } = exchange
  if (method === 'OPTIONS' && path.startsWith('/v1/')) return status === 204 ? [] : [`status ${status} to a preflight`]
  const operation = operationAt(method === 'HEAD' ? 'GET' : method, path)
  if (!operation) return elsewhereDifferences(exchange)
  const response = responseOf(operation, status)
  if (!response) return [`status ${status} is not declared`]
  const missing = Object.entries(response.headers)
    .filter(([name, { $ref }]) => document.components.headers[$ref.replace('#/components/headers/', '')]?.required && !headers.has(name))
    .map(([name]) => name)
  const bodyless = method === 'HEAD' || status === 204 || status === 304
  return [
    ...missing.map((name) => `the header ${name} is missing`),
    ...(status < 400 ? undocumentedParameters(operation, path) : []),
    ...(status < 400 && headers.has('server-timing') && !('Server-Timing' in response.headers) ? ['Server-Timing is not declared'] : []),
    ...(bodyless ? (text === '' ? [] : ['there is a body']) : bodyDifferences(exchange, response)),
  ]
}

const document: OpenApiDocument = describeApi()
const paths = Object.entries(document.paths).map(([path, item]) => ({ form: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`), item }))
/** What goes out is stricter than what may come in: UTC with milliseconds, and no field that the document does not know. */
const ajv = new Ajv({ strict: false, allErrors: true })
  .addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .addFormat('uri', (url: string) => URL.canParse(url))
  .addFormat('email', true)
  .addSchema(closedComponents(), 'document')
const validators = new Map<JsonSchema, ReturnType<typeof ajv.compile>>()

function operationAt(method: string, path: string): OperationObject | undefined {
  const [pathname = ''] = path.split('?')
  const here = paths.filter(({ form }) => form.test(pathname)).flatMap(({ item }) => Object.entries(item))
  return here.find(([name]) => name.toUpperCase() === method)?.[1]
}

function responseOf(operation: OperationObject, status: number): Response | undefined {
  const response = operation.responses[status]
  if (!response || !('$ref' in response)) return response
  return document.components.responses[response.$ref.replace('#/components/responses/', '')]
}

function elsewhereDifferences({ method, text }: Exchange): readonly string[] {
  if (method === 'HEAD') return []
  const { code } = JSON.parse(text)
  const problem = violations({ $ref: '#/components/schemas/Problem' }, JSON.parse(text))
  return elsewhere.includes(code) ? problem : [...problem, `${code} where nothing is`]
}

function bodyDifferences({ headers, text }: Exchange, { content }: Response): readonly string[] {
  if (!content) return text === '' ? [] : ['there is a body']
  const [type = ''] = (headers.get('content-type') ?? '').split(';')
  const media = content[type]
  if (!media) return [`content type ${type} is not declared`]
  return type.endsWith('json') ? violations(media.schema, JSON.parse(text)) : []
}

function violations(schema: JsonSchema, body: unknown): readonly string[] {
  const validate = validators.get(schema) ?? ajv.compile(pointed(schema))
  validators.set(schema, validate)
  if (validate(body)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || 'body'} ${message} ${JSON.stringify(params)}`,
  )
}

function undocumentedParameters({ parameters }: OperationObject, path: string): readonly string[] {
  const known = parameters.map((each) => ('$ref' in each ? each.$ref.replace('#/components/parameters/', '') : each.name))
  const sent = new URLSearchParams(path.split('?')[1] ?? '')
  return [...sent.keys()].filter((name) => !known.includes(name)).map((name) => `the parameter ${name} works, but is not documented`)
}

function closedComponents() {
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => [name, closed(schema)])
  return { components: { schemas: Object.fromEntries(schemas) } }
}

function closed(schema: JsonSchema): JsonSchema {
  const inner = withParts(pointed(schema), closed)
  return inner.properties && inner.additionalProperties === undefined ? { ...inner, additionalProperties: false } : inner
}

/** The same with its own reference, and those directly in it, leading into the document. */
function pointed(schema: JsonSchema): JsonSchema {
  const { $ref } = schema
  return withParts($ref?.startsWith('#') ? { ...schema, $ref: `document${$ref}` } : schema, pointed)
}
