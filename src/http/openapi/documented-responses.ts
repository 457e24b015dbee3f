import type { OpenAPIV3_1 as OpenApi } from 'openapi-types'
import type { TSchema } from 'typebox'
import { partsOf, type Route } from '../route-config.ts'
import type { Schema, SchemaCollection } from './component-schemas.ts'
import type { Operation } from './operation.ts'

const maxHeaderLength = 8_192
const wholeSeconds = { type: 'integer', format: 'int32', minimum: 0, maximum: 86_400 } as const

/** The headers of responses. Required ones come with every response that names them. */
export const responseHeaders = {
  Accept: header('The media types that the body may have.'),
  'Access-Control-Allow-Origin': header(
    '`*` where web pages of every origin may read the response: with a public key or a preview token, with a key that is refused, and for problems that are found before the key is looked up.',
    {
      required: false,
    },
  ),
  'Cache-Control': header('What caches may do with the response.'),
  'Content-Encoding': header('`br` or `gzip`, if `Accept-Encoding` allows it and the response is long enough.', { required: false }),
  'Cross-Origin-Resource-Policy': header('`same-origin`: other sites cannot embed the response as a picture or script.'),
  ETag: header(
    'Changes when the response does, and differs between content encodings. For `If-None-Match` and, on a resource with a `version`, `If-Match`.',
  ),
  'ETag-Of-Written': header('The ETag of the resource after the write, for `If-Match`. Absent with `dry_run`.', { required: false }),
  'Idempotency-Replayed': header('`true` if the request was carried out before and this is the response to it.', { required: false }),
  Link: header(
    'Links to the first, previous, next and last page (RFC 8288). Every link repeats the query; of long ones only those that fit into 3,000 bytes are there, `next` before the others.',
    {
      required: false,
    },
  ),
  Location: header('The path of the resource.'),
  'Preference-Applied': header('`server-timing` if the preference was applied (RFC 7240).', { required: false }),
  RateLimit: header(
    'How many requests of this kind the key has left, and for how many seconds: `"reads";r=42;t=17` (draft-ietf-httpapi-ratelimit-headers). Absent where rates are not limited.',
    { required: false },
  ),
  'RateLimit-Policy': header('The limit: `"reads";q=600;w=60` is 600 requests in 60 seconds.', { required: false }),
  'Referrer-Policy': header('`no-referrer`.'),
  'Retry-After': header('Seconds to wait.', { type: 'integer' }),
  'Server-Timing': header('How long each stage of the request took, in milliseconds (W3C Server Timing).', { required: false }),
  Vary: header('The request headers that the response depends on.'),
  'WWW-Authenticate': header('How to authenticate (RFC 6750).'),
  'X-Content-Type-Options': header('`nosniff`.'),
  'X-Request-Id': header('The id of the request: your own, if you sent one.'),
} satisfies Record<string, OpenApi.HeaderObject>

export type ResponseHeader = keyof typeof responseHeaders

export function headersNamed(...names: readonly ResponseHeader[]): Record<string, OpenApi.ReferenceObject> {
  return Object.fromEntries(names.map((name) => [name === 'ETag-Of-Written' ? 'ETag' : name, { $ref: `#/components/headers/${name}` }]))
}

/** Of every response. */
export const ofEvery = ['X-Content-Type-Options', 'Referrer-Policy', 'Cross-Origin-Resource-Policy', 'X-Request-Id'] as const

/** Of every response to a key, where there are limits. */
export const ofLimits = ['RateLimit', 'RateLimit-Policy'] as const

function header(description: string, { required = true, type = 'string' }: { required?: boolean; type?: 'string' | 'integer' } = {}) {
  return { description, required, schema: type === 'integer' ? wholeSeconds : { type, maxLength: maxHeaderLength } }
}

/** Bodies that a running service really gave, by status. */
type ResponseSamples = Readonly<Record<number, unknown>>

/** The successful responses of a route, by status. */
export function responsesOf(
  route: Route,
  refer: SchemaCollection['refer'],
  samples: ResponseSamples,
): Record<string, OpenApi.ResponseObject> {
  const responses = Object.entries(withDryRun(route.operation)).map(([name, schema]): [string, OpenApi.ResponseObject] => {
    const status = Number(name)
    const content = schema && contentOf(schema, refer(schema), samples[status] ?? sampleLike(schema, samples))
    return [
      name,
      {
        description: descriptionOf(route, status),
        headers: headersNamed(...headersOf(route, status, schema)),
        ...(content && { content: { ...content, ...(route.operation.isHtmlToo && { 'text/html': { schema: { type: 'string' } } }) } }),
      },
    ]
  })
  return Object.fromEntries(responses)
}

/** A dry run of what creates is answered 200. */
function withDryRun({ responses }: Operation): Operation['responses'] {
  return responses[201] ? { 200: responses[201], ...responses } : responses
}

/** The one sample that there is, reduced to the fields of this schema. */
function sampleLike(schema: TSchema, samples: ResponseSamples): unknown {
  const [sample] = Object.values(samples)
  if (typeof sample !== 'object' || sample === null) return undefined
  const { properties = {} }: OpenApi.SchemaObject = schema
  return Object.fromEntries(Object.entries(sample).filter(([name]) => name in properties))
}

function contentOf({ contentMediaType = 'application/json' }: OpenApi.SchemaObject, schema: Schema, sample: unknown) {
  return { [contentMediaType]: { schema, ...(sample !== undefined && { example: sample }) } }
}

function headersOf(route: Route, status: number, schema: OpenApi.SchemaObject | null): readonly ResponseHeader[] {
  const { access, operation } = route
  const isGet = partsOf(route).method === 'GET'
  const writes = !isGet && access === 'key'
  const tagged = isGet && 304 in operation.responses && (status === 200 || status === 304)
  const versioned = schema?.properties !== undefined && 'version' in schema.properties
  return [
    ...(isGet && status === 200 ? (['Content-Encoding'] as const) : []),
    ...(tagged ? (['ETag'] as const) : []),
    ...(writes && versioned ? ([status === 201 ? 'ETag' : 'ETag-Of-Written'] as const) : []),
    ...(writes ? (['Idempotency-Replayed'] as const) : []),
    ...(operation.list && status === 200 ? (['Link'] as const) : []),
    ...(status === 201 || status === 301 ? (['Location'] as const) : []),
    ...(status === 503 ? (['Retry-After'] as const) : []),
    'Cache-Control',
    ...(access === 'key' ? (['Vary', 'Access-Control-Allow-Origin', 'Preference-Applied', ...ofLimits, 'Server-Timing'] as const) : []),
    ...(access === 'site' ? (['Vary', 'Access-Control-Allow-Origin'] as const) : []),
    ...ofEvery,
  ]
}

function descriptionOf(route: Route, status: number): string {
  switch (status) {
    case 201:
      return 'Created. The body is the new resource.'
    case 204:
      return 'Done. There is no body.'
    case 207:
      return 'Some operations were carried out. `results` has the outcome of each.'
    case 301:
      return 'The slug has changed. `Location` has the new path.'
    case 304:
      return 'The response that you have is still current.'
    case 503:
      return 'Not ready.'
    default:
      if (route.operation.list) return 'A page of the list.'
      if (route.access !== 'key') return 'OK.'
      if (partsOf(route).method === 'GET') return 'The resource.'
      if (207 in route.operation.responses) return 'Every operation was carried out. `results` has the outcome of each.'
      return route.operation.responses[201]
        ? 'The result of a dry run (`dry_run=true`).'
        : 'Done. The body is the resource after the write.'
  }
}
