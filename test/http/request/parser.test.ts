import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { sendClientError } from '../../../src/http/response/client-errors.ts'
import { engines, startVerso, testContext } from '../../harness/harness.ts'
import { type RawAnswer, sendRaw } from '../../harness/raw-http.ts'

/** What every refusal has, however early it was made. */
function expectProblem({ status, headers, body }: RawAnswer, expected: { status: number; code: string }, what?: string): void {
  expect({ status, ...JSON.parse(body || '{}') }, what).toMatchObject(expected)
  expect(headers.get('content-type')).toBe('application/problem+json')
  expect(headers.get('x-request-id')).toBe(JSON.parse(body).requestId)
  expect(headers.get('cache-control')).toBe('no-store')
}

const close = 'Host: localhost\r\nConnection: close\r\n'

// The database has no part in it: one engine is enough.
for (const engine of engines.slice(0, 1)) {
  describe(`the parser of requests on ${engine.name}`, () => {
    it('400 malformed_request for what is no request', async () => {
      const { app } = await startVerso(engine)
      for (const [what, bytes] of [
        ['what is no HTTP at all', 'hello\r\n\r\n'],
        ['an unknown method', `BREW /v1/posts HTTP/1.1\r\n${close}\r\n`],
        ['a header without a colon', `GET /v1/posts HTTP/1.1\r\n${close}no colon\r\n\r\n`],
        ['no Host (RFC 9112 §3.2)', 'GET /v1/posts HTTP/1.1\r\nConnection: close\r\n\r\n'],
        ['two lengths', `POST /v1/posts HTTP/1.1\r\n${close}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
        ['length and chunks', `POST /v1/posts HTTP/1.1\r\n${close}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
        ['letters that are not percent-encoded', `GET /v1/posts?search=caf\u00e9 HTTP/1.1\r\n${close}\r\n`],
        ['a path that is not UTF-8', `GET /v1/posts/%FF HTTP/1.1\r\n${close}\r\n`],
        ['a path that is cut off', `GET /v1/posts/%C3 HTTP/1.1\r\n${close}\r\n`],
      ] as const) {
        expectProblem(await sendRaw(app.url, bytes), { status: 400, code: 'malformed_request' }, what)
      }
    })

    it('400 malformed_request for a chunk without a length, and nothing is written', async () => {
      const verso = await startVerso(engine)
      const head = `POST /v1/posts HTTP/1.1\r\n${close}Authorization: Bearer ${verso.secret}\r\nContent-Type: application/json\r\n`
      const answer = await sendRaw(verso.app.url, `${head}Transfer-Encoding: chunked\r\n\r\n`, 'f\r\n{"title": "One"\r\n', 'no length\r\n')
      expectProblem(answer, { status: 400, code: 'malformed_request' })
      expect((await verso.get('/v1/posts')).body.pagination.total).toBe(0)
    })

    it('414 uri_too_long beyond 8 KiB, however far', async () => {
      const { app } = await startVerso(engine)
      for (const length of [8 * 1024, 20_000, 40_000, 70_000]) {
        const answer = await sendRaw(app.url, `GET /v1/posts?search=${'a'.repeat(length)} HTTP/1.1\r\n${close}\r\n`)
        expectProblem(answer, { status: 414, code: 'uri_too_long' })
      }
      expect((await sendRaw(app.url, `GET /${'a'.repeat(8 * 1024 - 1)} HTTP/1.1\r\n${close}\r\n`)).status).toBe(404)
    })

    it('431 headers_too_large beyond 32 KiB, also when they come in pieces', async () => {
      const { app } = await startVerso(engine)
      const value = 'a'.repeat(12_000)
      expectProblem(await sendRaw(app.url, `GET /v1/posts HTTP/1.1\r\n${close}X: ${value}${value}${value}\r\n\r\n`), {
        status: 431,
        code: 'headers_too_large',
      })
      expectProblem(await sendRaw(app.url, `GET /v1/posts HTTP/1.1\r\n${close}X: `, value, value, value, value), {
        status: 431,
        code: 'headers_too_large',
      })
    })

    it('an expectation that nobody knows is passed over (RFC 9110 §10.1.1)', async () => {
      const { app } = await startVerso(engine)
      const answer = await sendRaw(app.url, `GET /healthz HTTP/1.1\r\n${close}Expect: miracles\r\n\r\n`)
      expect(answer.status).toBe(200)
    })

    it('a URL in absolute form is its path (RFC 9112 §3.2.2)', async () => {
      const verso = await startVerso(engine)
      const head = `${close}Authorization: Bearer ${verso.secret}\r\n`
      const answer = await sendRaw(verso.app.url, `GET http://example.com/v1/posts?limit=5 HTTP/1.1\r\n${head}\r\n`)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('link')).toContain('</v1/posts?limit=5&page=1>; rel="first"')
    })

    it('HTTP/1.0 without Host is served', async () => {
      const { app } = await startVerso(engine)
      expect((await sendRaw(app.url, 'GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200)
    })
  })
}

describe('a connection that does not go on', () => {
  function answerTo(code: string, rawPacket?: Buffer): string {
    const socket = new PassThrough()
    sendClientError(testContext())(Object.assign(new Error(code), { code, rawPacket }) as never, socket as never)
    return String(socket.read() ?? '')
  }

  it('408 request_timeout where the request did not arrive in time', () => {
    const answer = answerTo('ERR_HTTP_REQUEST_TIMEOUT')
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(answer).toContain('\r\nConnection: close\r\n')
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ status: 408, code: 'request_timeout' })
  })

  it('nothing is said to a client that is gone', () => {
    expect(answerTo('ECONNRESET')).toBe('')
  })
})
