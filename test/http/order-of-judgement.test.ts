import { describe, expect, it } from 'vitest'
import { engines, startVerso } from '../harness/harness.ts'

for (const engine of engines) {
  describe(`the order of judgement on ${engine.name}`, () => {
    it('a request with every fault at once is refused for the first of them, and so on as each is mended', async () => {
      const verso = await startVerso(engine)
      const weak = await verso.keyWith('media:read')
      const long = `/v1/posts?search=${'a'.repeat(9_000)}`
      const json = { 'content-type': 'application/json' }
      const fits = { title: 'One' }
      const steps = [
        [414, 'PUT', long, { key: null, headers: { accept: 'text/html' } }],
        [404, 'PUT', '/v1/nowhere?a=b', { key: null, body: '{', headers: { accept: 'text/html' } }],
        [405, 'PUT', '/v1/posts/none?a=b', { key: null, body: '{', headers: { accept: 'text/html' } }],
        [401, 'PATCH', '/v1/posts/none?a=b', { key: null, headers: { accept: 'text/html' } }],
        [403, 'PATCH', '/v1/posts/none?a=b', { key: weak, body: '{', headers: { accept: 'text/html', 'content-type': 'text/plain' } }],
        [415, 'PATCH', '/v1/posts/none?a=b', { body: '{', headers: { accept: 'text/html', 'content-type': 'text/plain' } }],
        [406, 'PATCH', '/v1/posts/none?a=b', { body: '{', headers: { accept: 'text/html', ...json } }],
        [413, 'PATCH', '/v1/posts/none?a=b', { body: ' '.repeat(2 * 1024 * 1024 + 1) }],
        [400, 'PATCH', '/v1/posts/none?a=b', { body: '{' }],
        [400, 'PATCH', '/v1/posts/none?a=b', { body: { title: '' } }],
        [404, 'PATCH', '/v1/posts/none', { body: { title: '' }, headers: { 'if-match': '"7"' } }],
        [412, 'PATCH', '/v1/posts/one', { body: { title: '', slug: 'two' }, headers: { 'if-match': '"7"' } }],
        [422, 'PATCH', '/v1/posts/one', { body: { title: '', slug: 'two' }, headers: { 'if-match': '"1"' } }],
        [409, 'PATCH', '/v1/posts/one', { body: { title: 'One', slug: 'two' }, headers: { 'if-match': '"1"' } }],
        [200, 'PATCH', '/v1/posts/one', { body: fits, headers: { 'if-match': '"1"' } }],
      ] as const
      await verso.post('/v1/posts', { title: 'One' })
      await verso.post('/v1/posts', { title: 'Two' })
      for (const [status, method, path, asked] of steps) {
        const answer = await verso.request(method, path, asked)
        expect(answer.status, `${status} ${method} ${path.slice(0, 40)}: ${answer.text}`).toBe(status)
      }
    })

    it('a write that takes no body: 422 for each field of one, after 404 and 412, and nothing is done; no body and {} are fine', async () => {
      const verso = await startVerso(engine)
      const admin = await verso.keyWith('admin')
      const { body: author } = await verso.post('/v1/admin/authors', { name: 'Ada' }, { key: admin })
      const { body: person } = await verso.post('/v1/admin/people', { name: 'Eve', role: 'writer' }, { key: admin })
      const { body: post } = await verso.post('/v1/posts', { title: 'One' })
      await verso.patch('/v1/posts/one', { title: 'Two' })
      await verso.patch('/v1/posts/one/pending', { title: 'Three' })
      const changes = (await verso.get('/v1/changes')).body.nextCursor
      const writes = [
        ['POST', '/v1/posts/one/pending/undo'],
        ['POST', `/v1/posts/${post.id}/revisions/1/restore`],
        ['POST', `/v1/admin/people/${person.id}/link`],
        ['DELETE', `/v1/admin/authors/${author.id}`],
        ['DELETE', '/v1/posts/one'],
      ] as const
      for (const [method, path] of writes) {
        const ask = (body: unknown, query = '', headers = {}) =>
          verso.request(method, path + query, { key: path.includes('admin') ? admin : verso.secret, body, headers })
        for (const query of ['', '?dry_run=true'])
          expect((await ask({ slug: 'x', 'a/b': 1 }, query)).body, path).toMatchObject({
            status: 422,
            errors: [{ pointer: '/slug', code: 'unknown_field' }, { pointer: '/a~1b' }],
          })
        for (const body of [[], '"x"', null]) expect((await ask(body)).status, path).toBe(422)
        if (path.startsWith('/v1/posts')) expect((await ask({ slug: 'x' }, '', { 'if-match': '"7"' })).status, path).toBe(412)
      }
      expect((await verso.post('/v1/posts/none/revisions/1/restore', { slug: 'x' })).status).toBe(404)
      expect((await verso.get(`/v1/changes?since=${changes}`)).body.data).toEqual([])
      expect((await verso.post('/v1/posts/one/pending/undo', {})).status).toBe(204)
      expect((await verso.post(`/v1/posts/${post.id}/revisions/1/restore`)).body.title).toBe('One')
      expect((await verso.request('DELETE', '/v1/posts/one', { body: {} })).status).toBe(204)
    })

    it('DELETE of an author or a category in use, with a body: 422 before 409', async () => {
      const verso = await startVerso(engine)
      const admin = { key: await verso.keyWith('admin') }
      const { body: author } = await verso.post('/v1/admin/authors', { name: 'Ada' }, admin)
      const { body: category } = await verso.post('/v1/admin/categories', { name: 'News' }, admin)
      await verso.post('/v1/posts', { title: 'One', authorId: author.id, categoryId: category.id })
      for (const path of [`/v1/admin/authors/${author.id}`, `/v1/admin/categories/${category.id}`]) {
        for (const query of ['', '?dry_run=true'])
          expect((await verso.request('DELETE', path + query, { ...admin, body: { slug: 'x' } })).body, path).toMatchObject({
            status: 422,
            errors: [{ pointer: '/slug', code: 'unknown_field' }],
          })
        expect((await verso.request('DELETE', path, { ...admin, body: {} })).body, path).toMatchObject({ status: 409, code: 'in_use' })
      }
    })

    it('an empty name is no path: 404, with a key or without', async () => {
      const verso = await startVerso(engine)
      for (const path of ['/v1/posts/', '/v1/posts//restore', '/v1/media/', '/v1/admin/keys/'])
        for (const key of [null, 'verso_live_0', verso.secret])
          expect((await verso.get(path, { key })).body, path).toMatchObject({ status: 404, detail: 'There is no such path.' })
    })

    it('DELETE: a missing scope is 403 before a parameter is 400', async () => {
      const verso = await startVerso(engine)
      const asked = { key: verso.public }
      expect((await verso.delete('/v1/posts/one?permanent=perhaps', asked)).status).toBe(403)
      expect((await verso.delete('/v1/posts/one?permanent=true&permanent=true', asked)).body.scope).toBe('posts:delete')
      expect((await verso.delete('/v1/posts/one?force=true', asked)).status).toBe(403)
      expect((await verso.delete('/v1/posts/one?force=true')).status).toBe(400)
      expect((await verso.delete('/v1/posts/one?permanent=perhaps')).body.errors).toMatchObject([{ parameter: 'permanent' }])
    })

    it('a status that the key may not ask for is 403 before another parameter is 400', async () => {
      const verso = await startVerso(engine)
      const answer = await verso.get('/v1/posts?status=draft&limit=0&nothing=1', { key: verso.public })
      expect(answer.body).toMatchObject({ status: 403, code: 'insufficient_scope', scope: 'posts:read_drafts' })
    })

    it('GET /v1/posts, …/{idOrSlug} and …/pending with include=media: a missing scope is 403 before a parameter is 400', async () => {
      const verso = await startVerso(engine)
      const key = await verso.keyWith('posts:read_drafts')
      for (const path of ['/v1/posts', '/v1/posts/one', '/v1/posts/one/pending'])
        for (const other of ['nothing=1', 'include=everything', 'fields='])
          expect((await verso.get(`${path}?include=media&${other}`, { key })).body, path).toMatchObject({
            status: 403,
            scope: 'media:read',
          })
    })

    it('GET with a preview token that does not work, and of a feed of no project: 404 before 400', async () => {
      const verso = await startVerso(engine)
      const { body: post } = await verso.post('/v1/posts', { title: 'x' })
      for (const path of [`/v1/posts/${post.id}?preview_token=verso_preview_x&nothing=1`, '/v1/feeds/none/rss.xml?nothing=1'])
        expect((await verso.get(path, { key: null })).body).toMatchObject({ status: 404, code: 'not_found' })
    })
  })

  describe(`problem documents on ${engine.name}`, () => {
    it('RFC 9457: every member, the media type, the path without its query, and the id of the request', async () => {
      const verso = await startVerso(engine)
      const answer = await verso.get('/v1/posts/none?a=b', { headers: { 'x-request-id': 'mine-1' } })
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('etag')).toBeNull()
      expect(answer.body).toEqual({
        type: 'urn:verso:problem:unknown_parameter',
        title: 'A parameter is unknown',
        status: 400,
        code: 'unknown_parameter',
        detail: 'There is no parameter `a`; the parameters here are include, fields, exclude.',
        instance: '/v1/posts/none',
        requestId: 'mine-1',
        errors: [
          { parameter: 'a', code: 'unknown', detail: 'There is no parameter `a`; the parameters here are include, fields, exclude.' },
        ],
      })
    })

    it('404 not_found for unknown paths, with and without a key', async () => {
      const verso = await startVerso(engine)
      for (const path of [
        '/index.html',
        '/v1',
        '/v1/',
        '/v2/posts',
        '/v1/post',
        '/v1/posts/a/b',
        '/v1/posts/a%2Fb',
        '//v1/posts',
        '/v1/Posts',
      ]) {
        const answer = await verso.get(path)
        expect(answer.body, path).toMatchObject({ status: 404, code: 'not_found', instance: path })
      }
      expect((await verso.get('/v1/nowhere', { key: null })).body).toMatchObject({ status: 404, detail: 'There is no such path.' })
    })

    it('405 method_not_allowed with Allow: what is there, HEAD too', async () => {
      const verso = await startVerso(engine)
      for (const [method, path, allow] of [
        ['PUT', '/v1/posts', 'GET, HEAD, POST'],
        ['DELETE', '/v1/posts', 'GET, HEAD, POST'],
        ['PUT', '/v1/posts/one', 'DELETE, GET, HEAD, PATCH'],
        ['POST', '/v1/posts/one', 'DELETE, GET, HEAD, PATCH'],
        ['GET', '/v1/posts/one/restore', 'POST'],
        ['HEAD', '/v1/posts/one/restore', 'POST'],
        ['PATCH', '/v1/admin/keys/one', 'DELETE, GET, HEAD'],
        ['POST', '/healthz', 'GET, HEAD'],
        ['OPTIONS', '/healthz', 'GET, HEAD'],
        ['PROPFIND', '/v1/posts', 'GET, HEAD, POST'],
        ['PUT', '/v1/p%6fsts', 'GET, HEAD, POST'],
        ['POST', '/%761/post%73/one', 'DELETE, GET, HEAD, PATCH'],
        ['GET', '/studio/session/token', 'POST'],
        ['HEAD', '/studio/session/tok%65n', 'POST'],
        ['POST', '/studio/in/default/posts', 'GET, HEAD'],
      ] as const) {
        const answer = await verso.request(method, path, { key: null })
        expect(answer.status, `${method} ${path}`).toBe(405)
        expect(answer.headers.get('allow')).toBe(allow)
        if (method !== 'HEAD') expect(answer.body.code).toBe('method_not_allowed')
      }
    })

    it('a path is unknown with every method or with none', async () => {
      const verso = await startVerso(engine)
      for (const path of ['/v1/posts/', '//v1/posts', '/V1/posts', '/v1/posts%2Fone', '/studio/session/nowhere', '/studio/a.js'])
        for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PROPFIND'])
          expect((await verso.request(method, path)).status, `${method} ${path}`).toBe(404)
    })

    it('X-Request-Id is echoed where it can do no harm, and made where not', async () => {
      const verso = await startVerso(engine)
      const ask = async (id: string) => (await verso.get('/v1/posts', { headers: { 'x-request-id': id } })).headers.get('x-request-id')
      for (const id of ['a', '0af7651916cd43dd8448eb211c80319c', 'a.b:c/d+e=f@g-h_i', 'x'.repeat(128)]) expect(await ask(id)).toBe(id)
      for (const id of ['', 'a b', 'a"b', 'x'.repeat(129), 'é', verso.secret, `id=${verso.secret}`])
        expect(await ask(id)).toMatch(/^req_[0-9a-z]{26}$/)
      const made = await Promise.all([verso.get('/v1/posts'), verso.get('/v1/nowhere'), verso.get('/healthz')])
      expect(new Set(made.map((answer) => answer.headers.get('x-request-id'))).size).toBe(3)
    })
  })
}
