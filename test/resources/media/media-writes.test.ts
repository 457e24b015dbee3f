import { describe, expect, it } from 'vitest'
import { engines, startVerso, type TestApp } from '../../harness/harness.ts'
import { photo } from './photo.ts'

const register = async (app: Pick<TestApp, 'post'>) => (await app.post('/v1/media', photo)).body
const changes = (app: TestApp) =>
  app.app.installation.db
    .selectFrom('changes')
    .select(['seq', 'resource_id', 'version', 'news', 'public_before', 'public_after', 'at'])
    .where('kind', '=', 'media')
    .orderBy('seq')
    .execute()
const stored = async (app: TestApp) => (await app.app.installation.db.selectFrom('media').select('id').execute()).map((row) => row.id)
const purge = (app: TestApp) => app.app.jobs.find((job) => job.name === 'purge-media')?.runOnce()

for (const engine of engines)
  describe(`writing media on ${engine.name}`, () => {
    describe('PATCH /v1/media/{id}', () => {
      it('200: file name and alternative text change, the rest stays, and the search knows', async () => {
        const app = await startVerso(engine)
        const media = await register(app)
        app.context.travelTo('2026-06-02T08:00:00Z')
        const { status, body, headers } = await app.patch(`/v1/media/${media.id}`, { filename: 'Hafen.jpg', alt: 'Abends' })
        expect(status).toBe(200)
        expect(body).toEqual({ ...media, filename: 'Hafen.jpg', alt: 'Abends', version: 2, updatedAt: '2026-06-02T08:00:00.000Z' })
        const read = await app.get(`/v1/media/${media.id}`)
        expect([read.body, read.headers.get('etag')]).toEqual([body, headers.get('etag')])
        expect((await app.get('/v1/media?search=HAFEN')).body.data).toEqual([body])
        expect((await app.get('/v1/media?search=harbour')).body.data).toEqual([])
      })

      it('200 for one field alone, as a merge patch; null empties the alternative text', async () => {
        const app = await startVerso(engine)
        const { id } = await register(app)
        const headers = { 'content-type': 'application/merge-patch+json' }
        expect((await app.patch(`/v1/media/${id}`, { filename: 'b.jpg' }, { headers })).body).toMatchObject({
          filename: 'b.jpg',
          alt: photo.alt,
        })
        expect((await app.patch(`/v1/media/${id}`, { alt: null }, { headers })).body).toMatchObject({ filename: 'b.jpg', alt: '' })
      })

      it('200 for what changes nothing: same version, same time, same tag, no event', async () => {
        const app = await startVerso(engine)
        const media = await register(app)
        const { headers } = await app.get(`/v1/media/${media.id}`)
        app.context.travelTo('2026-06-02T08:00:00Z')
        for (const nothing of [{}, { alt: photo.alt }, { alt: photo.alt, filename: photo.filename }]) {
          const answer = await app.patch(`/v1/media/${media.id}`, nothing)
          expect([answer.status, answer.body, answer.headers.get('etag')]).toEqual([200, media, headers.get('etag')])
        }
        expect(await changes(app)).toHaveLength(1)
      })

      it('412 stale_version with the present version, and nothing of it is kept; If-Match looks at the version alone, weak or not', async () => {
        const app = await startVerso(engine)
        const { id } = await register(app)
        const tag = (await app.get(`/v1/media/${id}`)).headers.get('etag') ?? ''
        const patch = (ifMatch: string, alt: string) => app.patch(`/v1/media/${id}`, { alt }, { headers: { 'if-match': ifMatch } })
        expect((await patch(tag, 'two')).status).toBe(200)
        const stale = await patch(tag, 'three')
        expect([stale.status, stale.body.code, stale.body.version]).toEqual([412, 'stale_version', 2])
        expect((await app.get(`/v1/media/${id}`)).body).toMatchObject({ alt: 'two', version: 2 })
        expect((await patch('W/"2.anything"', 'three')).status).toBe(200)
        expect((await patch('"1", "3"', 'four')).status).toBe(200)
        expect((await patch('*', 'five')).status).toBe(200)
        expect((await patch('"none of ours"', 'six')).status).toBe(412)
        expect(await changes(app)).toHaveLength(5)
      })

      it('404 before 412 before 422', async () => {
        const app = await startVerso(engine)
        const { id } = await register(app)
        const headers = { 'if-match': '"9"' }
        expect((await app.patch('/v1/media/med_01jz0000000000000000000000', { alt: 1 }, { headers })).status).toBe(404)
        expect((await app.patch(`/v1/media/${id}`, { alt: 1 }, { headers })).status).toBe(412)
        expect((await app.patch(`/v1/media/${id}`, { alt: 1 })).status).toBe(422)
      })
    })

    describe('DELETE /v1/media/{id}', () => {
      it('204, and it is gone: 404 to read or change it, absent from lists, totals and searches', async () => {
        const app = await startVerso(engine)
        const { id } = await register(app)
        const { status, text } = await app.delete(`/v1/media/${id}`)
        expect([status, text]).toEqual([204, ''])
        expect((await app.get(`/v1/media/${id}`)).body).toMatchObject({
          status: 404,
          code: 'not_found',
          detail: 'There is no such media record.',
        })
        expect((await app.patch(`/v1/media/${id}`, { alt: 'x' })).status).toBe(404)
        for (const query of ['', '?search=harbour', '?mime_type=image/jpeg'])
          expect((await app.get(`/v1/media${query}`)).body).toMatchObject({ data: [], pagination: { total: 0 } })
      })

      it('204 again by id, whatever was expected of it, and no second event', async () => {
        const app = await startVerso(engine)
        const { id } = await register(app)
        for (let n = 0; n < 3; n++) expect((await app.delete(`/v1/media/${id}`, { headers: { 'if-match': '"1"' } })).status).toBe(204)
        expect((await changes(app)).map((row) => row.news)).toEqual(['media.created', 'media.deleted'])
      })

      it('404 for an id that never was, and for what is no id of media', async () => {
        const app = await startVerso(engine)
        const post = await app.post('/v1/posts', { title: 'A post' })
        for (const id of ['med_01jz0000000000000000000000', 'med_', 'harbour.jpg', post.body.id])
          for (const query of ['', '?permanent=true']) {
            const { status, body } = await app.delete(`/v1/media/${id}${query}`)
            expect([id, status, body.code]).toEqual([id, 404, 'not_found'])
          }
      })

      it('412 stale_version, and it stays', async () => {
        const app = await startVerso(engine)
        const { id } = await register(app)
        await app.patch(`/v1/media/${id}`, { alt: 'two' })
        for (const query of ['', '?permanent=true']) {
          const { status, body } = await app.delete(`/v1/media/${id}${query}`, { headers: { 'if-match': '"1.x"' } })
          expect([status, body.code, body.version]).toEqual([412, 'stale_version', 2])
        }
        expect((await app.get(`/v1/media/${id}`)).status).toBe(200)
        expect((await app.delete(`/v1/media/${id}`, { headers: { 'if-match': '"2.x"' } })).status).toBe(204)
      })

      it('?permanent=true: 204, nothing is left of it, and again by id 204', async () => {
        const app = await startVerso(engine)
        const { id } = await register(app)
        expect((await app.delete(`/v1/media/${id}?permanent=true`)).status).toBe(204)
        expect(await stored(app)).toEqual([])
        expect((await app.delete(`/v1/media/${id}?permanent=true`)).status).toBe(204)
        expect((await app.delete(`/v1/media/${id}`)).status).toBe(204)
        expect((await changes(app)).map((row) => row.news)).toEqual(['media.created', 'media.deleted'])
      })

      it('?permanent=true: 204 for what is deleted already, of which nobody is told again', async () => {
        const app = await startVerso(engine)
        const { id } = await register(app)
        await app.delete(`/v1/media/${id}`)
        expect((await app.delete(`/v1/media/${id}?permanent=true`)).status).toBe(204)
        expect(await stored(app)).toEqual([])
        expect((await changes(app)).map((row) => row.news)).toEqual(['media.created', 'media.deleted', ''])
      })

      it('"Media likewise": after 30 days it is erased, and not a moment before; what is there stays', async () => {
        const app = await startVerso(engine)
        const kept = await register(app)
        const { id } = await register(app)
        await app.delete(`/v1/media/${id}`)
        app.context.travelTo('2026-07-01T11:59:59.999Z')
        await purge(app)
        expect((await stored(app)).sort()).toEqual([kept.id, id].sort())
        app.context.travelTo('2026-07-01T12:00:00.000Z')
        await purge(app)
        expect(await stored(app)).toEqual([kept.id])
        expect((await app.delete(`/v1/media/${id}`)).status).toBe(204)
        expect(await changes(app)).toHaveLength(3)
      })

      it('erases more than one batch at a time', async () => {
        const app = await startVerso(engine)
        for (let n = 0; n < 101; n++) await app.delete(`/v1/media/${(await register(app)).id}`)
        app.context.travelTo('2026-08-01T00:00:00Z')
        await purge(app)
        expect(await stored(app)).toEqual([])
      })
    })

    it('every write takes the next revision, public too, and leaves its row in the log', async () => {
      const app = await startVerso(engine)
      const { id } = await register(app)
      app.context.travelTo('2026-06-02T08:00:00Z')
      await app.patch(`/v1/media/${id}`, { alt: 'two' })
      await app.delete(`/v1/media/${id}`)
      await app.delete(`/v1/media/${id}?permanent=true`)
      const row = (seq: number, version: number, news: string, before: 0 | 1, after: 0 | 1, at: string) => {
        return { seq, resource_id: id, version, news, public_before: before, public_after: after, at }
      }
      expect(await changes(app)).toEqual([
        row(1, 1, 'media.created', 0, 1, '2026-06-01T12:00:00.000Z'),
        row(2, 2, 'media.updated', 1, 1, '2026-06-02T08:00:00.000Z'),
        row(3, 3, 'media.deleted', 1, 0, '2026-06-02T08:00:00.000Z'),
        row(4, 4, '', 0, 0, '2026-06-02T08:00:00.000Z'),
      ])
      const state = await app.app.installation.db
        .selectFrom('project_state')
        .select(['revision', 'public_revision'])
        .executeTakeFirstOrThrow()
      expect(state).toEqual({ revision: 4, public_revision: 3 })
    })

    it('POST /v1/media: 50 at once are 50 records and 50 revisions without gap or repeat', async () => {
      const app = await startVerso(engine)
      const made = await Promise.all(Array.from({ length: 50 }, () => register(app)))
      expect(new Set(made.map((each) => each.id)).size).toBe(50)
      expect((await changes(app)).map((row) => row.seq)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1))
    })

    it('PATCH and DELETE at once: one version after the other, and the log agrees', async () => {
      const app = await startVerso(engine)
      const { id } = await register(app)
      const answers = await Promise.all([
        ...Array.from({ length: 8 }, (_, n) => app.patch(`/v1/media/${id}`, { alt: `${n}` })),
        app.delete(`/v1/media/${id}`),
        app.delete(`/v1/media/${id}`),
      ])
      expect(answers.map((each) => each.status).filter((status) => ![200, 204, 404].includes(status))).toEqual([])
      const rows = await changes(app)
      expect(rows.map((row) => row.version)).toEqual(rows.map((_, n) => n + 1))
      expect(rows.filter((row) => row.news === 'media.deleted')).toHaveLength(1)
    })

    describe('scopes', () => {
      it('401 without a key, for every route', async () => {
        const app = await startVerso(engine)
        for (const [method, path] of [
          ['GET', '/v1/media'],
          ['POST', '/v1/media'],
          ['GET', '/v1/media/med_x'],
          ['PATCH', '/v1/media/med_x'],
          ['DELETE', '/v1/media/med_x'],
        ] as const) {
          const { status, body, headers } = await app.request(method, path, { key: null })
          expect([status, body.code, headers.get('www-authenticate')]).toEqual([401, 'unauthenticated', 'Bearer'])
        }
      })

      it('reading needs media:read, writing media:write, which includes it', async () => {
        const app = await startVerso(engine)
        const { id } = await register(app)
        const reader = await app.keyWith('media:read')
        const writer = await app.keyWith('media:write')
        const stranger = await app.keyWith('posts:delete', 'authors:read', 'admin')
        const ask = async (key: string) => {
          const answers = [
            await app.get('/v1/media', { key }),
            await app.get(`/v1/media/${id}`, { key }),
            await app.post('/v1/media', photo, { key }),
            await app.patch(`/v1/media/${id}`, { alt: 'x' }, { key }),
            await app.delete(`/v1/media/${id}`, { key }),
          ]
          return answers.map(({ status, body }) => (status === 403 ? `${body.code} ${body.scope}` : status))
        }
        const [read, write] = ['insufficient_scope media:read', 'insufficient_scope media:write']
        expect(await ask(stranger)).toEqual([read, read, write, write, write])
        expect(await ask(reader)).toEqual([200, 200, write, write, write])
        expect(await ask(writer)).toEqual([200, 200, 201, 200, 204])
      })

      it('a public key: 403 without media:read, 200 with it, readable by web pages and cacheable; it never writes', async () => {
        const app = await startVerso(engine)
        const media = await register(app)
        const plain = await app.get('/v1/media', { key: app.public })
        expect([plain.status, plain.body.scope, plain.headers.get('access-control-allow-origin')]).toEqual([403, 'media:read', '*'])
        const key = await app.publicKeyWith('media:read')
        for (const path of ['/v1/media', `/v1/media/${media.id}`]) {
          const { status, headers } = await app.get(path, { key })
          expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*'])
          expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
          expect((await app.get(path)).headers.get('access-control-allow-origin')).toBe(null)
          expect((await app.get(path)).headers.get('cache-control')).toBe('private, no-cache')
        }
        expect((await app.get('/v1/media', { key })).body.data).toEqual([media])
        expect((await app.post('/v1/media', photo, { key })).status).toBe(403)
        expect((await app.delete(`/v1/media/${media.id}`, { key })).status).toBe(403)
      })

      it('a public key’s list answers 304 until media change, and is not told of drafts', async () => {
        const app = await startVerso(engine)
        const media = await register(app)
        const key = await app.publicKeyWith('media:read')
        const etag = (await app.get('/v1/media', { key })).headers.get('etag') ?? ''
        const again = async () => (await app.get('/v1/media', { key, headers: { 'if-none-match': etag } })).status
        await app.post('/v1/posts', { title: 'A draft' })
        expect(await again()).toBe(304)
        await app.delete(`/v1/media/${media.id}`)
        expect(await again()).toBe(200)
      })
    })

    it.each([
      ['PUT', '/v1/media', 'GET, HEAD, POST'],
      ['DELETE', '/v1/media', 'GET, HEAD, POST'],
      ['POST', '/v1/media/med_x', 'DELETE, GET, HEAD, PATCH'],
      ['PUT', '/v1/media/med_x', 'DELETE, GET, HEAD, PATCH'],
    ])('%s %s: 405 method_not_allowed', async (method, path, allow) => {
      const app = await startVerso(engine)
      const { status, body, headers } = await app.request(method, path)
      expect([status, body.code, headers.get('allow')]).toEqual([405, 'method_not_allowed', allow])
    })

    it('statements: a list costs 3 at most, whatever its size, 2 without a total, 1 while nothing changed; a read costs 2', async () => {
      const app = await startVerso(engine)
      for (let n = 0; n < 30; n++) await register(app)
      const { id } = await register(app)
      const count = async (path: string, headers = {}) => {
        app.statements.length = 0
        const answer = await app.get(path, { headers })
        const counted = app.statements.filter((sql) => !/^(?:begin|commit)/.test(sql))
        return { count: counted.length, etag: answer.headers.get('etag') ?? '' }
      }
      // Whether nothing was written meanwhile, SQLite knows without a statement.
      const { more } = engine
      expect((await count('/v1/media?limit=1')).count).toBeLessThanOrEqual(3 + more)
      expect((await count('/v1/media?limit=100&search=h&mime_type=image/jpeg&sort=name')).count).toBeLessThanOrEqual(3 + more)
      expect((await count('/v1/media?total=false')).count).toBeLessThanOrEqual(2 + more)
      const { etag } = await count('/v1/media')
      expect((await count('/v1/media', { 'if-none-match': etag })).count).toBeLessThanOrEqual(engine.lookUp)
      expect((await count(`/v1/media/${id}`)).count).toBeLessThanOrEqual(1 + engine.lookUp)
    })
  })
