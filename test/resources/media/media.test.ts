import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { type Answer, engines, shared, startVerso, type TestApp } from '../../harness/harness.ts'
import { photo } from './photo.ts'

const register = async (app: Pick<TestApp, 'post'>, fields: Partial<typeof photo> = {}) => {
  const { status, body } = await app.post('/v1/media', { ...photo, ...fields })
  expect(status).toBe(201)
  return body
}

/** What an answer says, but for what names this one request. */
const said = ({ status, body }: Answer) => ({ status, body: { ...body, instance: undefined, requestId: undefined } })
const names = ({ body }: Answer) => body.data.map((each: { filename: string }) => each.filename)
const changes = (app: TestApp) =>
  app.app.installation.db.selectFrom('changes').selectAll().where('kind', '=', 'media').orderBy('seq').execute()
const stored = (app: TestApp) => app.app.installation.db.selectFrom('media').select(['id', 'deleted_at']).execute()

for (const engine of engines)
  describe(`media on ${engine.name}`, () => {
    describe('as the interface has it', () => {
      it('GET /v1/media: "Lists media records."', async () => {
        const app = await startVerso(engine)
        const media = await register(app)
        const { status, body } = await app.get('/v1/media')
        expect(status).toBe(200)
        expect(body).toEqual({
          data: [media],
          pagination: { page: 1, limit: 20, total: 1, totalPages: 1, hasMore: false, nextCursor: null },
        })
      })

      it('POST /v1/media: 201, "Registers an asset that already exists in object storage; the body has the fields of section 2.3."', async () => {
        const app = await startVerso(engine)
        const { status, headers, body } = await app.post('/v1/media', photo)
        expect(status).toBe(201)
        expect(body).toEqual({
          id: expect.stringMatching(/^med_[0-9a-z]{26}$/),
          ...photo,
          createdAt: '2026-06-01T12:00:00.000Z',
          updatedAt: '2026-06-01T12:00:00.000Z',
          version: 1,
        })
        expect(headers.get('location')).toBe(`/v1/media/${body.id}`)
        const one = await app.get(`/v1/media/${body.id}`)
        expect([one.status, one.body, one.headers.get('etag')]).toEqual([200, body, headers.get('etag')])
        expect(Object.keys(body).slice(0, 8)).toEqual(['id', ...Object.keys(photo)])
      })

      const keeping = shared(() => startVerso(engine))

      it.each([
        ['"url | string (address of the asset in object storage)"', 'url', 'string', 'http://assets.example.com/ä?b=c#d'],
        ['"filename | string"', 'filename', 'string', '  Ünï 漢字 .JPG'],
        ['"mimeType | string (media type of the asset)"', 'mimeType', 'string', 'image/webp'],
        ['"size | integer"', 'size', 'number', 0],
        ['"size | integer", the largest', 'size', 'number', Number.MAX_SAFE_INTEGER],
        ['"width | integer"', 'width', 'number', 1],
        ['"height | integer"', 'height', 'number', Number.MAX_SAFE_INTEGER],
        ['"alt | string (alternative text)"', 'alt', 'string', 'A café, 😀,\n"quoted"'],
        ['"alt | string (alternative text)", empty for decoration', 'alt', 'string', ''],
      ])('POST /v1/media: %s is kept as it was sent', async (_, field, type, value) => {
        const app = await keeping()
        const { id } = await register(app, { [field]: value })
        const { body } = await app.get(`/v1/media/${id}`)
        expect([typeof body[field], body[field]]).toEqual([type, value])
      })

      it('POST /v1/media: 201 for all of "Supported asset types: JPG, PNG, WebP, GIF, SVG."', async () => {
        const app = await startVerso(engine)
        for (const mimeType of ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/svg+xml']) await register(app, { mimeType })
      })

      it('POST /v1/media: 422 unsupported_media_type for every other, "Limits: Supported media types | JPG, PNG, WebP, GIF, SVG | POST /v1/media"', async () => {
        const app = await startVerso(engine)
        for (const mimeType of ['image/avif', 'image/jpg', 'IMAGE/PNG', 'image/png ', 'image/*', 'application/pdf', 'text/html', '']) {
          const { status, body } = await app.post('/v1/media', { ...photo, mimeType })
          expect([mimeType, status, body.code]).toEqual([mimeType, 422, 'unsupported_media_type'])
          expect(body.detail).toBe('mimeType must be one of image/jpeg, image/png, image/webp, image/gif, image/svg+xml.')
          expect(body.errors).toEqual([{ pointer: '/mimeType', code: 'not_allowed', detail: body.detail }])
        }
        expect(await stored(app)).toEqual([])
      })

      it('POST /v1/media: 415 for bytes and multipart, "The service does not receive file uploads."', async () => {
        const app = await startVerso(engine)
        const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
        for (const type of ['image/png', 'application/octet-stream', 'multipart/form-data; boundary=x', 'text/plain', 'image/svg+xml']) {
          const { status, body, headers } = await app.post('/v1/media', bytes, { headers: { 'content-type': type } })
          expect([type, status, body.code, headers.get('accept')]).toEqual([type, 415, 'unsupported_content_type', 'application/json'])
        }
        expect(await stored(app)).toEqual([])
      })

      it('POST /v1/media: 415 for bytes beyond every limit, before they are read', async () => {
        const app = await startVerso(engine)
        const bytes = new Uint8Array(3 * 1024 * 1024)
        const { status } = await app.post('/v1/media', bytes, { headers: { 'content-type': 'image/png' } })
        expect(status).toBe(415)
      })

      it('POST /v1/media: "Direct uploads and automatic WebP/AVIF variants are planned and are not available."', async () => {
        const app = await startVerso(engine)
        const { id } = await register(app)
        expect((await app.get('/v1/media')).body.data).toHaveLength(1)
        expect((await app.get(`/v1/media/${id}/variants`)).status).toBe(404)
        expect((await app.request('PUT', '/v1/media', { body: photo })).status).toBe(405)
      })

      it('POST /v1/media: the URL is never fetched, "POST /v1/media does not upload file bytes; it only records the reference."', async () => {
        const app = await startVerso(engine)
        let asked = 0
        const storage = createServer((_, response) => {
          asked++
          response.end()
        })
        storage.on('connection', () => asked++)
        await new Promise<void>((resolve) => storage.listen(0, '127.0.0.1', resolve))
        const { id } = await register(app, { url: `http://127.0.0.1:${(storage.address() as AddressInfo).port}/a.jpg` })
        await app.get(`/v1/media/${id}`)
        await app.delete(`/v1/media/${id}?permanent=true`)
        await new Promise((resolve) => storage.close(resolve))
        expect(asked).toBe(0)
      })

      it('DELETE /v1/media/{id}: 204, "Deletes the media record with the given id."', async () => {
        const app = await startVerso(engine)
        const { id } = await register(app)
        const other = await register(app)
        const { status, text } = await app.delete(`/v1/media/${id}`)
        expect([status, text]).toEqual([204, ''])
        expect((await app.get('/v1/media')).body.data).toEqual([other])
      })

      it('"Posts and media are scoped to a project": another project’s records look like none, for every route', async () => {
        const app = await startVerso(engine)
        const other = await app.otherProject('other')
        const { id } = await register(app)
        const none = 'med_01jz0000000000000000000000'
        expect((await other.get('/v1/media')).body.data).toEqual([])
        expect((await other.get('/v1/media?search=harbour')).body.pagination.total).toBe(0)
        for (const [method, query, body] of [
          ['GET', '', undefined],
          ['HEAD', '', undefined],
          ['PATCH', '', { alt: 'mine' }],
          ['PATCH', '', { alt: 7 }],
          ['DELETE', '', undefined],
          ['DELETE', '?permanent=true', undefined],
        ] as const) {
          const answer = await other.request(method, `/v1/media/${id}${query}`, { body })
          expect(answer.status).toBe(404)
          expect(said(answer)).toEqual(said(await other.request(method, `/v1/media/${none}${query}`, { body })))
        }
        expect((await app.get(`/v1/media/${id}`)).body.version).toBe(1)
        expect(await changes(app)).toHaveLength(1)
      })
    })

    describe('dimensions', () => {
      it('POST /v1/media: an SVG without a size of its own may have width and height 0', async () => {
        const app = await startVerso(engine)
        await register(app, { mimeType: 'image/svg+xml', width: 0, height: 0 })
        await register(app, { mimeType: 'image/svg+xml', width: 0, height: 20 })
      })

      it('POST /v1/media: 201 with size, width and height 0, which says that they are unknown, for every type', async () => {
        const app = await startVerso(engine)
        for (const mimeType of ['image/jpeg', 'image/png', 'image/webp', 'image/gif'])
          await register(app, { mimeType, size: 0, width: 0, height: 0 })
      })
    })

    describe('lists', () => {
      it('GET /v1/media: the newest first, and by name and time in both directions', async () => {
        const app = await startVerso(engine)
        for (const [day, filename] of ['b.png', 'c.png', 'B.png', 'a.png'].entries()) {
          app.context.travelTo(`2026-06-0${day + 1}T12:00:00Z`)
          await register(app, { filename })
        }
        expect(names(await app.get('/v1/media'))).toEqual(['a.png', 'B.png', 'c.png', 'b.png'])
        expect(names(await app.get('/v1/media?sort=-created_at'))).toEqual(['a.png', 'B.png', 'c.png', 'b.png'])
        expect(names(await app.get('/v1/media?sort=created_at'))).toEqual(['b.png', 'c.png', 'B.png', 'a.png'])
        expect(names(await app.get('/v1/media?sort=name'))).toEqual(['B.png', 'a.png', 'b.png', 'c.png'])
        expect(names(await app.get('/v1/media?sort=-name'))).toEqual(['c.png', 'b.png', 'a.png', 'B.png'])
      })

      it.each(['created_at', '-created_at', 'name', '-name', 'name,-created_at'])(
        'GET /v1/media?sort=%s: the cursor walks every record once while records are added',
        async (sort) => {
          const app = await startVerso(engine)
          const ids: string[] = []
          for (let n = 0; n < 9; n++) {
            if (n % 3 === 0) app.context.travelTo(`2026-06-0${n + 1}T12:00:00Z`)
            ids.push((await register(app, { filename: `${n % 2}.png` })).id)
          }
          const seen: string[] = []
          let query = `sort=${sort}&limit=2`
          for (;;) {
            const { body } = await app.get(`/v1/media?${query}`)
            seen.push(...body.data.map((each: { id: string }) => each.id))
            await register(app, { filename: sort.includes('-') ? 'z.png' : '.png' })
            if (body.pagination.nextCursor === null || seen.length > 40) break
            app.context.travelTo('2026-05-01T00:00:00Z')
            query = `sort=${sort}&limit=2&cursor=${body.pagination.nextCursor}`
          }
          expect(new Set(seen).size).toBe(seen.length)
          expect(seen.filter((id) => ids.includes(id)).sort()).toEqual([...ids].sort())
        },
      )

      it('GET /v1/media?search=…: a case-insensitive substring of file name or alternative text, in which nothing is special', async () => {
        const app = await startVerso(engine)
        await register(app, { filename: 'Straße_1.jpg', alt: 'Hundert Prozent' })
        await register(app, { filename: 'b.jpg', alt: '100 % CAFÉ' })
        await register(app, { filename: 'c\\d.jpg', alt: '' })
        const found = async (search: string) => names(await app.get(`/v1/media?sort=name&search=${encodeURIComponent(search)}`))
        expect(await found('STRASSE')).toEqual(['Straße_1.jpg'])
        expect(await found('prozent')).toEqual(['Straße_1.jpg'])
        expect(await found('café')).toEqual(['b.jpg'])
        expect(await found('cafe\u0301')).toEqual(['b.jpg'])
        expect(await found('cafe')).toEqual([])
        expect(await found('%')).toEqual(['b.jpg'])
        expect(await found('_')).toEqual(['Straße_1.jpg'])
        expect(await found('\\')).toEqual(['c\\d.jpg'])
        expect(await found('.JPG')).toEqual(['Straße_1.jpg', 'b.jpg', 'c\\d.jpg'])
        expect(await found('jpg100')).toEqual([])
        expect(await found('\uffff')).toEqual([])
        expect(await found('b.jpg\uffff100')).toEqual([])
        expect(await found('')).toHaveLength(3)
      })

      it('GET /v1/media?mime_type=…: any of them, a typed + included, together with a search', async () => {
        const app = await startVerso(engine)
        await register(app, { filename: 'a.png', mimeType: 'image/png' })
        await register(app, { filename: 'b.svg', mimeType: 'image/svg+xml' })
        await register(app, { filename: 'c.jpg' })
        const found = async (query: string) => names(await app.get(`/v1/media?sort=name&${query}`))
        expect(await found('mime_type=image/png')).toEqual(['a.png'])
        expect(await found('mime_type=image/svg%2Bxml')).toEqual(['b.svg'])
        expect(await found('mime_type=image/svg+xml,image/png')).toEqual(['a.png', 'b.svg'])
        expect(await found('mime_type=image/webp')).toEqual([])
        expect(await found('mime_type=image/png,image/jpeg&search=C.')).toEqual(['c.jpg'])
      })

      it('GET /v1/media: pages, links and totals; total=false counts nothing; a page past the end is empty', async () => {
        const app = await startVerso(engine)
        for (let n = 0; n < 5; n++) await register(app, { filename: `${n}.png`, mimeType: 'image/svg+xml' })
        const query = 'sort=name&limit=2&mime_type=image/svg+xml'
        const first = await app.get(`/v1/media?${query}`)
        expect(first.body.pagination).toMatchObject({ page: 1, limit: 2, total: 5, totalPages: 3, hasMore: true })
        const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
        expect(names(await app.get(next))).toEqual(['2.png', '3.png'])
        const uncounted = await app.get(`/v1/media?${query}&total=false`)
        expect(uncounted.body.pagination).toMatchObject({ total: null, totalPages: null, hasMore: true })
        expect((await app.get(`/v1/media?${query}&page=9`)).body).toMatchObject({ data: [], pagination: { total: 5, hasMore: false } })
      })

      it('GET /v1/media: 304 while no media changed, and 200 once one did; HEAD has the same headers', async () => {
        const app = await startVerso(engine)
        const { id } = await register(app)
        for (const path of ['/v1/media', `/v1/media/${id}`]) {
          const { headers } = await app.get(path)
          const etag = headers.get('etag') ?? ''
          const known = await app.get(path, { headers: { 'if-none-match': etag, 'cache-control': 'no-cache' } })
          expect([known.status, known.text]).toEqual([304, ''])
          const head = await app.request('HEAD', path)
          expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag])
          expect(head.headers.get('content-length')).toBe(headers.get('content-length'))
          await app.patch(`/v1/media/${id}`, { alt: `after ${path}` })
          expect((await app.get(path, { headers: { 'if-none-match': etag } })).status).toBe(200)
        }
      })
    })
  })
