import type { TestApp } from '../../test/harness/harness.ts'

/** A limit: a request exactly at it, and one that is one beyond it. */
export interface Edge {
  readonly name: string
  readonly at: Sent
  readonly beyond: Sent
}

interface Sent {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly body?: unknown
  /** The status, and the code of a problem. */
  readonly expected: number | `${number} ${string}`
}

const emoji = '\u{1F600}'
const mebibyte = 1024 * 1024

const create = (fields: object, expected: Sent['expected']): Sent => ({ path: '/v1/posts', body: { title: 'Edge', ...fields }, expected })

/** A field of a post that may be so long. */
function ofPost(name: string, max: number, fields: (length: number) => object): Edge {
  return { name, at: create(fields(max), 201), beyond: create(fields(max + 1), '422 validation_failed') }
}

function ofQuery(name: string, max: number, path: (length: number) => string): Edge {
  return {
    name,
    at: { method: 'GET', path: path(max), expected: 200 },
    beyond: { method: 'GET', path: path(max + 1), expected: '400 invalid_parameter' },
  }
}

const urlOf = (length: number, scheme = 'https') => `${scheme}://example.com/`.padEnd(length, 'a')
const nested = (levels: number) => `${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}`

/** The sizes of docs/reference/api.md#limits. */
export const sizeEdges: readonly Edge[] = [
  {
    name: 'request URL, 8 KiB',
    at: { method: 'GET', path: '/v1/posts/'.padEnd(8_192, 'a'), expected: '404 not_found' },
    beyond: { method: 'GET', path: '/v1/posts/'.padEnd(8_193, 'a'), expected: '414 uri_too_long' },
  },
  {
    name: 'request body, 2 MiB',
    at: { path: '/v1/posts', body: '{"title":"Edge"}'.padEnd(2 * mebibyte), expected: 201 },
    beyond: { path: '/v1/posts', body: '{"title":"Edge"}'.padEnd(2 * mebibyte + 1), expected: '413 body_too_large' },
  },
  {
    name: 'nesting, 20 levels',
    at: { path: '/v1/posts', body: `{"title":${nested(20)}}`, expected: '422 validation_failed' },
    beyond: { path: '/v1/posts', body: `{"title":${nested(21)}}`, expected: '400 malformed_json' },
  },
  ofPost('content, 1 MiB', mebibyte, (length) => ({ content: 'x'.repeat(length) })),
  ofPost('content, 1 MiB of UTF-8', mebibyte, (length) => ({ content: 'é'.repeat(mebibyte / 2 - 1) + 'x'.repeat(length - mebibyte + 2) })),
  ofPost('title, 300 characters', 300, (length) => ({ title: emoji.repeat(length) })),
  ofPost('excerpt, 1,000 characters', 1_000, (length) => ({ excerpt: emoji.repeat(length) })),
  ofPost('seo.title, 300 characters', 300, (length) => ({ seo: { title: emoji.repeat(length) } })),
  ofPost('seo.description, 1,000 characters', 1_000, (length) => ({ seo: { description: emoji.repeat(length) } })),
  ofPost('seo.canonicalUrl, 2,048 characters', 2_048, (length) => ({ seo: { canonicalUrl: urlOf(length) } })),
  ofPost('seo.ogImage, 2,048 characters', 2_048, (length) => ({ seo: { ogImage: urlOf(length, 'http') } })),
  ofPost('tags, 50', 50, (length) => ({ tags: Array.from({ length }, (_, i) => `tag ${i}`) })),
  ofPost('tag, 80 characters', 80, (length) => ({ tags: [emoji.repeat(length)] })),
  ...['ftp', 'javascript', 'data', 'file'].map(
    (scheme): Edge => ({
      name: `URLs, http and https but not ${scheme}`,
      at: create({ seo: { canonicalUrl: 'http://example.com' } }, 201),
      beyond: create({ seo: { canonicalUrl: `${scheme}://example.com` } }, '422 validation_failed'),
    }),
  ),
  {
    name: 'slug, 80 characters',
    at: create({ slug: 's'.repeat(80) }, 201),
    beyond: create({ slug: 's'.repeat(81) }, '422 validation_failed'),
  },
  {
    name: 'url of a media record, 2,048 characters',
    at: { path: '/v1/media', body: media(2_048), expected: 201 },
    beyond: { path: '/v1/media', body: media(2_049), expected: '422 validation_failed' },
  },
  ofQuery('limit of a page, 100', 100, (limit) => `/v1/posts?limit=${limit}`),
  ofQuery('search, 200 characters', 200, (length) => `/v1/posts?search=${encodeURIComponent(emoji.repeat(length))}`),
  ofQuery('values of one parameter, 50', 50, (length) => `/v1/posts?tag=${Array.from({ length }, (_, i) => `t${i}`).join()}`),
]

function media(length: number) {
  return { url: urlOf(length), filename: 'a.png', mimeType: 'image/png', size: 1, width: 1, height: 1, alt: '' }
}

/** Sends a request and says what is wrong with the answer; nothing if it is as expected. */
export async function wrongAt({ name }: Edge, sent: Sent, verso: TestApp): Promise<string | undefined> {
  const { method = 'POST', path, body: asked, expected } = sent
  const { status, body } = await verso.request(method, path, asked === undefined ? {} : { body: asked })
  const found = status < 400 ? status : `${status} ${body?.code}`
  return found === expected ? undefined : `${name}: ${found}, not ${expected}`
}

/** Fills a project with keys and webhooks, and returns what is wrong with their limits. */
export async function wrongCounts(verso: TestApp): Promise<readonly string[]> {
  const project = await verso.otherProject('counted')
  const key = await project.keyWith('admin')
  const fill = async (path: string, body: object, most: number): Promise<readonly string[]> => {
    const { body: list } = await project.get(path, { key })
    const present: number = list.pagination.total
    for (let i = present; i < most; i++) {
      const { status } = await project.post(path, body, { key })
      if (status !== 201) return [`${path}: ${status} for number ${i + 1}`]
    }
    const { status } = await project.post(path, body, { key })
    return status === 422 ? [] : [`${path}: ${status} for number ${most + 1}`]
  }
  return [
    ...(await fill('/v1/admin/keys', { name: 'one more', kind: 'public' }, 100)),
    ...(await fill('/v1/admin/webhooks', { url: 'https://example.com/hook' }, 20)),
  ]
}
