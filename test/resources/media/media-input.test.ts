import { describe, expect, it } from 'vitest'
import { type Answer, engines, startVerso, type TestApp } from '../../harness/harness.ts'
import { photo } from './photo.ts'

const fields = Object.keys(photo)
const without = (field: string) => Object.fromEntries(Object.entries(photo).filter(([name]) => name !== field))
const nul = 'a\0b'
const lone = 'a\ud800b'

type Row = readonly [what: string, body: unknown, status: number, code: string, ...faults: readonly string[]]

/** What is wrong with a body that is JSON: each fault as `pointer code`. */
const badBodies: readonly Row[] = [
  ['nothing', {}, 422, 'validation_failed', ...fields.map((field) => `/${field} required`)],
  ...fields.map((field): Row => [`no ${field}`, without(field), 422, 'validation_failed', `/${field} required`]),
  ...['url', 'filename', 'alt'].flatMap((field): readonly Row[] => [
    [`${field} a number`, { ...photo, [field]: 7 }, 422, 'validation_failed', `/${field} wrong_type`],
    [`${field} null`, { ...photo, [field]: null }, 422, 'validation_failed', `/${field} wrong_type`],
    [`${field} an array`, { ...photo, [field]: ['a'] }, 422, 'validation_failed', `/${field} wrong_type`],
    [
      `${field} with NUL`,
      { ...photo, [field]: field === 'url' ? `${photo.url}${nul}` : nul },
      422,
      'validation_failed',
      `/${field} invalid_text`,
    ],
    [
      `${field} with a lone surrogate`,
      { ...photo, [field]: field === 'url' ? `${photo.url}${lone}` : lone },
      422,
      'validation_failed',
      `/${field} invalid_text`,
    ],
  ]),
  ...['size', 'width', 'height'].flatMap((field): readonly Row[] => [
    [`${field} as text`, { ...photo, [field]: '7' }, 422, 'validation_failed', `/${field} wrong_type`],
    [`${field} null`, { ...photo, [field]: null }, 422, 'validation_failed', `/${field} wrong_type`],
    [`${field} true`, { ...photo, [field]: true }, 422, 'validation_failed', `/${field} wrong_type`],
    [`${field} a fraction`, { ...photo, [field]: 1.5 }, 422, 'validation_failed', `/${field} wrong_type`],
    [`${field} negative`, { ...photo, [field]: -1 }, 422, 'validation_failed', `/${field} out_of_range`],
    [`${field} beyond the integers that are exact`, { ...photo, [field]: 2 ** 53 }, 422, 'validation_failed', `/${field} out_of_range`],
    [`${field} enormous`, { ...photo, [field]: 1e300 }, 422, 'validation_failed', `/${field} out_of_range`],
  ]),
  ['url empty', { ...photo, url: '' }, 422, 'validation_failed', '/url invalid_format'],
  ['url relative', { ...photo, url: '/a.jpg' }, 422, 'validation_failed', '/url invalid_format'],
  ['url without a scheme', { ...photo, url: '//example.com/a.jpg' }, 422, 'validation_failed', '/url invalid_format'],
  ['url of ftp', { ...photo, url: 'ftp://example.com/a.jpg' }, 422, 'validation_failed', '/url invalid_format'],
  ['url of javascript', { ...photo, url: 'javascript:alert(1)' }, 422, 'validation_failed', '/url invalid_format'],
  ['url of data', { ...photo, url: 'data:image/png;base64,AAAA' }, 422, 'validation_failed', '/url invalid_format'],
  ['url without a host', { ...photo, url: 'https://' }, 422, 'validation_failed', '/url invalid_format'],
  ['url with a space in its host', { ...photo, url: 'https://exa mple.com/a.jpg' }, 422, 'validation_failed', '/url invalid_format'],
  ['url too long', { ...photo, url: `https://example.com/${'a'.repeat(2_029)}` }, 422, 'validation_failed', '/url too_long'],
  ['filename empty', { ...photo, filename: '' }, 422, 'validation_failed', '/filename empty'],
  ['filename a path', { ...photo, filename: 'a/b.jpg' }, 422, 'validation_failed', '/filename invalid_format'],
  ['filename too long', { ...photo, filename: 'a'.repeat(256) }, 422, 'validation_failed', '/filename too_long'],
  ['alt too long', { ...photo, alt: 'a'.repeat(2_001) }, 422, 'validation_failed', '/alt too_long'],
  ['mimeType of no kind', { ...photo, mimeType: 'image/avif' }, 422, 'unsupported_media_type', '/mimeType not_allowed'],
  ['mimeType null', { ...photo, mimeType: null }, 422, 'validation_failed', '/mimeType wrong_type'],
  ['mimeType a number', { ...photo, mimeType: 7 }, 422, 'validation_failed', '/mimeType wrong_type'],
  ['mimeType with NUL', { ...photo, mimeType: 'image/png\0' }, 422, 'validation_failed', '/mimeType invalid_text'],
  ['an unknown field', { ...photo, title: 'x' }, 422, 'validation_failed', '/title unknown_field'],
  ['a read-only field', { ...photo, id: 'med_x' }, 422, 'validation_failed', '/id unknown_field'],
  [
    'another spelling',
    { ...without('mimeType'), mime_type: 'image/png' },
    422,
    'validation_failed',
    '/mimeType required',
    '/mime_type unknown_field',
  ],
  [
    'several at once, the media type among them',
    { ...photo, mimeType: 'image/avif', size: -1, alt: 7, colour: 'red' },
    422,
    'validation_failed',
    '/alt wrong_type',
    '/colour unknown_field',
    '/mimeType not_allowed',
    '/size out_of_range',
  ],
  ['the media type alone', { ...photo, mimeType: 'image/avif' }, 422, 'unsupported_media_type', '/mimeType not_allowed'],
  ['a dimension and another field', { ...photo, width: -1, alt: null }, 422, 'validation_failed', '/alt wrong_type', '/width out_of_range'],
  ['__proto__', `{"__proto__":{"a":1},${JSON.stringify(photo).slice(1)}`, 422, 'validation_failed', '/__proto__ unknown_field'],
  ['constructor', { ...photo, constructor: {} }, 422, 'validation_failed', '/constructor unknown_field'],
  ['an array', [photo], 422, 'validation_failed', ' wrong_type'],
  ['null', 'null', 422, 'validation_failed', ' wrong_type'],
  ['a text', '"a"', 422, 'validation_failed', ' wrong_type'],
  ['nested too deep', `${'['.repeat(21)}${']'.repeat(21)}`, 400, 'malformed_json'],
  ['nested deep in a field', `{"alt":${'{"a":'.repeat(50)}1${'}'.repeat(50)}}`, 400, 'malformed_json'],
  ['truncated', JSON.stringify(photo).slice(0, -5), 400, 'malformed_json'],
  ['empty', '', 400, 'malformed_json'],
  ['no JSON', 'url=https://example.com', 400, 'malformed_json'],
  ['invalid UTF-8', Buffer.concat([Buffer.from('{"alt":"'), Buffer.from([0xff]), Buffer.from('"}')]), 400, 'malformed_json'],
  ['larger than 2 MiB', { ...photo, alt: 'a'.repeat(2 * 1024 * 1024) }, 413, 'body_too_large'],
]

const badPatches: readonly Row[] = [
  ['alt a number', { alt: 7 }, 422, 'validation_failed', '/alt wrong_type'],
  ['alt too long', { alt: 'a'.repeat(2_001) }, 422, 'validation_failed', '/alt too_long'],
  ['alt with NUL', { alt: nul }, 422, 'validation_failed', '/alt invalid_text'],
  ['alt with a lone surrogate', { alt: lone }, 422, 'validation_failed', '/alt invalid_text'],
  ['filename null', { filename: null }, 422, 'validation_failed', '/filename wrong_type'],
  ['filename empty', { filename: '' }, 422, 'validation_failed', '/filename empty'],
  ['filename a path', { filename: '../a.jpg' }, 422, 'validation_failed', '/filename invalid_format'],
  ['filename too long', { filename: 'a'.repeat(256) }, 422, 'validation_failed', '/filename too_long'],
  ['filename with a lone surrogate', { filename: lone }, 422, 'validation_failed', '/filename invalid_text'],
  ...['id', 'url', 'mimeType', 'size', 'width', 'height', 'createdAt', 'updatedAt', 'version'].map(
    (field): Row => [`${field}, which cannot be set`, { [field]: 1 }, 422, 'validation_failed', `/${field} unknown_field`],
  ),
  ['both fields', { alt: 1, filename: 2 }, 422, 'validation_failed', '/alt wrong_type', '/filename wrong_type'],
  ['__proto__', '{"__proto__":{"alt":"x"}}', 422, 'validation_failed', '/__proto__ unknown_field'],
  ['an array', [], 422, 'validation_failed', ' wrong_type'],
  ['null', 'null', 422, 'validation_failed', ' wrong_type'],
  ['nested too deep', `{"alt":${'['.repeat(30)}${']'.repeat(30)}}`, 400, 'malformed_json'],
  ['truncated', '{"alt":', 400, 'malformed_json'],
  ['empty', '', 400, 'malformed_json'],
  ['invalid UTF-8', Buffer.from([0x22, 0xc3, 0x22]), 400, 'malformed_json'],
]

/** A query that a list refuses: its faults as `parameter code`. */
const badQueries: readonly (readonly [query: string, code: string, ...faults: readonly string[]])[] = [
  ['page=0', 'invalid_parameter', 'page out_of_range'],
  ['page=-1', 'invalid_parameter', 'page out_of_range'],
  ['page=1e18', 'invalid_parameter', 'page out_of_range'],
  ['page=1000000000000000000', 'invalid_parameter', 'page out_of_range'],
  ['page=1.5', 'invalid_parameter', 'page out_of_range'],
  ['page=', 'invalid_parameter', 'page empty'],
  ['page=1&page=2', 'invalid_parameter', 'page repeated'],
  ['limit=0', 'invalid_parameter', 'limit out_of_range'],
  ['limit=101', 'invalid_parameter', 'limit out_of_range'],
  ['limit=%20%201', 'invalid_parameter', 'limit out_of_range'],
  ['limit=0&page=x', 'invalid_parameter', 'limit out_of_range', 'page out_of_range'],
  ['total=no', 'invalid_parameter', 'total not_allowed'],
  ['sort=createdAt', 'invalid_parameter', 'sort not_allowed'],
  ['sort=filename', 'invalid_parameter', 'sort not_allowed'],
  ['sort=name,name', 'invalid_parameter', 'sort repeated'],
  ['sort=', 'invalid_parameter', 'sort empty'],
  ['cursor=x&page=1', 'invalid_parameter', 'page conflict'],
  ['cursor=nonsense', 'invalid_cursor', 'cursor malformed'],
  ['mime_type=image/avif', 'invalid_parameter', 'mime_type not_allowed'],
  ['mime_type=', 'invalid_parameter', 'mime_type empty'],
  ['mime_type=image/png,', 'invalid_parameter', 'mime_type empty'],
  ['mime_type=image/png&mime_type=', 'invalid_parameter', 'mime_type empty'],
  ['mime_type=image/png&mime_type=image/avif', 'invalid_parameter', 'mime_type not_allowed'],
  [`search=${'a'.repeat(201)}`, 'invalid_parameter', 'search too_long'],
  ['search=a&search=b', 'invalid_parameter', 'search repeated'],
  ['search=%00', 'invalid_parameter', 'search invalid_text'],
  ['search=%ff', 'malformed_request'],
  ['mimetype=image/png', 'unknown_parameter', 'mimetype unknown'],
  ['status=published', 'unknown_parameter', 'status unknown'],
  ['fields=id', 'unknown_parameter', 'fields unknown'],
  ['__proto__=1', 'unknown_parameter', '__proto__ unknown'],
  ['%00=1', 'unknown_parameter', '\0 unknown'],
]

interface Fault {
  readonly pointer?: string
  readonly parameter?: string
  readonly code: string
}

/** An answer as a row of a table has it. */
const asRow = ({ status, body }: Answer) => [
  status,
  body.code,
  ...body.errors.map((each: Fault) => `${each.pointer ?? each.parameter} ${each.code}`).sort(),
]
const sorted = ([status, code, ...faults]: readonly unknown[]) => [status, code, ...faults.sort()]
const total = async (app: TestApp) => (await app.get('/v1/media')).body.pagination.total

for (const engine of engines)
  describe(`bad input to media on ${engine.name}`, () => {
    it('POST /v1/media: every bad body is refused with all that is wrong with it, and nothing is stored', async () => {
      const app = await startVerso(engine)
      for (const [what, body, ...expected] of badBodies) {
        const answer = await app.post('/v1/media', body)
        expect([what, ...asRow(answer)]).toEqual([what, ...sorted(expected)])
        expect(answer.headers.get('content-type')).toBe('application/problem+json')
      }
      expect(await total(app)).toBe(0)
    })

    it('POST and PATCH /v1/media: 422 says in words what a file name has not', async () => {
      const app = await startVerso(engine)
      const { body: media } = await app.post('/v1/media', photo)
      const detail = 'filename must have no slash, because it is a name, not a path.'
      expect((await app.post('/v1/media', { ...photo, filename: 'a/b.jpg' })).body.detail).toBe(detail)
      expect((await app.patch(`/v1/media/${media.id}`, { filename: 'a/b.jpg' })).body.detail).toBe(detail)
    })

    it('POST /v1/media: what is as long as it may be is taken, counted in code points', async () => {
      const app = await startVerso(engine)
      const long = { ...photo, url: `https://example.com/${'😀'.repeat(2_028)}`, filename: '😀'.repeat(255), alt: '😀'.repeat(2_000) }
      const { status, body } = await app.post('/v1/media', long)
      expect([status, body.alt, body.filename, body.url]).toEqual([201, long.alt, long.filename, long.url])
    })

    it('POST /v1/media: url takes every http and https URL that `new URL` reads, and keeps it as sent', async () => {
      const app = await startVerso(engine)
      const urls = [
        'https://example.com/a b.jpg',
        'HTTPS://EXAMPLE.com',
        'https:///example.com/a',
        'https:example.com/|"<>^`{}',
        ' http://bücher.example/ä ',
      ]
      for (const url of urls) {
        const { status, body } = await app.post('/v1/media', { ...photo, url })
        expect([status, body.url]).toEqual([201, url])
        expect((await app.get(`/v1/media/${body.id}`)).body.url).toBe(url)
      }
    })

    it('POST /v1/media: 415 for another content type or none, another charset, a compressed body', async () => {
      const app = await startVerso(engine)
      const text = JSON.stringify(photo)
      for (const headers of [
        { 'content-type': 'text/plain' },
        { 'content-type': 'application/x-www-form-urlencoded' },
        { 'content-type': 'application/merge-patch+json' },
        { 'content-type': 'application/json; charset=latin1' },
        { 'content-type': 'application/json', 'content-encoding': 'gzip' },
        { 'content-type': '' },
      ]) {
        const { status, body } = await app.post('/v1/media', text, { headers })
        expect([headers, status, body.code]).toEqual([headers, 415, 'unsupported_content_type'])
      }
      expect(await total(app)).toBe(0)
      expect((await app.post('/v1/media', text, { headers: { 'content-type': 'application/json; charset=UTF-8' } })).status).toBe(201)
    })

    it('PATCH /v1/media/{id}: every bad body is refused with all that is wrong with it, and nothing changes', async () => {
      const app = await startVerso(engine)
      const { body: media } = await app.post('/v1/media', photo)
      for (const [what, body, ...expected] of badPatches)
        expect([what, ...asRow(await app.patch(`/v1/media/${media.id}`, body))]).toEqual([what, ...sorted(expected)])
      expect((await app.get(`/v1/media/${media.id}`)).body).toEqual(media)
    })

    it('GET /v1/media: every bad query is refused with all that is wrong with it', async () => {
      const app = await startVerso(engine)
      for (const [query, ...expected] of badQueries)
        expect([query, ...asRow(await app.get(`/v1/media?${query}`))]).toEqual([query, ...sorted([400, ...expected])])
    })

    it('GET /v1/media?mimetype=…: the nearest name is offered', async () => {
      const app = await startVerso(engine)
      expect((await app.get('/v1/media?mimetype=image/png')).body.detail).toContain('did you mean `mime_type`?')
      expect((await app.get('/v1/media?sort=createdAt')).body.detail).toContain('did you mean created_at?')
    })

    it('GET /v1/media: 400 invalid_cursor for a cursor of another sort or other filters', async () => {
      const app = await startVerso(engine)
      for (let n = 0; n < 2; n++) await app.post('/v1/media', photo)
      const { nextCursor } = (await app.get('/v1/media?limit=1')).body.pagination
      for (const query of ['sort=name', 'search=h', 'mime_type=image/jpeg'])
        expect((await app.get(`/v1/media?${query}&cursor=${nextCursor}`)).body.code).toBe('invalid_cursor')
      expect((await app.get(`/v1/media?limit=50&cursor=${nextCursor}`)).body.data).toHaveLength(1)
    })

    it('every other route refuses parameters that it does not know, and a flag that is none', async () => {
      const app = await startVerso(engine)
      const { id } = (await app.post('/v1/media', photo)).body
      expect(asRow(await app.get(`/v1/media/${id}?page=1`))).toEqual([400, 'unknown_parameter', 'page unknown'])
      expect(asRow(await app.post('/v1/media?fetch=true', photo))).toEqual([400, 'unknown_parameter', 'fetch unknown'])
      expect(asRow(await app.patch(`/v1/media/${id}?force=true`, { alt: 'x' }))).toEqual([400, 'unknown_parameter', 'force unknown'])
      expect(asRow(await app.delete(`/v1/media/${id}?permanently=true`))).toEqual([400, 'unknown_parameter', 'permanently unknown'])
      expect(asRow(await app.delete(`/v1/media/${id}?permanent=yes`))).toEqual([400, 'invalid_parameter', 'permanent not_allowed'])
      expect(asRow(await app.delete(`/v1/media/${id}?permanent=`))).toEqual([400, 'invalid_parameter', 'permanent empty'])
      expect(asRow(await app.delete(`/v1/media/${id}?permanent=true&permanent=true`))).toEqual([
        400,
        'invalid_parameter',
        'permanent repeated',
      ])
      expect((await app.get(`/v1/media/${id}`)).body.version).toBe(1)
    })

    it('GET /v1/media/{id}: 404 for whatever is no id, 400 for a path that is no UTF-8', async () => {
      const app = await startVerso(engine)
      for (const id of ['%00', 'med_%00', '__proto__', 'med_', '%20', `med_${'a'.repeat(2_000)}`, '..%2f', '%F0%9F%98%80'])
        expect([id, (await app.get(`/v1/media/${id}`)).status]).toEqual([id, 404])
      for (const id of ['%', '%ff', '%ED%A0%80']) expect(asRow(await app.get(`/v1/media/${id}`))).toEqual([400, 'malformed_request'])
    })
  })
