import { describe, expect, it } from 'vitest'
import { engines, startVerso } from '../../harness/harness.ts'
import { sendRaw } from '../../harness/raw-http.ts'

// The database has no part in it: one engine is enough.
for (const engine of engines.slice(0, 1)) {
  describe(`content types on ${engine.name}`, () => {
    it('POST /v1/posts: JSON alone, in UTF-8; 415 for anything else', async () => {
      const verso = await startVerso(engine)
      for (const [type, status] of [
        ['application/json', 201],
        ['Application/JSON', 201],
        ['application/json; charset=utf-8', 201],
        ['application/json;charset="UTF-8"', 201],
        ['application/json; charset=latin1', 415],
        ['application/jsonp', 415],
        ['application/problem+json', 415],
        ['application/merge-patch+json', 415],
        ['text/plain', 415],
        ['text/plain, application/json', 415],
        ['application/x-www-form-urlencoded', 415],
        ['multipart/form-data; boundary=x', 415],
        ['', 415],
      ] as const) {
        const answer = await verso.post('/v1/posts', { title: 'One' }, { headers: { 'content-type': type } })
        expect(answer.status, type).toBe(status)
        if (status === 415) {
          expect(answer.body.code).toBe('unsupported_content_type')
          expect(answer.headers.get('accept')).toBe('application/json')
        }
      }
    })

    it('POST /v1/posts: a body of 2 MiB is read, and one byte more is 413 body_too_large, its length said or not', async () => {
      const verso = await startVerso(engine)
      const body = '{"title":"One"}'.padEnd(2 * 1024 * 1024, ' ')
      expect((await verso.post('/v1/posts', body)).status).toBe(201)
      expect((await verso.post('/v1/posts', `${body} `)).body).toMatchObject({ status: 413, code: 'body_too_large' })
      const close = 'Host: localhost\r\nConnection: close\r\n'
      const head = `POST /v1/posts HTTP/1.1\r\n${close}Authorization: Bearer ${verso.secret}\r\nContent-Type: application/json\r\n`
      const chunks = [`${body.length.toString(16)}\r\n${body}\r\n`, '1\r\n \r\n0\r\n\r\n']
      const answer = await sendRaw(verso.app.url, `${head}Transfer-Encoding: chunked\r\n\r\n`, ...chunks)
      expect(JSON.parse(answer.body)).toMatchObject({ status: 413, code: 'body_too_large' })
      expect((await verso.get('/v1/posts')).body.pagination.total).toBe(1)
    })

    it('POST /v1/posts compressed, or without a type: 415', async () => {
      const verso = await startVerso(engine)
      expect((await verso.post('/v1/posts', { title: 'One' }, { headers: { 'content-encoding': 'gzip' } })).status).toBe(415)
      expect((await verso.post('/v1/posts', { title: 'One' }, { headers: { 'content-encoding': 'identity' } })).status).toBe(201)
      expect((await verso.request('POST', '/v1/posts')).status).toBe(415)
    })

    it('PATCH /v1/posts/{id}: merge patches under their own type and as JSON', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One' })
      for (const type of ['application/merge-patch+json', 'application/json']) {
        expect((await verso.patch('/v1/posts/one', { excerpt: type }, { headers: { 'content-type': type } })).body.excerpt).toBe(type)
      }
      const other = await verso.patch('/v1/posts/one', [], { headers: { 'content-type': 'application/json-patch+json' } })
      expect(other.status).toBe(415)
    })

    it('DELETE as application/json without a body: 204, as many clients send it', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One' })
      expect((await verso.delete('/v1/posts/one', { headers: { 'content-type': 'application/json' } })).status).toBe(204)
    })

    it('DELETE and POST …/pending/undo, which take no body: 415 for one that is no JSON in UTF-8 or is compressed, before 406', async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One' })
      await verso.patch('/v1/posts/one/pending', { title: 'Two' })
      const json = 'application/json'
      for (const [method, path] of [
        ['POST', '/v1/posts/one/pending/undo'],
        ['DELETE', '/v1/posts/one'],
      ] as const) {
        for (const headers of [
          { 'content-type': 'text/plain' },
          { 'content-type': 'text/plain', accept: 'text/html' },
          { 'content-type': `${json}; charset=utf-16` },
          { 'content-type': json, 'content-encoding': 'gzip' },
        ]) {
          const answer = await verso.request(method, path, { body: {}, headers })
          expect(answer.body, `${method} ${JSON.stringify(headers)}`).toMatchObject({ status: 415, code: 'unsupported_content_type' })
          expect(answer.headers.get('accept')).toBe(json)
        }
        expect((await verso.request(method, path, { body: {}, headers: { 'content-type': `${json}; charset=utf-8` } })).status).toBe(204)
      }
    })

    it('GET /v1/posts: 406 where Accept excludes JSON', async () => {
      const verso = await startVerso(engine)
      for (const [accept, status] of [
        ['*/*', 200],
        ['application/json', 200],
        ['application/*;q=0.1', 200],
        ['text/html, */*;q=0.1', 200],
        ['text/html, application/json;q=0', 406],
        ['text/html', 406],
        ['application/xml', 406],
        ['*/*;q=0', 406],
        ['application/json;q=0, */*', 406],
      ] as const) {
        const answer = await verso.get('/v1/posts', { headers: { accept } })
        expect(answer.status, accept).toBe(status)
        if (status === 406) expect(answer.body.code).toBe('not_acceptable')
      }
    })
  })
}
