import { describe, expect, it } from 'vitest'
import { engines, startVerso } from '../../harness/harness.ts'
import { sendRaw } from '../../harness/raw-http.ts'

const cors = /^access-control-/

// The database has no part in it: one engine is enough.
for (const engine of engines.slice(0, 1)) {
  describe(`requests from web pages on ${engine.name}`, () => {
    it('OPTIONS under /v1 needs no key and always answers 204 alike', async () => {
      const verso = await startVerso(engine)
      const preflight = {
        origin: 'https://site.example',
        'access-control-request-method': 'DELETE',
        'access-control-request-headers': 'x-odd',
      }
      const answers = [
        await verso.request('OPTIONS', '/v1/posts', { key: null }),
        await verso.request('OPTIONS', '/v1/posts', { headers: preflight }),
        await verso.request('OPTIONS', '/v1/posts/none/restore', { key: 'nonsense', headers: preflight }),
        await verso.request('OPTIONS', '/v1/admin/keys?a=b', { key: verso.public }),
        await verso.request('OPTIONS', '/v1/nowhere', { key: null, headers: { accept: 'text/html' } }),
        await verso.request('OPTIONS', '/v1/posts', { key: null, headers: { 'content-type': 'text/plain' }, body: 'x' }),
        await verso.request('OPTIONS', '/v1/posts', { key: null, body: '{' }),
        await verso.request('OPTIONS', `/v1/posts?search=${'a'.repeat(9_000)}`, { key: null }),
        await verso.request('OPTIONS', '/v1/posts/%FF', { key: null }),
        await verso.request('OPTIONS', '/v1', { key: null }),
        await verso.request('OPTIONS', '/v1/', { key: null }),
      ]
      for (const { status, headers, text } of answers) {
        expect(status).toBe(204)
        expect(text).toBe('')
        expect(Object.fromEntries([...headers].filter(([name]) => cors.test(name)))).toEqual({
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'GET, HEAD',
          'access-control-allow-headers': 'Authorization, If-None-Match, X-Request-Id',
          'access-control-max-age': '86400',
        })
      }
    })

    it('OPTIONS http://host/v1 and OPTIONS *: 204, as OPTIONS /v1', async () => {
      const { app } = await startVerso(engine)
      for (const target of ['/v1', '*', 'http://host/v1', 'HTTPS://host:8080/v1/nowhere?a=b', 'http://host/v1/posts/%FF']) {
        const { status, headers } = await sendRaw(app.url, `OPTIONS ${target} HTTP/1.1\r\nHost: host\r\nConnection: close\r\n\r\n`)
        expect([status, headers.get('access-control-allow-methods')], target).toEqual([204, 'GET, HEAD'])
      }
      for (const target of ['http://host/v10', 'http://host', 'http://v1/'])
        expect((await sendRaw(app.url, `OPTIONS ${target} HTTP/1.1\r\nHost: host\r\nConnection: close\r\n\r\n`)).status, target).not.toBe(
          204,
        )
    })

    it('answers to public keys can be read by any page, refusals too; every 401 as well', async () => {
      const verso = await startVerso(engine)
      const asked = { key: verso.public, headers: { origin: 'https://site.example' } }
      const answers = [
        await verso.get('/v1/posts', asked),
        await verso.get('/v1/posts/none', asked),
        await verso.get('/v1/posts?limit=0', asked),
        await verso.get('/v1/posts?status=draft', asked),
        await verso.post('/v1/posts', { title: 'One' }, asked),
        await verso.get('/v1/posts', { ...asked, headers: { accept: 'text/html' } }),
        await verso.get('/v1/posts', { key: null }),
        await verso.get('/v1/posts', { key: `${verso.secret}x` }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 403, 403, 406, 401, 401])
      for (const { headers } of answers) {
        expect(headers.get('access-control-allow-origin')).toBe('*')
        expect(headers.get('access-control-expose-headers')).toBe('ETag, Link, Retry-After, X-Request-Id, RateLimit')
      }
    })

    it('answers to secret keys can be read by none', async () => {
      const verso = await startVerso(engine)
      const headers = { origin: 'https://site.example' }
      for (const path of ['/v1/posts', '/v1/posts/none', '/v1/posts?limit=0']) {
        const answer = await verso.get(path, { headers })
        expect([...answer.headers.keys()].filter((name) => cors.test(name))).toEqual([])
      }
    })
  })
}
