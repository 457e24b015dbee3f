import fc from 'fast-check'
import { days, encoded, fields, instants, integers, known, mostly, numbers, words } from './generated-values.ts'

/** A request before it is sent; in path, headers and body what is known is still to be filled in. */
export interface Planned {
  readonly method: string
  readonly path: string
  readonly key: 'secret' | 'admin' | 'public' | 'none' | 'wrong'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** How much later than the one before. */
  readonly afterMs: number
  /** Asked again at once with the tag of the answer. */
  readonly again: boolean
}

const statuses = fc.constantFrom('draft', 'scheduled', 'published', 'archived')
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
const person = {
  name: words,
  email: fc.constantFrom(null, 'ada@example.com'),
  bio: fc.option(words),
  avatarUrl: fc.constantFrom(null, 'https://example.com/a'),
}
const group = { name: words, slug, description: fc.option(words) }
const mimeTypes = fc.constantFrom('image/png', 'image/svg+xml', 'image/webp', 'image/bmp')
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

type Parameter = readonly [name: string, values: fc.Arbitrary<string>]
const query = (path: string, ...parameters: readonly Parameter[]) =>
  fc
    .array(fc.oneof(...parameters.map(([name, values]) => values.map((value) => `${name}=${encoded(value)}`))), { maxLength: 3 })
    .map((pairs) => (pairs.length > 0 ? `${path}?${pairs.join('&')}` : path))
const sort = (...names: readonly string[]) =>
  many(fc.tuple(fc.constantFrom('', '-'), fc.constantFrom(...names)).map(([sign, name]) => sign + name))
const many = (values: fc.Arbitrary<string>) => fc.array(values, { minLength: 1, maxLength: 3 }).map((all) => all.join(','))
const paging: readonly Parameter[] = [
  ['page', numbers],
  ['limit', numbers],
  ['limit', fc.constantFrom('1', '2', '3', '7')],
  ['total', fc.constantFrom('false', 'true', 'no')],
]
const postFilters: readonly Parameter[] = [
  ['sort', sort('published_at', 'created_at', 'updated_at', 'scheduled_for', 'title', 'slug', 'status', 'publishedAt')],
  ['status', many(statuses)],
  ['category', many(known('slug'))],
  ['tag', many(fc.constantFrom('news', 'hello-world', 'strasse', 'about-us', 'zebra', 'a', 'none'))],
  ['author', many(known('auth'))],
  ['search', words],
  ['published_after', instants],
  ['published_before', instants],
  ['updated_after', instants],
  ['trashed', fc.constant('true')],
  ['fields', fc.constantFrom('id,title', 'tags', 'content,seo', 'nothing')],
  ['exclude', fc.constantFrom('content', 'id')],
  ['tags', words],
]
const byName: Parameter = ['sort', sort('name', 'created_at', 'slug', 'post_count')]
const lists = fc.oneof(
  { weight: 8, arbitrary: query('/v1/posts', ...postFilters, ...postFilters, ...paging) },
  { weight: 3, arbitrary: known('next').map((link) => link) },
  ...['/v1/tags', '/v1/categories', '/v1/authors', '/v1/admin/authors', '/v1/admin/categories'].map((path) =>
    query(path, byName, ...paging),
  ),
  query('/v1/media', ['sort', sort('name', 'created_at')], ['search', words], ['mime_type', many(mimeTypes)], ...paging),
  query('/v1/admin/keys', ['sort', sort('name', 'created_at')], ...paging),
)
const at = (path: string, ...kinds: readonly string[]) => known(...kinds).map((name) => path + name)
const posts = at('/v1/posts/', 'post', 'post', 'slug')
const authors = at('/v1/admin/authors/', 'auth')
const categories = at('/v1/admin/categories/', 'cat', 'slug')
const media = at('/v1/media/', 'med')
const singles = fc.oneof(
  posts,
  words.map((name) => `/v1/posts/${encoded(name)}`),
  at('/v1/authors/', 'auth'),
  media,
  at('/v1/categories/', 'cat'),
  at('/v1/tags/', 'tag', 'slug'),
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
    path: paths,
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

/** Everything that the service can be asked, sensible and not. */
export const requests: fc.Arbitrary<Planned> = fc.oneof(
  { weight: 30, arbitrary: asked('GET', lists) },
  { weight: 8, arbitrary: asked('GET', singles) },
  { weight: 1, arbitrary: asked('HEAD', fc.oneof(lists, singles)) },
  { weight: 20, arbitrary: asked('POST', fc.constant('/v1/posts'), newPost) },
  { weight: 16, arbitrary: asked('PATCH', posts, postChange) },
  { weight: 4, arbitrary: asked('DELETE', ending(posts, '', '', '', '?permanent=true', '?permanent=maybe')) },
  { weight: 3, arbitrary: asked('POST', ending(posts, '/restore'), fields({ slug })) },
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
