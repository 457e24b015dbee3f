import type { OpenAPIV3_1 as OpenApi } from 'openapi-types'
import { partsOf, type Route } from '../route-config.ts'
import { collectSchemas, type SchemaCollection } from './component-schemas.ts'
import { namesIn, parametersOf, sharedParameters } from './documented-parameters.ts'
import { collectProblemResponses, type ProblemResponses, problemsOf } from './documented-problems.ts'
import { responseHeaders, responsesOf } from './documented-responses.ts'
import type { Operation } from './operation.ts'

/** Requests and responses of a running service: `examples.json`, which a test records and compares. */
interface Examples {
  /** By operationId. */
  readonly operations: Readonly<Record<string, Exchange>>
  /** Problem documents by code. */
  readonly problems: Readonly<Record<string, unknown>>
}

/** A request and its response. */
export interface Exchange {
  readonly path: string
  readonly body?: unknown
  readonly status: number
  readonly answer?: unknown
}

/** What the document is made from besides the routes. */
interface About {
  readonly version: string
  /** The address of the service for clients, if it is configured. */
  readonly publicUrl: URL | undefined
  readonly examples: Examples
}

export type OpenApiDocument = ReturnType<typeof toOpenApi>
export type DocumentedOperation = ReturnType<typeof toOperation>

/** Makes the OpenAPI 3.1 document of these routes: the same routes, the same document. */
export function toOpenApi(routes: readonly Route[], { version, publicUrl, examples }: About) {
  const schemas = collectSchemas()
  const problems = collectProblemResponses(schemas.refer, examples.problems)
  const paths = toPaths(routes, { schemas, problems, examples })
  return {
    openapi: '3.1.0',
    info: { title: 'Verso', version, summary, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: publicUrl?.href.replace(/\/+$/, '') ?? '/' }],
    tags: Object.entries(tags).map(([name, about]) => ({ name, description: about })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'verso_live_… or verso_pub_…', description: aboutKeys },
      },
      parameters: sharedParameters,
      headers: responseHeaders,
      schemas: schemas.all(),
      responses: problems.all(),
      examples: Object.fromEntries(Object.entries(examples.problems).map(([code, value]) => [code, { summary: code, value }])),
    } satisfies OpenApi.ComponentsObject,
  }
}

const summary = 'A self-hosted content service: posts, authors and media over HTTP, for people who build websites.'

const description = [
  'Requests and responses are JSON in UTF-8. Field names are camelCase, query parameters snake_case. Dates are UTC with milliseconds; dates that you send may have any offset. Ids are opaque.',
  'Lists have pages: `{"data": […], "pagination": {…}}`, with links to other pages in the header `Link`. Unknown parameters, unknown fields and values out of range are refused.',
  'Every error is a problem document (RFC 9457), whose `code` is from a closed list.',
  'Every GET has a HEAD with the same headers. A GET with the ETag of your response in `If-None-Match` is answered 304 while nothing has changed.',
  'Lengths are counted in code points. In the schemas, `x-maxTrimmedLength` is the maximum length without white space at both ends, and `x-maxBytes` the maximum size in UTF-8. The format `http-url` is an absolute http or https URL as the URL Standard reads it; such a URL is kept as sent.',
].join('\n\n')

const aboutKeys = [
  'An API key of the project: `Authorization: Bearer <API key>`. No other place is read. The key decides which project is meant.',
  'A secret key, `verso_live_…`, is for servers. It may write and read drafts, as far as its scopes allow. A public key, `verso_pub_…`, may be used in a web page. It reads what is published.',
  '`verso key create` and `POST /v1/admin/keys` make keys. A key is shown once.',
].join('\n\n')

const tags: Readonly<Record<Operation['tag'], string>> = {
  Posts: 'Articles in Markdown, from draft to archive.',
  Authors: 'The people who write posts.',
  Categories: 'A post has at most one category.',
  Tags: 'The subjects of posts. A tag exists while a post names it.',
  Media: 'Pictures that are stored elsewhere, registered by their address.',
  Changes: 'What has changed, for programs that keep a copy, such as a site builder or a search index.',
  Administration: 'For those who run a project, with keys that have the scope `admin`.',
  Service: 'The service itself. No key is needed.',
}

/** An extension that documentation pages know. */
interface CodeSamples {
  readonly 'x-codeSamples': readonly { readonly lang: string; readonly label: string; readonly source: string }[]
}

interface Parts {
  readonly schemas: SchemaCollection
  readonly problems: ProblemResponses
  readonly examples: Examples
}

function toPaths(routes: readonly Route[], parts: Parts) {
  const paths: Record<string, Partial<Record<'get' | 'post' | 'patch' | 'delete', DocumentedOperation>>> = {}
  for (const route of routes) {
    const { method, path } = partsOf(route)
    const template = path.replace(/:(\w+)/g, '{$1}')
    paths[template] = { ...paths[template], [method.toLowerCase()]: toOperation(route, parts) }
  }
  return paths
}

function toOperation(route: Route, { schemas, problems, examples }: Parts) {
  const { id, tag, summary: title, description: about } = route.operation
  const exchange = examples.operations[id]
  const responses = responsesOf(route, schemas.refer, exchange ? { [exchange.status]: exchange.answer } : {})
  return {
    operationId: id,
    tags: [tag],
    summary: title,
    ...(about !== undefined && { description: about }),
    security: route.access === 'open' ? [] : [{ apiKey: route.scope ? [route.scope] : [] }],
    parameters: parametersOf(route, exchange ? pathSamples(route, exchange.path) : {}),
    ...requestBody(route, schemas, exchange?.body),
    responses: { ...problems.refer(problemsOf(route)), ...responses },
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curlLine(route, exchange) }],
  } satisfies OpenApi.OperationObject<CodeSamples>
}

function requestBody(route: Route, schemas: SchemaCollection, sample: unknown) {
  if (!route.operation.body) return {}
  const media = { schema: schemas.refer(route.operation.body), ...(sample !== undefined && { example: sample }) }
  const isPatch = partsOf(route).method === 'PATCH'
  const content = { 'application/json': media, ...(isPatch && { 'application/merge-patch+json': media }) }
  return { requestBody: { required: route.body === 'required', content } }
}

/** The values that the path of a request has for the parameters of its route. */
function pathSamples(route: Route, requested: string): Readonly<Record<string, string>> {
  const { path } = partsOf(route)
  const pattern = new RegExp(`^${path.replace(/:\w+/g, '([^/]+)')}$`)
  const values = pattern.exec(requested.split('?')[0] ?? '')?.slice(1) ?? []
  return Object.fromEntries(namesIn(path).flatMap((name, i) => (values[i] === undefined ? [] : [[name, decodeURIComponent(values[i])]])))
}

/** The request for a shell in which VERSO is the address and KEY an API key. */
function curlLine(route: Route, exchange: Exchange | undefined): string {
  const { method, path: template } = partsOf(route)
  const { path = template.replace(/:(\w+)/g, '{$1}'), body } = exchange ?? {}
  const words = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$VERSO${path}"`,
    ...(route.access === 'key' ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
  ]
  return words.join(' \\\n  ')
}
