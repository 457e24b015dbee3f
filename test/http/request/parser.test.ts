import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import pino from 'pino'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { sendClientError } from '../../../src/http/connection/client-errors.ts'
import { engines, startVerso, testContext } from '../../harness/harness.ts'
import { type RawAnswer, sendRaw, sendRawAndClose } from '../../harness/raw-http.ts'

/** What every refusal has, however early it was made. */
function expectProblem({ status, headers, body }: RawAnswer, expected: { status: number; code: string }, what?: string): void {
  expect({ status, ...JSON.parse(body || '{}') }, what).toMatchObject(expected)
  expect(headers.get('content-type')).toBe('application/problem+json')
  expect(headers.get('x-request-id')).toBe(JSON.parse(body).requestId)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(Date.parse(headers.get('date') ?? '')).not.toBeNaN()
  expect(body.split(/HTTP\/1\.1 \d/), 'one response').toHaveLength(1)
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
        ['two Hosts (RFC 9112 §3.2)', `GET /v1/posts HTTP/1.1\r\n${close}HOST: other\r\n\r\n`],
        ['two keys', `GET /v1/posts HTTP/1.1\r\n${close}Authorization: Bearer a\r\nauthorization: Bearer b\r\n\r\n`],
        ['letters that are not percent-encoded', `GET /v1/posts?search=caf\u00e9 HTTP/1.1\r\n${close}\r\n`],
        ['a path that is not UTF-8', `GET /v1/posts/%FF HTTP/1.1\r\n${close}\r\n`],
        ['a star that is not alone (RFC 9112 §3.2.4)', `GET *v1/posts?limit=1 HTTP/1.1\r\n${close}\r\n`],
        ['a star with a query', `OPTIONS *?a=b HTTP/1.1\r\n${close}\r\n`],
        ['a star before a path under /v1', `OPTIONS *v1/posts HTTP/1.1\r\n${close}\r\n`],
        ['a star without OPTIONS', `GET * HTTP/1.1\r\n${close}\r\n`],
        ['another scheme', `GET ftp://localhost/v1/posts HTTP/1.1\r\n${close}\r\n`],
        ['a path without a slash', `GET v1/posts HTTP/1.1\r\n${close}\r\n`],
        ['a path that is cut off', `GET /v1/posts/%C3 HTTP/1.1\r\n${close}\r\n`],
      ] as const) {
        expectProblem(await sendRaw(app.url, bytes), { status: 400, code: 'malformed_request' }, what)
      }
    })

    it('POST *v1/posts: 400 malformed_request, and nothing is written', async () => {
      const verso = await startVerso(engine)
      const head = `POST *v1/posts HTTP/1.1\r\n${close}Authorization: Bearer ${verso.secret}\r\nContent-Type: application/json\r\n`
      const answer = await sendRaw(verso.app.url, `${head}Content-Length: 15\r\n\r\n{"title":"One"}`)
      expectProblem(answer, { status: 400, code: 'malformed_request' })
      expect((await verso.get('/v1/posts')).body.pagination.total).toBe(0)
    })

    it('400 malformed_request for a chunk without a length, and nothing is written', async () => {
      const verso = await startVerso(engine)
      const head = `POST /v1/posts HTTP/1.1\r\n${close}Authorization: Bearer ${verso.secret}\r\nContent-Type: application/json\r\n`
      const answer = await sendRaw(verso.app.url, `${head}Transfer-Encoding: chunked\r\n\r\n`, 'f\r\n{"title": "One"\r\n', 'no length\r\n')
      expectProblem(answer, { status: 400, code: 'malformed_request' })
      expect((await verso.get('/v1/posts')).body.pagination.total).toBe(0)
    })

    it('a Host that is no host: 400 malformed_request (RFC 9112 §3.2), also of a list that is cached', async () => {
      const verso = await startVerso(engine)
      const ask = (host: string) => {
        const head = `GET /v1/posts HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nAuthorization: Bearer ${verso.secret}\r\n\r\n`
        return sendRaw(verso.app.url, head)
      }
      for (const host of ['localhost', 'localhost:', 'a_b.example:4400', '1.2.3.4', '[::1]:80', '[fe80::1%25eth0]', 'münchen.example', ''])
        expect((await ask(host)).status, host).toBe(200)
      for (const host of ['a b/c', 'http://x/', 'a.example, b.example', 'user@a.example', 'a.example?b', 'a\\b', '"a"'])
        expectProblem(await ask(host), { status: 400, code: 'malformed_request' }, host)
    })

    it('414 uri_too_long beyond 8 KiB, however far', async () => {
      const { app } = await startVerso(engine)
      for (const length of [8 * 1024, 20_000, 40_000, 70_000]) {
        for (const before of ['/v1/posts?search=', '/v1/posts/', '/nowhere/']) {
          const answer = await sendRaw(app.url, `GET ${before}${'a'.repeat(length)} HTTP/1.1\r\n${close}\r\n`)
          expectProblem(answer, { status: 414, code: 'uri_too_long' })
        }
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

    it('501 not_implemented for another transfer coding than chunked (RFC 9112 §6.1), and for CONNECT', async () => {
      const { app } = await startVerso(engine)
      const codings = ['gzip', 'gzip, chunked', 'identity']
      for (const coding of codings) {
        const answer = await sendRaw(app.url, `POST /v1/posts HTTP/1.1\r\n${close}Transfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`)
        expectProblem(answer, { status: 501, code: 'not_implemented' }, coding)
      }
      const tunnel = await sendRaw(app.url, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n')
      expectProblem(tunnel, { status: 501, code: 'not_implemented' })
    })

    it('a cached list with two keys: 400 malformed_request', async () => {
      const verso = await startVerso(engine)
      const key = `Authorization: Bearer ${verso.secret}\r\n`
      for (const keys of [key, key])
        expect((await sendRaw(verso.app.url, `GET /v1/posts HTTP/1.1\r\n${close}${keys}\r\n`)).status).toBe(200)
      const answer = await sendRaw(verso.app.url, `GET /v1/posts HTTP/1.1\r\n${close}${key}${key}\r\n`)
      expectProblem(answer, { status: 400, code: 'malformed_request' })
    })

    it('every refusal by the parser has a line in the log, with its id', async () => {
      const lines: string[] = []
      const { app } = await startVerso(engine, { onLog: (line) => void lines.push(line) })
      const refused = ['garbage\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', `GET / HTTP/1.1\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`]
      for (const bytes of refused) {
        const { status, body } = await sendRaw(app.url, bytes)
        const logged = lines.map((line) => JSON.parse(line)).filter(({ requestId }) => requestId === JSON.parse(body).requestId)
        expect(logged).toMatchObject([{ method: 'unknown', route: 'none', status }])
      }
    })

    it('CONNECT from a client that resets the connection: the service goes on', async () => {
      const { app } = await startVerso(engine)
      const { hostname, port } = new URL(app.url)
      for (const wait of [0, 5, 50]) {
        const socket = connect(Number(port), hostname).on('error', () => undefined)
        await new Promise<void>((sent) => socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', () => sent()))
        for (let n = 0; n < wait; n++) await new Promise(setImmediate)
        socket.resetAndDestroy()
        for (let n = 0; n < 3; n++) expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
      }
    })

    it('400 for what the router refuses has a line in the log, too', async () => {
      const lines: string[] = []
      const { app } = await startVerso(engine, { onLog: (line) => void lines.push(line) })
      const answer = await sendRaw(app.url, `POST /v1/posts/%FF HTTP/1.1\r\n${close}Content-Length: 4\r\nX-Request-Id: mine-7\r\n\r\nbody`)
      expectProblem(answer, { status: 400, code: 'malformed_request' })
      await expect.poll(() => lines.map((line) => JSON.parse(line)).filter(({ requestId }) => requestId === 'mine-7')).toHaveLength(1)
      expect(lines.map((line) => JSON.parse(line)).find(({ requestId }) => requestId === 'mine-7')).toMatchObject({
        method: 'POST',
        route: 'none',
        status: 400,
      })
    })

    it('headers beyond the 2,000th are seen: a second Host or key is 400, another transfer coding 501', async () => {
      const verso = await startVerso(engine)
      const many = 'a:\r\n'.repeat(2_100)
      const key = `Authorization: Bearer ${verso.secret}\r\n`
      for (const [status, method, late] of [
        [400, 'GET', 'Host: other\r\n'],
        [400, 'GET', key],
        [501, 'POST', 'Content-Type: application/json\r\nTransfer-Encoding: gzip, chunked\r\n'],
        [412, 'PATCH', 'Content-Type: application/json\r\nContent-Length: 2\r\nIf-Match: "7"\r\n'],
      ] as const) {
        const path = method === 'PATCH' ? '/v1/posts/one' : '/v1/posts'
        await verso.post('/v1/posts', { title: 'One', slug: 'one' })
        const answer = await sendRaw(
          verso.app.url,
          `${method} ${path} HTTP/1.1\r\n${close}${key}${many}${late}\r\n${method === 'PATCH' ? '{}' : ''}`,
        )
        expect([late, answer.status]).toEqual([late, status])
      }
    })

    it('400 malformed_request for a URL with a fragment, which clients never send', async () => {
      const verso = await startVerso(engine)
      const answer = await sendRaw(verso.app.url, `GET /v1/posts#limit=5 HTTP/1.1\r\n${close}Authorization: Bearer ${verso.secret}\r\n\r\n`)
      expectProblem(answer, { status: 400, code: 'malformed_request' })
    })

    it('what comes after a request is refused after its response, and never instead of it', async () => {
      const verso = await startVerso(engine)
      const head = `GET /v1/posts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${verso.secret}\r\n\r\n`
      const { status, body } = await sendRaw(verso.app.url, `${head}garbage\r\n\r\n`)
      expect(status).toBe(200)
      expect(body).toMatch(/^\{"data":\[\].*\}HTTP\/1\.1 400 Bad Request\r\n/)
    })

    it('nothing is sent after a response that closes the connection', async () => {
      const verso = await startVerso(engine)
      let release = () => {}
      const held = verso.app.installation.engine.alone(() => new Promise<void>((resolve) => (release = resolve)))
      const head = `POST /v1/posts HTTP/1.1\r\n${close}Authorization: Bearer ${verso.secret}\r\nContent-Type: application/json\r\n`
      const answering = sendRaw(verso.app.url, `${head}Content-Length: 15\r\n\r\n{"title":"One"}garbage\r\n\r\n`)
      for (let n = 0; n < 3; n++) await fetch(`${verso.app.url}/healthz`)
      release()
      await held
      const { status, body } = await answering
      expect(status).toBe(201)
      expect(body).not.toContain('HTTP/1.1')
    })

    it('404 not_found, once, for a body that is refused before it turns out to be malformed', async () => {
      const { app } = await startVerso(engine)
      const head = 'POST /nowhere HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
      expectProblem(await sendRaw(app.url, head, 'f\r\n{"title": "One"\r\n', 'no length\r\n'), { status: 404, code: 'not_found' })
    })

    it('413 body_too_large is read by a client that goes on sending, and the connection serves on', async () => {
      const verso = await startVerso(engine)
      const head = `POST /v1/posts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${verso.secret}\r\nContent-Type: application/json\r\n`
      const body = new Uint8Array(6 * 1024 * 1024)
      const next = `GET /healthz HTTP/1.1\r\n${close}\r\n`
      for (const parts of [
        [`${head}Content-Length: ${body.length}\r\n\r\n`, body, next],
        [`${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n`, body, `\r\n0\r\n\r\n${next}`],
      ]) {
        const answer = await sendRaw(verso.app.url, ...parts)
        expect(answer.status).toBe(413)
        expect(answer.body).toMatch(/^\{[^}]*"body_too_large".*\}HTTP\/1\.1 200 OK\r\n/)
      }
      const endless = await sendRaw(
        verso.app.url,
        `${head}Content-Length: ${100 * 2 ** 20}\r\n\r\n`,
        ...Array(40).fill(new Uint8Array(2 ** 20)),
      )
      expectProblem(endless, { status: 413, code: 'body_too_large' })
    })

    it('a client that closes its side after its request gets its response', async () => {
      const verso = await startVerso(engine)
      const key = `Host: a\r\nAuthorization: Bearer ${verso.secret}\r\n`
      expect((await sendRawAndClose(verso.app.url, `GET /v1/posts HTTP/1.1\r\n${key}\r\n`)).status).toBe(200)
      const head = `POST /v1/posts HTTP/1.1\r\n${key}Content-Type: application/json\r\nContent-Length: 15\r\n\r\n`
      expect((await sendRawAndClose(verso.app.url, head, '{"title":"One"}')).status).toBe(201)
      expectProblem(await sendRawAndClose(verso.app.url, head, '{"title":"O'), { status: 400, code: 'malformed_request' })
      expect((await verso.get('/v1/posts')).body.pagination.total).toBe(1)
    })

    it('a client that closes its side within its next request gets the responses to both', async () => {
      const verso = await startVerso(engine)
      const head = `POST /v1/posts HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`
      let release = () => {}
      const held = verso.app.installation.engine.alone(() => new Promise<void>((resolve) => (release = resolve)))
      const create = `${head}Authorization: Bearer ${verso.secret}\r\nContent-Length: 15\r\n\r\n{"title":"One"}`
      const answering = sendRawAndClose(verso.app.url, `${create}${head}Content-Length: 15\r\n\r\n{"title":"T`)
      // What the client has sent has arrived once a later client is answered.
      for (let n = 0; n < 3; n++) await fetch(`${verso.app.url}/healthz`)
      release()
      await held
      const { status, body } = await answering
      expect(status).toBe(201)
      expect(body).toContain('HTTP/1.1 401 Unauthorized')
      expect((await verso.get('/v1/posts')).body.pagination.total).toBe(1)
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
  it('is closed 5 s after it was refused, although its client goes on sending', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const socket = Object.assign(new PassThrough(), { setTimeout: () => undefined, bytesRead: 0 })
    const refuse = sendClientError({ context: testContext(), log: pino({ level: 'silent' }), logRequest: () => undefined })
    refuse(Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket as never)
    for (let second = 1; second < 5; second++) {
      vi.advanceTimersByTime(1_000)
      socket.emit('data', Buffer.from('x'))
      expect(socket.destroyed).toBe(false)
    }
    vi.advanceTimersByTime(1_000)
    expect(socket.destroyed).toBe(true)
  })

  function answerTo(code: string): string {
    const socket = Object.assign(new PassThrough(), { setTimeout: () => undefined, bytesRead: 0 })
    const refuse = sendClientError({ context: testContext(), log: pino({ level: 'silent' }), logRequest: () => undefined })
    refuse(Object.assign(new Error(code), { code }), socket as never)
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
