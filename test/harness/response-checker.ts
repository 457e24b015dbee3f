import { AssertionError } from 'node:assert'
import { Ajv } from 'ajv'
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types'
import { describeApi } from '../../src/app/routes.ts'
import { type Schema, withParts } from '../../src/http/openapi/component-schemas.ts'
import type { DocumentedOperation } from '../../src/http/openapi/openapi-document.ts'
import { parseUrl } from '../../src/values/parse-url.ts'

/** A request and its response. */
interface Exchange {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** The problems of a path or method that does not exist. */
const elsewhere = ['not_found', 'method_not_allowed', 'malformed_request', 'uri_too_long', 'headers_too_large']

/** Fails the test unless the response matches the OpenAPI document. Every response that a test receives is checked here. */
export function expectAsDocumented(exchange: Exchange): void {
  const found = differences(exchange)
  if (found.length === 0) return
  const message = `${exchange.method} ${exchange.path} answered ${exchange.status} other than documented: ${found.join('; ')}`
  throw new AssertionError({ message })
}

/**
 * Compares a response with the OpenAPI document and names every difference: an undeclared status, a missing header, a body that does not match
 * its schema (undeclared fields included), a problem that is not listed, a parameter that works and is not documented.
 */
export function differences(exchange: Exchange): readonly string[] {
  const { method, path, status, text, headers } = exchange
  if (method === 'OPTIONS' && /^\/v1(?:[/?]|$)/.test(path)) return status === 204 ? [] : [`status ${status} to a preflight`]
  const operation = operationAt(method === 'HEAD' ? 'GET' : method, path)
  if (!operation) return elsewhereDifferences(exchange)
  const response = responseOf(operation, status)
  if (!response) return [`status ${status} is not declared`]
  const declared = response.headers ?? {}
  const missing = Object.entries(declared)
    .filter(([name, header]) => isRequired(header) && !headers.has(name))
    .map(([name]) => name)
  const bodyless = method === 'HEAD' || status === 204 || status === 304
  return [
    ...missing.map((name) => `the header ${name} is missing`),
    ...(status < 400 ? undocumentedParameters(operation, path) : []),
    ...(status < 400 && headers.has('server-timing') && !('Server-Timing' in declared) ? ['Server-Timing is not declared'] : []),
    ...(bodyless ? (text === '' ? [] : ['there is a body']) : bodyDifferences(exchange, response)),
  ]
}

/** How the body of a webhook's request differs from the OpenAPI document. */
export function eventDifferences(event: { readonly type?: unknown }): readonly string[] {
  const body = document.webhooks[String(event.type)]?.post.requestBody
  const schema = body && 'content' in body ? body.content['application/json']?.schema : undefined
  return schema ? violations(schema, event) : [`the event ${event.type} is not documented`]
}

const document = describeApi()
const paths = Object.entries(document.paths).map(([path, item]) => ({ form: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`), item }))
/** Responses are stricter than requests: times are UTC with milliseconds, and every field is documented. */
const ajv = new Ajv({ strict: false, allErrors: true })
  .addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .addFormat('http-url', (url: string) => parseUrl(url) !== undefined)
  .addFormat('site-path', (path: string) => /^\/[^/]/.test(path))
  .addFormat('visible', true)
  .addFormat('email', true)
  .addFormat('int32', true)
  .addFormat('int64', true)
  .addSchema(closedComponents(closed), 'document')
  .addSchema(closedComponents(narrowed), 'narrowed')
type Validators = Map<Schema, ReturnType<typeof ajv.compile>>
const validators: Readonly<Record<Reading, Validators>> = { document: new Map(), narrowed: new Map() }

function isRequired(header: OpenApi.ReferenceObject | OpenApi.HeaderObject): boolean {
  return '$ref' in header
    ? Object.entries(document.components.headers).some(([name, { required }]) => required && header.$ref.endsWith(`/${name}`))
    : false
}

function operationAt(method: string, path: string): DocumentedOperation | undefined {
  const [pathname = ''] = path.split('?')
  const here = paths.filter(({ form }) => form.test(pathname)).flatMap(({ item }) => Object.entries(item))
  return here.find(([name]) => name.toUpperCase() === method)?.[1]
}

function responseOf(operation: DocumentedOperation, status: number): OpenApi.ResponseObject | undefined {
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

function bodyDifferences({ path, headers, text }: Exchange, { content }: OpenApi.ResponseObject): readonly string[] {
  if (!content) return text === '' ? [] : ['there is a body']
  const [type = ''] = (headers.get('content-type') ?? '').split(';')
  const media = content[type]
  if (!media?.schema) return [`content type ${type} is not declared`]
  return type.endsWith('json') ? violations(media.schema, JSON.parse(text), isNarrowed(path) ? 'narrowed' : 'document') : []
}

/** Whether the request selects fields, so that the response lacks others that its schema requires. */
function isNarrowed(path: string): boolean {
  const query = new URLSearchParams(path.split('?')[1] ?? '')
  return query.has('fields') || query.has('exclude')
}

type Reading = 'document' | 'narrowed'

function violations(schema: Schema, body: unknown, reading: Reading = 'document'): readonly string[] {
  const validate = validators[reading].get(schema) ?? ajv.compile(pointedTo(reading)(schema))
  validators[reading].set(schema, validate)
  if (validate(body)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || 'body'} ${message} ${JSON.stringify(params)}`,
  )
}

function undocumentedParameters({ parameters }: DocumentedOperation, path: string): readonly string[] {
  const known = parameters.map((each) => ('$ref' in each ? each.$ref.replace('#/components/parameters/', '') : each.name))
  const sent = new URLSearchParams(path.split('?')[1] ?? '')
  return [...sent.keys()].filter((name) => !known.includes(name)).map((name) => `the parameter ${name} works, but is not documented`)
}

function closedComponents(change: (schema: Schema) => Schema) {
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => [name, change(schema)])
  return { components: { schemas: Object.fromEntries(schemas) } }
}

function closed(schema: Schema): Schema {
  return closedIn(schema, 'document')
}

/** The same of a post of which a request selects fields. */
function narrowed(schema: Schema): Schema {
  const inner = closedIn(schema, 'narrowed')
  return 'title' in inner && inner.title === 'Post' ? { ...inner, required: ['id'] } : inner
}

function closedIn(schema: Schema, reading: Reading): Schema {
  if ('$ref' in schema) return pointedTo(reading)(schema)
  const inner = withParts(schema, (part) => closedIn(part, reading))
  return inner.properties && inner.additionalProperties === undefined ? { ...inner, additionalProperties: false } : inner
}

/** The same schema with its references pointing into the document. */
function pointedTo(reading: Reading): (schema: Schema) => Schema {
  const pointed = (schema: Schema): Schema =>
    '$ref' in schema ? { ...schema, $ref: `${reading}${schema.$ref}` } : withParts(schema, pointed)
  return pointed
}
