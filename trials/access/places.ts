import type { OpenAPIV3_1 as OpenApi } from 'openapi-types'
import { describeApi } from '../../src/app/routes.ts'
import { type ApiOperation, operations } from './operations.ts'
import type { Names, RefKind } from './project-fixtures.ts'

/** A place in the requests of an operation that names something. */
export interface Place {
  readonly operation: ApiOperation
  readonly label: string
  readonly kind: RefKind
  /** The request with this name in its place; what is not in the place is from `home`. */
  request(name: string, home: Names, all: Names): PlacedRequest
}

export interface PlacedRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** What a parameter names; `null` where it names nothing. A parameter that is not here fails the trial. */
const inQueries: Readonly<Record<string, RefKind | null>> = {
  ...{
    author: 'authors',
    category: 'categorySlug',
    tag: 'tagSlug',
    key: 'keys',
    cursor: 'cursor',
    since: 'since',
    preview_token: 'previewToken',
  },
  ...{ search: 'words', q: 'words' },
  ...{
    page: null,
    limit: null,
    total: null,
    sort: null,
    fields: null,
    exclude: null,
    include: null,
    dry_run: null,
    wait: null,
    types: null,
    status: null,
  },
  ...{
    trashed: null,
    permanent: null,
    published_after: null,
    published_before: null,
    updated_after: null,
    type: null,
    mime_type: null,
    against: null,
  },
}

/** The same for the fields of bodies. */
const inBodies: Readonly<Record<string, RefKind | null>> = {
  ...{
    authorId: 'authors',
    categoryId: 'categories',
    slug: 'slug',
    tags: 'tagName',
    id: 'posts',
    aliases: null,
    body: null,
    operations: null,
    op: null,
  },
  ...{
    ifMatch: null,
    basedOn: null,
    permanent: null,
    atomic: null,
    title: null,
    content: null,
    excerpt: null,
    status: null,
    publishedAt: null,
    scheduledFor: null,
  },
  ...{
    seo: null,
    role: null,
    name: null,
    email: null,
    bio: null,
    avatarUrl: null,
    description: null,
    url: null,
    filename: null,
    mimeType: null,
    size: null,
  },
  ...{
    width: null,
    height: null,
    alt: null,
    kind: null,
    scopes: null,
    expiresAt: null,
    expiresIn: null,
    graceHours: null,
    events: null,
    enabled: null,
  },
  ...{
    since: null,
    canonicalUrl: null,
    ogImage: null,
    secret: null,
    siteUrl: null,
    permalink: null,
    feedContent: null,
    feedUrl: null,
    notes: null,
    timeZone: null,
  },
}

/** Every place of every operation, and the parameters and fields that nobody has told this file about. */
export function findPlaces(): { readonly places: readonly Place[]; readonly unknown: readonly string[] } {
  const unknown: string[] = []
  const kindOf = (table: Readonly<Record<string, RefKind | null>>, name: string, operation: ApiOperation) => {
    const kind = name === 'reassign_to' ? (operation.path.includes('/authors/') ? 'authors' : 'categories') : table[name]
    if (kind === undefined) unknown.push(`${operation.method} ${operation.path}: ${name}`)
    return kind ?? undefined
  }
  const places = operations.flatMap((operation): readonly Place[] => {
    const inQuery = operation.parameters.filter(({ in: place }) => place === 'query')
    return [
      ...inPath(operation, unknown),
      ...inQuery.flatMap(({ name }) => {
        const kind = kindOf(inQueries, name, operation)
        return kind ? [queryPlace(operation, name, kind)] : []
      }),
      ...fieldsOf(operation).flatMap((name) => {
        const kind = kindOf(inBodies, name, operation)
        return kind ? [bodyPlace(operation, name, kind)] : []
      }),
      ...(operation.method === 'GET' ? [headerPlace(operation)] : []),
    ]
  })
  return { places, unknown }
}

/** The path, with everything in it from one project. */
function inPath(operation: ApiOperation, unknown: string[]): readonly Place[] {
  const kinds = pathKinds(operation)
  for (const { kind, name } of kinds) if (kind === undefined) unknown.push(`${operation.path}: ${name}`)
  return kinds.flatMap(({ kind, name }, i): readonly Place[] => {
    if (!kind) return []
    const request: Place['request'] = (ref, home, all) => ({
      ...requestOf(operation),
      path: operation.path.replaceAll(/\{(\w+)\}/g, (_, each: string) => {
        const at = kinds.findIndex((known) => known.name === each)
        if (at === i) return ref
        const from = i === 0 ? all : home
        return from[kinds[at]?.kind ?? 'posts'][0] ?? '1'
      }),
    })
    return [{ operation, label: name, kind, request: (ref, home, all) => withVersion(request(ref, home, all), operation) }]
  })
}

/** A version names a revision of the post before it, so it is the same in every project. */
const withVersion = (request: PlacedRequest, { path }: ApiOperation) =>
  path.includes('{version}') ? { ...request, path: request.path.replace(/revisions\/[^/]+/, 'revisions/1') } : request

const kindsOfPaths: readonly RefKind[] = [
  'posts',
  'authors',
  'categories',
  'tags',
  'media',
  'keys',
  'webhooks',
  'preview-tokens',
  'deliveries',
  'people',
]

function pathKinds({ path }: ApiOperation) {
  const parts = path.split('/')
  return parts.flatMap((part, i) => {
    const before = parts[i - 1]
    if (!part.startsWith('{') || before === 'revisions') return []
    return [{ name: part.slice(1, -1), kind: kindsOfPaths.find((kind) => kind === before) }]
  })
}

export function homePath(operation: ApiOperation, home: Names): string {
  const kinds = pathKinds(operation)
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const kind = kinds.find((each) => each.name === name)?.kind
    return (kind && home[kind][0]) ?? '1'
  })
}

function queryPlace(operation: ApiOperation, name: string, kind: RefKind): Place {
  const order = kind === 'cursor' && operation.path === '/v1/posts' ? '&limit=1&sort=title' : ''
  return {
    operation,
    label: `?${name}`,
    kind,
    request: (ref, home) => ({ ...requestOf(operation), path: `${homePath(operation, home)}?${name}=${encodeURIComponent(ref)}${order}` }),
  }
}

function bodyPlace(operation: ApiOperation, name: string, kind: RefKind): Place {
  return {
    operation,
    label: `body ${name}`,
    kind,
    request: (ref, home) => ({
      method: operation.method,
      path: homePath(operation, home),
      body: isBatch(operation) ? batchWith(name, ref, home) : { ...(operation.body as object), [name]: name === 'tags' ? [ref] : ref },
    }),
  }
}

const isBatch = ({ path }: ApiOperation) => path.endsWith('/batch')

function batchWith(name: string, ref: string, home: Names) {
  if (name === 'id')
    return {
      atomic: false,
      operations: ['update', 'delete', 'restore'].map((op) => ({ op, id: ref, ...(op === 'update' && { body: { excerpt: 'x' } }) })),
    }
  return { operations: [{ op: 'update', id: home.posts[0], body: { [name]: name === 'tags' ? [ref] : ref } }] }
}

function headerPlace(operation: ApiOperation): Place {
  return {
    operation,
    label: 'If-None-Match',
    kind: 'etag',
    request: (ref, home) => ({ ...requestOf(operation), path: homePath(operation, home), headers: { 'if-none-match': ref } }),
  }
}

function requestOf({ method, body }: ApiOperation): Pick<PlacedRequest, 'method' | 'body'> {
  return { method, ...(body !== undefined && { body }) }
}

const { components = {}, paths = {} } = describeApi() as unknown as OpenApi.Document

/** The names of all fields in the body of an operation. */
function fieldsOf({ method, path }: ApiOperation): readonly string[] {
  const described = (paths[path] as Readonly<Record<string, OpenApi.OperationObject>>)[method.toLowerCase()]
  const body = described?.requestBody as OpenApi.RequestBodyObject | undefined
  return [...new Set(Object.values(body?.content ?? {}).flatMap(({ schema }) => namesIn(schema)))]
}

function namesIn(schema: OpenApi.ReferenceObject | OpenApi.SchemaObject | undefined): readonly string[] {
  if (!schema) return []
  if ('$ref' in schema) return namesIn(components.schemas?.[schema.$ref.split('/').at(-1) ?? ''])
  const inner = [...Object.values(schema.properties ?? {}), ...('items' in schema ? [schema.items] : []), ...(schema.anyOf ?? [])]
  return [...Object.keys(schema.properties ?? {}), ...inner.flatMap(namesIn)]
}
