import fc from 'fast-check'
import { authors, categories, lists, media, posts, singles } from './generated-paths.ts'
import { days, fields, instants, integers, known, mimeTypes, mostly, statuses, words } from './generated-values.ts'

/** A request before it is sent: placeholders in path, headers and body are still to be filled in. */
export interface Planned {
  readonly method: string
  readonly path: string
  readonly key: 'secret' | 'admin' | 'public' | 'none' | 'wrong'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** How much later than the one before. */
  readonly afterMs: number
  /** Sent again at once with the ETag of the response. */
  readonly again: boolean
}

const slug = fc.oneof(
  { weight: 2, arbitrary: fc.nat(60).map((n) => `slug-${n}`) },
  known('slug'),
  fc.constantFrom('title-2', 'Bad Slug', 'a--b', 'x'.repeat(80)),
)
/** A status with the date that it may have. */
const state = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom<Record<string, unknown>>({}, { status: 'draft' }, { status: 'published' }, { status: 'archived' }),
  },
  { weight: 3, arbitrary: days(1, 300).map((scheduledFor) => ({ status: 'scheduled', scheduledFor })) },
  { weight: 2, arbitrary: days(-300, -1).map((publishedAt) => ({ status: 'published', publishedAt })) },
  fc.record({ status: statuses, publishedAt: fc.option(instants), scheduledFor: fc.option(instants) }, { requiredKeys: [] }),
)
const post = {
  content: words,
  excerpt: fc.option(words),
  authorId: fc.option(mostly(known('auth'), known('cat'))),
  categoryId: fc.option(known('cat')),
  tags: fc.array(words, { maxLength: 4 }),
  seo: fields({ title: fc.option(words), description: words, canonicalUrl: fc.constantFrom(null, 'https://example.com/ä?b') }),
}
const both = (one: fc.Arbitrary<object>, other: fc.Arbitrary<object>) => fc.tuple(one, other).map(([a, b]) => ({ ...a, ...b }))
const newPost = both(fields({ ...post, title: words, slug: fc.nat(200).map((n) => `slug-${n}`) }, ['title']), state)
const postChange = both(fields({ ...post, title: words, slug }), fc.oneof(fc.constant({}), state))
const pendingChange = fields({ ...post, title: words, slug, basedOn: integers, scheduledFor: fc.constant(null) })
const person = {
  name: words,
  email: fc.constantFrom(null, 'ada@example.com'),
  bio: fc.option(words),
  avatarUrl: fc.constantFrom(null, 'https://example.com/a'),
}
const group = { name: words, slug, description: fc.option(words) }
const picture = {
  url: mostly(fc.constantFrom('https://example.com/a.png', 'http://example.com/ü'), fc.constant('ftp://x')),
  filename: words,
  mimeType: mimeTypes,
  size: integers,
  width: integers,
  height: integers,
  alt: words,
}
const apiKey = {
  name: words,
  kind: fc.constantFrom('secret', 'public'),
  scopes: fc.constantFrom(['posts:read'], ['admin', 'posts:write']),
  expiresAt: instants,
}

const operation = fc.oneof(
  newPost.map((body) => ({ op: 'create', body })),
  fc.tuple(known('post', 'slug'), postChange).map(([id, body]) => ({ op: 'update', id, body })),
  fc.tuple(known('post', 'slug'), fc.boolean()).map(([id, permanent]) => ({ op: 'delete', id, permanent })),
  known('post').map((id) => ({ op: 'restore', id })),
)
const batch = fc.record(
  { atomic: fc.boolean(), operations: fc.array(operation, { minLength: 1, maxLength: 4 }) },
  { requiredKeys: ['operations'] },
)

/** Now and then a dry run. */
const tried = (paths: fc.Arbitrary<string>) =>
  mostly(
    paths,
    paths.map((path) => `${path}${path.includes('?') ? '&' : '?'}dry_run=true`),
  )
const ending = (paths: fc.Arbitrary<string>, ...endings: readonly string[]) =>
  fc.tuple(paths, fc.constantFrom(...endings)).map((parts) => parts.join(''))

const conditions: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  mostly(known('etag'), fc.constantFrom('*', 'W/"2.x"', 'x')).map((tag) => ({ 'if-match': tag })),
  fc.nat(30).map((n) => ({ 'idempotency-key': `key ${n}` })),
)
const keys: fc.Arbitrary<Planned['key']> = mostly<Planned['key']>(
  fc.constantFrom('admin', 'admin', 'admin', 'secret', 'secret', 'public'),
  fc.constantFrom('none', 'wrong'),
)
const brokenBodies = fc.constantFrom('', '{', '[]', 'null', '{"title":"a","title":"b"}', '{"__proto__":{}}')

function asked(method: string, paths: fc.Arbitrary<string>, body?: fc.Arbitrary<unknown>): fc.Arbitrary<Planned> {
  const reads = method === 'GET' || method === 'HEAD'
  return fc.record({
    method: fc.constant(method),
    path: reads ? paths : tried(paths),
    key: reads ? keys : mostly<Planned['key']>(fc.constant('admin'), keys),
    headers: reads ? fc.constant({}) : conditions,
    afterMs: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(1_000), fc.nat(2 * 86_400_000)),
    again: reads ? fc.nat(2).map((n) => n === 0) : fc.constant(false),
    ...(body && {
      body: mostly(
        body.map((value) => JSON.stringify(value)),
        brokenBodies,
      ),
    }),
  })
}

/** Every kind of request, valid and not. */
export const requests: fc.Arbitrary<Planned> = fc.oneof(
  { weight: 30, arbitrary: asked('GET', lists) },
  { weight: 8, arbitrary: asked('GET', singles) },
  { weight: 1, arbitrary: asked('HEAD', fc.oneof(lists, singles)) },
  { weight: 20, arbitrary: asked('POST', fc.constant('/v1/posts'), newPost) },
  { weight: 16, arbitrary: asked('PATCH', posts, postChange) },
  { weight: 4, arbitrary: asked('DELETE', ending(posts, '', '', '', '?permanent=true', '?permanent=maybe')) },
  { weight: 3, arbitrary: asked('POST', ending(posts, '/restore'), fields({ slug })) },
  { weight: 3, arbitrary: asked('POST', ending(posts, '/revisions/1/restore', '/revisions/2/restore')) },
  { weight: 8, arbitrary: asked('PATCH', ending(posts, '/pending'), pendingChange) },
  { weight: 3, arbitrary: asked('POST', ending(posts, '/pending/apply'), fields({ scheduledFor: instants })) },
  { weight: 1, arbitrary: asked('DELETE', ending(posts, '/pending')) },
  { weight: 3, arbitrary: asked('POST', fc.constant('/v1/posts/batch'), batch) },
  { weight: 1, arbitrary: asked('POST', ending(posts, '/preview-tokens'), fields({ expiresIn: integers })) },
  { weight: 4, arbitrary: asked('POST', fc.constant('/v1/admin/authors'), fields(person, ['name'])) },
  { weight: 2, arbitrary: asked('PATCH', authors, fields(person)) },
  { weight: 1, arbitrary: asked('DELETE', ending(authors, '', '?reassign_to=<<auth:3>>')) },
  { weight: 4, arbitrary: asked('POST', fc.constant('/v1/admin/categories'), fields(group, ['name'])) },
  { weight: 2, arbitrary: asked('PATCH', categories, fields(group)) },
  { weight: 1, arbitrary: asked('DELETE', ending(categories, '', '?reassign_to=<<cat:3>>')) },
  { weight: 4, arbitrary: asked('POST', fc.constant('/v1/media'), fields(picture, Object.keys(picture))) },
  { weight: 1, arbitrary: asked('PATCH', media, fields({ alt: words, filename: words })) },
  { weight: 1, arbitrary: asked('DELETE', ending(media, '', '?permanent=true')) },
  { weight: 1, arbitrary: asked('POST', fc.constant('/v1/admin/keys'), fields(apiKey, ['name', 'kind'])) },
  { weight: 1, arbitrary: asked('PUT', singles, postChange) },
)
