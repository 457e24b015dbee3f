import { describe, expect, it } from 'vitest'
import { engines, shared, startVerso } from '../../harness/harness.ts'
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
