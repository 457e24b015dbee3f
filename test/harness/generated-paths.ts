import fc from 'fast-check'
import { encoded, instants, known, mimeTypes, numbers, statuses, words } from './generated-values.ts'

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
  ['q', words],
  ['published_after', instants],
  ['published_before', instants],
  ['updated_after', instants],
  ['trashed', fc.constant('true')],
  ['fields', fc.constantFrom('id,title', 'tags', 'content,seo', 'nothing')],
  ['exclude', fc.constantFrom('content', 'id')],
  ['tags', words],
]
const byName: Parameter = ['sort', sort('name', 'created_at', 'slug', 'post_count')]
/** Every list, in every sort and with every filter, valid or not. */
export const lists = fc.oneof(
  { weight: 8, arbitrary: query('/v1/posts', ...postFilters, ...postFilters, ...paging) },
  { weight: 3, arbitrary: known('next') },
  ...['/v1/tags', '/v1/categories', '/v1/authors', '/v1/admin/authors', '/v1/admin/categories'].map((path) =>
    query(path, byName, ...paging),
  ),
  query('/v1/media', ['sort', sort('name', 'created_at')], ['search', words], ['mime_type', many(mimeTypes)], ...paging),
  query('/v1/admin/keys', ['sort', sort('name', 'created_at')], ...paging),
  {
    weight: 3,
    arbitrary: query(
      '/v1/changes',
      ['since', known('since')],
      ['since', known('since')],
      ['limit', numbers],
      ['wait', fc.constantFrom('0', '-1')],
    ),
  },
)
const at = (path: string, ...kinds: readonly string[]) => known(...kinds).map((name) => path + name)
export const posts = at('/v1/posts/', 'post', 'post', 'slug')
export const authors = at('/v1/admin/authors/', 'auth')
export const categories = at('/v1/admin/categories/', 'cat', 'slug')
export const media = at('/v1/media/', 'med')
const ofPost = fc.constantFrom(
  '/revisions',
  '/revisions?limit=2',
  '/revisions/1',
  '/revisions/2',
  '/revisions/2/diff',
  '/visibility',
  '/preview-tokens',
  '/pending',
)
/** Every single resource, and what can be read about it. */
export const singles = fc.oneof(
  posts,
  fc.tuple(posts, ofPost).map((parts) => parts.join('')),
  words.map((name) => `/v1/posts/${encoded(name)}`),
  at('/v1/authors/', 'auth'),
  media,
  at('/v1/categories/', 'cat'),
  at('/v1/tags/', 'tag', 'slug'),
)
