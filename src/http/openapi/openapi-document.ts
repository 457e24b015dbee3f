import type { OpenAPIV3_1 as OpenApi } from 'openapi-types'
import type { Scope } from '../../actions/caller.ts'
import { partsOf, pathTemplate, type Route } from '../route-config.ts'
import { collectSchemas, type SchemaCollection } from './component-schemas.ts'
import { namesIn, parametersOf, sharedParameters } from './documented-parameters.ts'
import { collectProblemResponses, type ProblemResponses, problemsOf } from './documented-problems.ts'
import { responseHeaders, responsesOf } from './documented-responses.ts'
import { type DocumentedEvents, toWebhooks } from './documented-webhooks.ts'
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
  readonly events: DocumentedEvents
}

export type OpenApiDocument = ReturnType<typeof toOpenApi>
export type DocumentedOperation = ReturnType<typeof toOperation>

/** Makes the OpenAPI 3.1 document of these routes: the same routes, the same document. */
export function toOpenApi(routes: readonly Route[], { version, publicUrl, examples, events }: About) {
  const schemas = collectSchemas()
  const problems = collectProblemResponses(schemas.refer, examples.problems)
  const paths = toPaths(routes, { schemas, problems, examples })
  const webhooks = toWebhooks(events, schemas)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Verso',
      version,
      summary,
      description,
      contact: { name: 'Whoever runs this installation' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl?.href.replace(/(?<!\/)\/+$/, '') ?? '/' }],
    tags: Object.entries(tags).map(([name, about]) => ({ name, description: about })),
    paths,
    webhooks,
    components: {
      securitySchemes,
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
  'Lengths are counted in code points. In the schemas, `x-maxTrimmedLength` is the maximum length without white space at both ends, and `x-maxBytes` the maximum size in UTF-8. The format `http-url` is an absolute http or https URL as the URL Standard reads it; such a URL is kept as sent. The format `site-path` is a path of one slash and more than that, perhaps with a query, without fragment, backslash, control character or white space at its end. The format `visible` is a text without control characters, characters without width and those that turn its direction.',
].join('\n\n')

const aboutKeys = [
  'An API key of the project: `Authorization: Bearer <API key>`. No other place is read. The key decides which project is meant.',
  'A secret key, `verso_live_…`, is for servers. It may write and read drafts, as far as its scopes allow. A public key, `verso_pub_…`, may be used in a web page. It reads what is published.',
  '`verso key create` and `POST /v1/admin/keys` make keys. A key is shown once.',
].join('\n\n')

const aboutPreviews =
  'A preview token opens one post to whoever has it, in any status, for a limited time. `POST /v1/posts/{idOrSlug}/preview-tokens` makes one.'

/** An operation names those that it needs in `x-scopes`. OpenAPI gives scopes of OAuth alone a place of their own. */
const scopeMeanings: Readonly<Record<Scope, string>> = {
  'posts:read': 'Read published posts, categories and tags.',
  'posts:read_drafts': 'Read posts of every status, the trash, revisions and preview tokens. Includes `posts:read`.',
  'posts:propose': 'Create drafts, and save pending edits of any post. Includes `posts:read_drafts`.',
  'posts:write': 'Create, change and delete posts that are neither published nor scheduled. Includes `posts:propose`.',
  'posts:publish': 'Publish and schedule posts, and change those that are published or scheduled. Includes `posts:read_drafts`.',
  'posts:delete': 'Erase posts for good. Includes `posts:read_drafts`.',
  'authors:read': 'Read authors, without their e-mail addresses.',
  'authors:read_email': 'Read authors with their e-mail addresses. Includes `authors:read`.',
  'media:read': 'Read media records.',
  'media:write': 'Register, change and delete media records. Includes `media:read`.',
  'changes:read': 'Follow the changes of what the key may read.',
  'authors:write': 'Create, change and delete authors.',
  'categories:write': 'Create, change and delete categories.',
  'people:manage': 'Invite people to the studio, and change their roles: none that may do more than the key.',
  admin: 'Administer keys, webhooks and the settings of the project. Includes `authors:write`, `categories:write` and `people:manage`.',
}

const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'verso_live_… or verso_pub_…',
    description: aboutKeys,
    'x-scopes': scopeMeanings,
  },
  previewToken: { type: 'apiKey', in: 'query', name: 'preview_token', description: aboutPreviews },
  metricsToken: { type: 'http', scheme: 'bearer', description: 'The token of `VERSO_METRICS_TOKEN`. It is not an API key.' },
} as const

const tags: Readonly<Record<Operation['tag'] | 'Webhooks', string>> = {
  Posts: 'Articles in Markdown, from draft to archive.',
  Authors: 'The people who write posts.',
  Categories: 'A post has at most one category.',
  Tags: 'The subjects of posts. A tag exists while a post names it.',
  Media: 'Pictures that are stored elsewhere, registered by their address.',
  Feeds: 'Feeds and sitemaps of a site, for everyone. No key is needed.',
  Changes: 'What has changed, for programs that keep a copy, such as a site builder or a search index.',
  Site: 'What a website needs to know besides: its own address, where its posts are, and what leads to them.',
  Webhooks: 'The requests that Verso makes to your endpoints.',
  Administration: 'For those who run a project, with keys that have the scope `admin` or one that it includes.',
  Service: 'The service itself. No key is needed.',
}

/** Extensions: `x-codeSamples` is known to documentation pages. */
interface Extensions {
  readonly 'x-scopes'?: readonly Scope[]
  readonly 'x-codeSamples': readonly { readonly lang: string; readonly label: string; readonly source: string }[]
}

interface Parts {
  readonly schemas: SchemaCollection
  readonly problems: ProblemResponses
  readonly examples: Examples
}

function toPaths(routes: readonly Route[], parts: Parts) {
  const paths: Record<string, Partial<Record<'get' | 'head' | 'post' | 'patch' | 'delete', DocumentedOperation>>> = {}
  for (const route of routes) {
    const { method, path } = partsOf(route)
    const template = pathTemplate(path)
    const operation = toOperation(route, parts)
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation, ...(method === 'GET' && { head: toHead(operation) }) }
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
    description: route.scope ? `${about}\n\nScope: \`${route.scope}\`.` : about,
    security: securityOf(route),
    ...(route.scope && { 'x-scopes': [route.scope] }),
    parameters: parametersOf(route, exchange ? pathSamples(route, exchange.path) : {}),
    ...requestBody(route, schemas, exchange?.body),
    responses: { ...problems.refer(problemsOf(route)), ...responses },
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curlLine(route, exchange) }],
  } satisfies OpenApi.OperationObject<Extensions>
}

function securityOf({ access, preview, operation }: Route): Record<string, string[]>[] {
  if (operation.protectedBy !== undefined) return [{ [operation.protectedBy]: [] }]
  if (access !== 'key') return []
  return preview ? [{ apiKey: [] }, { previewToken: [] }] : [{ apiKey: [] }]
}

/** The HEAD of a GET: the same without a body. */
function toHead({ operationId, summary: title, responses, 'x-codeSamples': samples, ...get }: DocumentedOperation): DocumentedOperation {
  const bodyless = Object.entries(responses).map(([status, response]) => {
    if ('$ref' in response) return [status, response]
    const { content: _, ...rest } = response
    return [status, rest]
  })
  return {
    ...get,
    operationId: `${operationId}Head`,
    summary: `${title}: headers only`,
    responses: Object.fromEntries(bodyless),
    'x-codeSamples': samples.map((sample) => ({ ...sample, source: sample.source.replace('curl', 'curl --head') })),
  }
}

function requestBody(route: Route, schemas: SchemaCollection, sample: unknown) {
  if (!route.operation.body) return {}
  const media = { schema: schemas.refer(route.operation.body), ...(sample !== undefined && { example: sample }) }
  const isPatch = partsOf(route).method === 'PATCH'
  const content = { 'application/json': media, ...(isPatch && { 'application/merge-patch+json': media }) }
  const { description: about = '' } = route.operation.body as OpenApi.SchemaObject
  return { requestBody: { description: about, required: route.body === 'required', content } }
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
  const { path = pathTemplate(template), body } = exchange ?? {}
  const words = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$VERSO${path}"`,
    ...(route.access === 'key' ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
  ]
  return words.join(' \\\n  ')
}
