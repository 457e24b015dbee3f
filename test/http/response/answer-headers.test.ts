import { describe, expect, it } from 'vitest'
import { engines, shared, startVerso, type TestApp } from '../../harness/harness.ts'
import { sendRaw } from '../../harness/raw-http.ts'

const security = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cross-origin-resource-policy': 'same-origin' }
const open = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Link, Retry-After, X-Request-Id, RateLimit',
}
const long = 'a'.repeat(9_000)

// The database has no part in it: one engine is enough.
for (const engine of engines.slice(0, 1)) {
  describe(`the headers of every answer on ${engine.name}`, () => {
    const service = shared(async () => {
      const verso = await startVerso(engine)
      await verso.post('/v1/posts', { title: 'One', status: 'published' })
      return verso
    })

    it.each([
      ['GET', '/', 200],
      ['GET', '/healthz', 200],
      ['GET', '/readyz', 200],
      ['GET', '/metrics', 404],
      ['GET', '/openapi.json', 200],
      ['HEAD', '/docs', 200],
      ['GET', '/nowhere', 404],
      ['GET', '/v1/posts', 200],
      ['HEAD', '/v1/posts/one', 200],
      ['POST', '/v1/posts', 415],
      ['PUT', '/v1/posts', 405],
      ['GET', '/v1/posts?search=…', 414],
      ['GET', '/v1/posts/%FF', 400],
      ['GET', '/v1/posts?limit=0', 400],
      ['OPTIONS', '/v1/posts', 204],
    ] as const)('%s %s: %i with nosniff, no-referrer and same-origin', async (method, path, status) => {
      const answer = await (await service()).request(method, path.replace('…', long))
      expect({ status: answer.status, ...Object.fromEntries(answer.headers) }).toMatchObject({ status, ...security })
    })

    it('304, from the cache and not, has them too', async () => {
      const verso = await service()
      for (const prefer of ['server-timing', 'nothing']) {
        const etag = (await verso.get('/v1/posts')).headers.get('etag') ?? ''
        const again = await verso.get('/v1/posts', { headers: { 'if-none-match': etag, prefer } })
        expect({ status: again.status, ...Object.fromEntries(again.headers) }).toMatchObject({ status: 304, ...security })
      }
    })

    it.each([
      ['400', 'hello\r\n\r\n'],
      ['414', `GET /${'a'.repeat(40_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`],
      ['431', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`],
    ])('%s of the parser has them, and web pages may read it', async (status, bytes) => {
      const { app } = await service()
      const answer = await sendRaw(app.url, bytes)
      expect({ status: answer.status, ...Object.fromEntries(answer.headers) }).toMatchObject({
        status: Number(status),
        ...security,
        ...open,
      })
    })
  })

  describe(`the headers of an answer from memory on ${engine.name}`, () => {
    const service = shared(async () => {
      const verso = await startVerso(engine)
      const admin = { key: await verso.keyWith('admin') }
      await verso.patch('/v1/admin/project', { siteUrl: 'https://example.org', permalink: '/{slug}' }, admin)
      for (const title of ['One', 'Two', 'Three'])
        await verso.post('/v1/posts', { title, content: 'Some words. '.repeat(500), status: 'published' })
      return verso
    })

    /** The names of the headers, in the order in which they came. */
    const namesOf = async ({ app, public: key }: TestApp, path: string, more: string) => {
      const head = `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n${more}\r\n`
      const { status, headers } = await sendRaw(app.url, head)
      return [status, ...headers.keys()]
    }

    it.each(['/v1/posts?limit=2', '/v1/posts/one', '/v1/project', '/v1/feeds/default/rss.xml', '/v1/feeds/default/sitemap.xml'])(
      'GET %s: 200 and 304 with the same headers in the same order, whoever has asked before',
      async (path) => {
        const verso = await service()
        const etag = async (coding: string) =>
          (await verso.get(path, { key: verso.public, headers: { 'accept-encoding': coding, prefer: 'nothing' } })).headers.get('etag')
        for (const coding of ['gzip', 'br', 'identity']) {
          const asked = `Accept-Encoding: ${coding}\r\n`
          const [first, second, third] = [
            await namesOf(verso, path, asked),
            await namesOf(verso, path, asked),
            await namesOf(verso, path, asked),
          ]
          expect([second, third]).toEqual([first, first])
          const known = `${asked}If-None-Match: ${await etag(coding)}\r\n`
          const anew = await namesOf(verso, path, `${known}Prefer: server-timing\r\n`)
          expect(await namesOf(verso, path, known)).toEqual(anew.filter((name) => name !== 'server-timing'))
        }
      },
    )
  })

  describe(`problems before the key is looked up, on ${engine.name}`, () => {
    const service = shared(() => startVerso(engine))
    const refused = [
      ['GET', '/v1/nowhere', 404],
      ['GET', '/nowhere', 404],
      ['PUT', '/v1/posts', 405],
      ['GET', '/v1/posts?search=…', 414],
      ['GET', '/v1/posts/%FF', 400],
    ] as const

    it.each(refused)('%s %s: %i can be read by web pages with a public key and with none', async (method, path, status) => {
      const verso = await service()
      for (const key of [verso.public, null]) {
        const answer = await verso.request(method, path.replace('…', long), { key })
        expect({ status: answer.status, ...Object.fromEntries(answer.headers) }).toMatchObject({ status, ...open })
      }
    })

    it.each(refused)('%s %s: %i with a secret key cannot', async (method, path, status) => {
      const answer = await (await service()).request(method, path.replace('…', long))
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, null])
    })
  })
}
