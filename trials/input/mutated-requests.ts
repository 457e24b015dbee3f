import type { OpenAPIV3_1 as OpenApi } from 'openapi-types'
import { describeApi } from '../../src/app/routes.ts'
import type { Planned } from '../../test/harness/generated-requests.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'

type Node = Readonly<Record<string, unknown>>

const document = describeApi()
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
)
/** A long poll would take as long as it is asked to, and a ping would leave this machine. */
const reachable = operations.filter(({ path }) => path.startsWith('/v1/') && !/ping|test/.test(path))

const hostileTexts = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1e18',
    '9223372036854775808',
    'null',
    'true',
    '[]',
    '{}',
    "'",
    '"',
    "' or 1=1 --",
    '%',
    '_',
    '\\',
    '$1',
    '?',
    ':a',
  ],
  ...['\ud800', 'a\u0000b', '\uffff', '\u{10ffff}', 'é', 'e\u0301', 'İ', 'ß', '👩‍👩‍👧', '\u202e', '../../etc', '__proto__', 'constructor'],
  ...[
    'x'.repeat(81),
    'x'.repeat(301),
    'y'.repeat(2_049),
    '-'.repeat(5_000),
    'a,'.repeat(60),
    '2026-02-30T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
  ],
  ...['0000-01-01T00:00:00Z', '2026-06-01T12:00:00+25:00', 'draft', 'published', '-title', 'title,-slug', 'W10', '*', 'W/"1.x"'],
]
const hostileValues: readonly unknown[] = [
  ...hostileTexts,
  ...[
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 31,
    2 ** 53,
    1e300,
    -0,
    [],
    {},
    [[]],
    [null],
    { a: { b: {} } },
    Array(60).fill('x'),
    Array(1_100).fill(1),
  ],
]
const kinds: Readonly<Record<string, string>> = { idOrSlug: 'post', id: 'post', key: 'key', version: '1' }
/** What a path with this part names, whatever its parameters are called. */
const kindsByPath = [
  ['authors', 'auth'],
  ['categories', 'cat'],
  ['media', 'med'],
  ['tags', 'tag'],
  ['keys', 'key'],
  ['webhooks', 'whk'],
] as const

/** A request that fits the OpenAPI document, with none to three things wrong with it. */
export function mutatedRequest(random: SeededRandom): Planned {
  const { method, path, operation } = random.pick(reachable)
  const isRead = method === 'GET'
  const wrong = random.int(4)
  const parameters = (operation.parameters ?? []).map((each) => resolved(each) as unknown as OpenApi.ParameterObject)
  const given = parameters.filter(({ in: place, name }) => place === 'query' && name !== 'wait' && random.int(4) === 0)
  const query = given.map(({ name, schema }) => [name, textOf(sampleOf(schema as Node, random, 0))] as const)
  const body = 'requestBody' in operation && operation.requestBody ? bodyOf(operation.requestBody as unknown as Node, random) : undefined
  const request = {
    method,
    path: filled(path, random),
    query,
    headers: {} as Readonly<Record<string, string>>,
    body: body === undefined ? undefined : JSON.stringify(body),
  }
  const mutated = Array.from({ length: wrong }).reduce<typeof request>((each) => mutate(each, random), request)
  const search = mutated.query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&')
  const whole = search === '' ? mutated.path : `${mutated.path}?${search}`
  // A preflight gets the same answer for every URL that is one.
  const isUrl = !whole.includes('%ED') && whole.length < 8_000
  return {
    method: mutated.method === 'OPTIONS' && !isUrl ? 'GET' : mutated.method,
    path: whole,
    key: random.int(12) === 0 ? random.pick(['none', 'wrong', 'public'] as const) : random.pick(['admin', 'admin', 'secret'] as const),
    headers: mutated.headers,
    afterMs: random.int(8) === 0 ? random.int(86_400_000) : 0,
    again: isRead && random.int(10) === 0,
    ...(mutated.body !== undefined && /^(?:POST|PATCH|DELETE|PUT|OPTIONS)$/.test(mutated.method) && isUrl && { body: mutated.body }),
  }
}

/** Bodies that are accepted as they are. */
const accepted: Readonly<Record<string, Node>> = {
  '/v1/posts': {
    title: 'Title',
    content: 'Content',
    excerpt: 'Excerpt',
    tags: ['Tag'],
    seo: { title: 'Title', description: 'Description' },
  },
  '/v1/media': { url: 'https://cdn.example.com/a.png', filename: 'a.png', mimeType: 'image/png', size: 1, width: 1, height: 1, alt: 'Alt' },
  '/v1/admin/authors': { name: 'Author', email: 'author@example.com' },
  '/v1/admin/categories': { name: 'Category' },
}

/** A request for each text in a body that is accepted, with something in that text that no engine can store as it is. */
export function unstorableRequests(): readonly Planned[] {
  return Object.entries(accepted).flatMap(([path, body]) => {
    const text = JSON.stringify(body)
    const places = [...text.matchAll(/(?<=[:[])"/g)].map(({ index }) => index + 1)
    const bodies = places.flatMap((at) => ['\\u0000', '\\ud800'].map((wrong) => `${text.slice(0, at)}${wrong}${text.slice(at)}`))
    return bodies.map((each) => ({ method: 'POST', path, key: 'admin', headers: {}, afterMs: 0, again: false, body: each }) as const)
  })
}

interface Parts {
  readonly method: string
  readonly path: string
  readonly query: readonly (readonly [string, string])[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

function mutate<P extends Parts>(parts: P, random: SeededRandom): P {
  const text = () => random.pick(hostileTexts)
  switch (random.int(8)) {
    case 0:
      return { ...parts, path: parts.path.replace(/[^/]+$/, encoded(text()) || 'x') }
    case 1:
      return {
        ...parts,
        query: [...parts.query, [random.pick(['page', 'limit', 'sort', 'cursor', 'q', 'search', 'tag', 'x', text()]), text()]],
      }
    case 2:
      return { ...parts, query: parts.query.map(([name]) => [name, text()]) }
    case 3:
      return { ...parts, headers: { ...parts.headers, [random.pick(headerNames)]: text().replace(/[^ -~]/g, '?') } }
    case 4:
      return { ...parts, method: random.pick(['POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'GET', 'OPTIONS']) }
    case 5:
      return { ...parts, body: parts.body && broken(parts.body, random) }
    default:
      return { ...parts, body: parts.body && changed(parts.body, random) }
  }
}

const headerNames = [
  'accept',
  'content-type',
  'content-encoding',
  'if-match',
  'if-none-match',
  'idempotency-key',
  'prefer',
  'accept-encoding',
  'x-request-id',
  'traceparent',
  'origin',
  'range',
  'cookie',
]

/** Cuts a body, repeats a part of it, or puts something into it. */
function broken(body: string, random: SeededRandom): string {
  const at = random.int(body.length + 1)
  const piece = random.pick([
    '',
    '"',
    '{',
    '}',
    ',',
    ':',
    '\\',
    '\\u0000',
    '\\ud800',
    'null',
    '1e999',
    body.slice(0, at),
    '\u0001',
    '[[[[[[[[[[[[[[[[[[[[[',
  ])
  return `${body.slice(0, at)}${piece}${body.slice(at + random.int(3))}`
}

/** Puts another value into a place of a body. */
function changed(body: string, random: SeededRandom): string {
  let left = random.int(12)
  try {
    return JSON.stringify(JSON.parse(body, (_, value) => (left-- === 0 ? random.pick(hostileValues) : value)))
  } catch {
    return broken(body, random)
  }
}

function filled(path: string, random: SeededRandom): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const [, kind] = kindsByPath.find(([part]) => path.includes(part)) ?? [name, kinds[name] ?? 'post']
    return /^\d+$/.test(kind) ? String(1 + random.int(3)) : `<<${random.int(6) === 0 ? 'slug' : kind}:${random.int(40)}>>`
  })
}

function bodyOf(requestBody: Node, random: SeededRandom): unknown {
  const content = resolved(requestBody).content as Readonly<Record<string, Node>>
  return sampleOf(Object.values(content)[0]?.schema as Node, random, 0)
}

function sampleOf(schema: Node | undefined, random: SeededRandom, depth: number): unknown {
  if (schema === undefined || depth > 5) return null
  const node = resolved(schema)
  const choices = (node.enum ?? node.oneOf ?? node.anyOf ?? node.examples) as readonly unknown[] | undefined
  if (choices && random.int(8) > 0) {
    const choice = random.pick(choices)
    return node.oneOf || node.anyOf ? sampleOf(choice as Node, random, depth + 1) : choice
  }
  const type = random.pick([node.type ?? 'string'].flat())
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries((node.properties ?? {}) as Readonly<Record<string, Node>>)
          .filter(([name]) => ((node.required ?? []) as readonly string[]).includes(name) || random.int(3) === 0)
          .map(([name, inner]) => [name, sampleOf(inner, random, depth + 1)]),
      )
    case 'array':
      return Array.from({ length: 1 + random.int(3) }, () => sampleOf(node.items as Node, random, depth + 1))
    case 'integer':
    case 'number':
      return random.int(Number(node.maximum ?? 1_000))
    case 'boolean':
      return random.int(2) === 0
    case 'null':
      return null
    default:
      return random.int(10) === 0
        ? random.pick(hostileTexts)
        : random.pick(['Hello, world', 'hello', 'News', `t${random.int(50)}`, '<<slug:3>>', '<<auth:2>>'])
  }
}

function resolved(node: object): Node {
  const reference = '$ref' in node ? String(node.$ref) : undefined
  if (reference === undefined) return node as Node
  const found = reference
    .split('/')
    .slice(1)
    .reduce<unknown>((inner, name) => (inner as Node)[name], document)
  return found as Node
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Percent-encoded; placeholders stay, and what is no text becomes bytes that are not UTF-8. */
function encoded(text: string): string {
  if (text.startsWith('<<')) return text
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80'
}
