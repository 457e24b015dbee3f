import { describeApi } from '../src/app/routes.ts'
import type { TestEngine } from '../test/harness/databases.ts'
import { startVerso, type TestApp } from '../test/harness/harness.ts'
import { sendRaw } from '../test/harness/raw-http.ts'
import { headerOf, openWire, textOf, type Wire, type WireAnswer } from './access/wire.ts'
import type { SeededRandom } from './harness/seeded-random.ts'
import { trial } from './harness/trial.ts'

const keyKinds = ['secret', 'admin', 'few scopes', 'public', 'revoked', 'wrong', 'none', 'preview'] as const
type KeyKind = (typeof keyKinds)[number]

/** How a request is changed, so that all kinds of outcomes come up. */
const variants = ['plain', 'absent', 'current', 'bad value', 'unknown parameter', 'other type', 'long', 'not UTF-8', 'bad body'] as const
type Variant = (typeof variants)[number]

interface Cell {
  readonly method: string
  /** As in the OpenAPI document; some are no paths of it. */
  readonly path: string
  readonly variant: Variant
  readonly key: KeyKind
}

interface Outcome {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
}

trial({
  name: 'answers-carry-their-headers',
  promise: 'Every answer has its security headers, says rightly who may keep it, and can be read by web pages only where it may.',
  over: 'engines',
  sizes: { test: { cells: 150 }, short: { cells: 800 }, full: { cells: Number.POSITIVE_INFINITY } },
  minutes: { short: 3, full: 40 },

  async run({ size, engine, random, figure, note }) {
    const world = await makeWorld(engine)
    const cells = sample(allCells(), size.cells, random)
    const statuses = new Map<number, number>()
    let breaks = 0
    for (const cell of cells) {
      const outcome = await ask(world, cell)
      statuses.set(outcome.status, (statuses.get(outcome.status) ?? 0) + 1)
      const wrong = breaksOf(cell, outcome)
      breaks += wrong.length
      if (wrong.length > 0 && breaks < 20)
        note(`${cell.method} ${cell.path}, ${cell.variant}, ${cell.key}: ${outcome.status}: ${wrong.join('; ')}`)
    }
    const links = await longestLink(world)
    const raw = await refusalsOfParser(world)
    for (const each of raw) note(each)
    note(
      `answers: ${[...statuses]
        .sort(([a], [b]) => a - b)
        .map(([status, count]) => `${count} × ${status}`)
        .join(', ')}`,
    )
    figure('answers looked at', cells.length)
    figure('statuses seen', statuses.size, { atLeast: 8 })
    figure('headers missing or wrong', breaks, { exactly: 0 })
    figure('refusals of the parser without their headers', raw.length, { exactly: 0 })
    figure('bytes of the longest Link above 4,096', Math.max(0, links - 4_096), { exactly: 0 })
  },

  controls: {
    async 'an answer that lacks one header is seen, whichever it is'({ engine }) {
      const world = await makeWorld(engine)
      const cell: Cell = { method: 'GET', path: '/v1/posts', variant: 'plain', key: 'public' }
      const { status, headers } = await ask(world, cell)
      const names = [...Object.keys(security), 'x-request-id', 'vary', 'cache-control', ...Object.keys(open)]
      const without = (name: string) => new Map([...headers].filter(([each]) => each !== name))
      const seen = names.filter((name) => breaksOf(cell, { status, headers: without(name) }).length > 0)
      return breaksOf(cell, { status, headers }).length === 0 && seen.length === names.length ? seen.length : 0
    },

    async 'an answer to a secret key that web pages can read is seen'({ engine }) {
      const world = await makeWorld(engine)
      const cell: Cell = { method: 'GET', path: '/v1/posts', variant: 'plain', key: 'secret' }
      const { status, headers } = await ask(world, cell)
      return breaksOf(cell, { status, headers: new Map([...headers, ...Object.entries(open)]) }).length
    },
  },
})

const security = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cross-origin-resource-policy': 'same-origin' }
const open = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Link, Retry-After, X-Request-Id, RateLimit',
}

/** What is promised of this answer and not kept (docs/reference/api.md#caching and #cors). */
function breaksOf(cell: Cell, { status, headers }: Outcome): readonly string[] {
  const expected: [string, string | undefined][] = [
    ...Object.entries(security),
    ...Object.entries(open).map(([name, value]): [string, string | undefined] => [name, mayBeRead(cell, status) ? value : undefined]),
    ...cachingOf(cell, status),
  ]
  const wrong = expected.filter(([name, value]) => (headers.get(name) ?? undefined) !== value)
  return [
    ...wrong.map(([name]) => `${name} is ${headers.get(name) ?? 'missing'}`),
    ...(headers.get('x-request-id') ? [] : ['x-request-id is missing']),
    ...(status >= 500 ? ['a failure'] : []),
  ]
}

function isFeed({ method, path }: Cell): boolean {
  return path.startsWith('/v1/feeds/') && (method === 'GET' || method === 'HEAD')
}

function isOfApi({ path }: Cell): boolean {
  return path.startsWith('/v1/')
}

/** Whether web pages of other origins may read it. */
function mayBeRead(cell: Cell, status: number): boolean {
  const { path, key } = cell
  // Feeds are for everyone, whatever key is sent.
  if (isFeed(cell) && status !== 414) return true
  // Failed authentications are answered 401, and 429 where there were many.
  if (status === 401 || (status === 429 && key === 'wrong')) return true
  if (status < 400 && !isOfApi(cell)) return path === '/openapi.json'
  return key === 'public' || key === 'revoked' || key === 'none' || key === 'preview'
}

function cachingOf(cell: Cell, status: number): [string, string | undefined][] {
  const { method, path, key } = cell
  if (status >= 400) return [['cache-control', 'no-store']]
  if (!isOfApi(cell)) return []
  const isRead = method === 'GET' || method === 'HEAD'
  const vary: [string, string] = ['vary', 'Authorization, Accept-Encoding, Origin']
  if (!isRead || path === '/v1/changes') return [['cache-control', 'no-store'], vary]
  const byKey =
    key === 'public' || isFeed(cell) ? 'public, max-age=0, must-revalidate' : key === 'preview' ? 'private, no-store' : 'private, no-cache'
  return [['cache-control', byKey], vary]
}

/** The operations that take a body: others refuse one, and what they answer without it would not be seen. */
const withBody: ReadonlySet<string> = new Set(
  Object.entries(describeApi().paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => ('requestBody' in operation ? [`${method.toUpperCase()} ${path}`] : [])),
  ),
)

function allCells(): readonly Cell[] {
  const documented = Object.entries(describeApi().paths).map(([path, item]) => [path, [...Object.keys(item), 'put']] as const)
  const elsewhere = ['/nowhere', '/v1/nowhere', '/v1/posts/', '/V1/posts'].map((path) => [path, ['get', 'head', 'post']] as const)
  return [...documented, ...elsewhere].flatMap(([path, methods]) =>
    methods
      .map((method) => method.toUpperCase())
      .flatMap((method) =>
        variants.flatMap((variant) =>
          keyKinds.filter((key) => key !== 'preview' || path === '/v1/posts/{idOrSlug}').map((key) => ({ method, path, variant, key })),
        ),
      ),
  )
}

/** Some cells, in random order. */
function sample(cells: readonly Cell[], count: number, random: SeededRandom): readonly Cell[] {
  const ordered = cells.map((cell) => ({ cell, at: random.fraction() })).sort((a, b) => a.at - b.at)
  return ordered.slice(0, count).map(({ cell }) => cell)
}

interface World {
  readonly verso: TestApp
  /** Nothing but the trial looks at what comes over it. */
  readonly wire: Wire
  readonly keys: Readonly<Record<KeyKind, string | null>>
  readonly previewToken: string
  readonly ids: Readonly<Record<string, string>>
}

async function makeWorld(engine: TestEngine): Promise<World> {
  const verso = await startVerso(engine)
  const admin = await verso.keyWith('admin')
  const revoked = await verso.publicKeyWith('posts:read')
  const wire = openWire(verso.app.url)
  const send = async (method: string, path: string, body?: object, key = verso.secret) => {
    const text = textOf(await wire({ method, path, key, ...(body && { body: JSON.stringify(body) }) }))
    return text === '' ? undefined : JSON.parse(text)
  }
  const listed = await send('GET', '/v1/admin/keys', undefined, admin)
  const newest = listed.data.find(({ last4 }: { readonly last4: string }) => revoked.endsWith(last4))
  await send('DELETE', `/v1/admin/keys/${newest.id}`, undefined, admin)
  const post = await send('POST', '/v1/posts', { title: 'One', status: 'published', tags: ['News'] })
  await send('POST', '/v1/posts', { title: 'Two' })
  const preview = await send('POST', '/v1/posts/two/preview-tokens', {})
  const author = await send('POST', '/v1/admin/authors', { name: 'Ada' }, admin)
  const category = await send('POST', '/v1/admin/categories', { name: 'Releases' }, admin)
  return {
    verso,
    wire,
    keys: {
      secret: verso.secret,
      admin,
      'few scopes': await verso.keyWith('media:read'),
      public: verso.public,
      revoked,
      wrong: `${verso.secret.slice(0, -1)}_`,
      none: null,
      preview: null,
    },
    previewToken: preview.token,
    ids: { posts: post.id, authors: author.id, categories: category.id, tags: 'news', keys: newest.id },
  }
}

async function ask({ wire, keys, previewToken, ids }: World, { method, path, variant, key }: Cell): Promise<Outcome> {
  const resource = path.split('/').find((part) => part in ids) ?? ''
  const filled = path
    .replace('{version}', '1')
    .replace(/\{(?:id|idOrSlug)\}/, variant === 'absent' ? 'none' : key === 'preview' ? 'two' : (ids[resource] ?? 'none'))
    .replace(/\{\w+\}/g, 'none')
  const isWrite = method !== 'GET' && method !== 'HEAD'
  const parameters = [
    ...(key === 'preview' ? [`preview_token=${previewToken}`] : []),
    ...(isWrite && isApi(path) ? ['dry_run=true'] : []),
    ...(variant === 'bad value' && isApi(path) ? ['limit=0'] : []),
    ...(variant === 'unknown parameter' && isApi(path) ? ['colour=red'] : []),
    ...(variant === 'long' ? [`search=${'a'.repeat(8_200)}`] : []),
    ...(variant === 'not UTF-8' && isApi(path) ? ['search=%FF'] : []),
  ]
  const url = `${filled}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`
  const asked = {
    method,
    path: url,
    key: keys[key],
    headers: { ...(variant === 'other type' && { accept: 'image/png' }), origin: 'https://site.example' },
    ...(isWrite && variant === 'bad body'
      ? { body: '{"a":' }
      : withBody.has(`${method} ${path}`) && { body: JSON.stringify({ title: 'Three' }) }),
  }
  const outcomeOf = ({ status, headers: pairs }: WireAnswer): Outcome => {
    const headers = new Map<string, string>()
    for (const [name, value] of pairs) headers.set(name, [headers.get(name) ?? [], value].flat().join(', '))
    return { status, headers }
  }
  if (variant !== 'current') return outcomeOf(await wire(asked))
  const etag = headerOf(await wire(asked), 'etag')
  return outcomeOf(await wire({ ...asked, headers: { ...asked.headers, ...(etag !== undefined && { 'if-none-match': etag }) } }))
}

function isApi(path: string): boolean {
  return path.startsWith('/v1/')
}

/** The bytes of the longest header `Link` of searches as long as they may be. */
async function longestLink({ verso, wire }: World): Promise<number> {
  const lengths: number[] = []
  for (const query of [
    `search=${encodeURIComponent('日'.repeat(200))}`,
    `q=${encodeURIComponent('é'.repeat(200))}`,
    `tag=${'news,'.repeat(1_500)}news`,
  ]) {
    const answer = await wire({ method: 'GET', path: `/v1/posts?limit=1&page=2&${query}`, key: verso.secret })
    lengths.push(headerOf(answer, 'link')?.length ?? 0)
  }
  return Math.max(...lengths)
}

/** What is wrong with the refusals that are made before there is a request. */
async function refusalsOfParser({ verso }: World): Promise<readonly string[]> {
  const requests = [
    'hello\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n',
    `GET /${'a'.repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  ]
  const wrong: string[] = []
  for (const bytes of requests) {
    const { status, headers } = await sendRaw(verso.app.url, bytes)
    for (const [name, value] of Object.entries({ ...security, ...open, 'cache-control': 'no-store' }))
      if (headers.get(name) !== value) wrong.push(`${status} of the parser: ${name} is ${headers.get(name) ?? 'missing'}`)
  }
  return wrong
}
