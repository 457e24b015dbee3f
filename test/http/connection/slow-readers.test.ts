import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import pino from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { pacedResponses } from '../../../src/http/connection/paced-response.ts'
import { SlowReaders } from '../../../src/http/connection/slow-readers.ts'
import { engines, startVerso, type TestApp, testContext } from '../../harness/harness.ts'

const list = '/v1/posts?limit=24'
const listBytes = 24 * 2 ** 20

/** A service with a list of 24 MiB, more than the system holds for a connection, whose seconds the test lets pass. */
async function startWithLargeList(engine: (typeof engines)[number], env: Readonly<Record<string, string>>) {
  const lines: string[] = []
  const everySecond: (() => Promise<void>)[] = []
  const context = {
    ...testContext(),
    repeat: (everyMs: number, work: () => Promise<void>) => {
      if (everyMs === 1_000) everySecond.push(work)
      return { stop: async () => undefined }
    },
  }
  const verso = await startVerso(engine, { context, env, onLog: (line) => void lines.push(line) })
  const content = 'x'.repeat(2 ** 20)
  for (let n = 0; n < 24; n++) await verso.post('/v1/posts', { title: `Post ${n}`, content })
  /** Requests between the seconds let the service send what it can. */
  const pass = async (seconds: number) => {
    for (let n = 0; n < seconds; n++) {
      for (const work of everySecond) await work()
      await verso.get('/healthz')
    }
  }
  return { verso, pass, lines }
}

/** Asks for the list and reads nothing but its beginning. */
async function askAndStop({ app, secret }: TestApp, requestId = 'someone') {
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  socket.write(`GET ${list} HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${requestId}\r\nAuthorization: Bearer ${secret}\r\n\r\n`)
  const reader = readerOf(socket, listBytes)
  const [start] = (await once(socket, 'data')) as [Buffer]
  socket.pause()
  return { start: start.toString('latin1'), ...reader }
}

/** Counts what it reads of a response with so many bytes. */
function readerOf(socket: Socket, bodyBytes: number) {
  let received = 0
  const closed = new Promise((resolve) => socket.on('close', resolve).on('error', () => undefined))
  socket.on('data', (bytes) => {
    received += bytes.length
    // With the headers there are more.
    if (received > bodyBytes) socket.destroy()
  })
  return {
    /** Reads 4 MiB and stops again. */
    async readSome(): Promise<void> {
      socket.resume()
      while (received < 4 * 2 ** 20) await once(socket, 'data')
      socket.pause()
    },
    /** How much of the response has come when the client has gone on reading. */
    async readOn(): Promise<number> {
      socket.resume()
      await closed
      return received
    },
  }
}

for (const engine of engines.slice(0, 1))
  describe(`clients that read slowly, on ${engine.name}`, () => {
    it('GET /v1/posts: a client that stops reading is cut after VERSO_SEND_TIMEOUT, one that goes on gets everything', async () => {
      const { verso, pass, lines } = await startWithLargeList(engine, { VERSO_SEND_TIMEOUT: '6' })
      const [idle, patient] = [await askAndStop(verso, 'idle-1'), await askAndStop(verso)]
      await pass(3)
      expect(await patient.readOn()).toBeGreaterThan(listBytes)
      await pass(12)
      expect(await idle.readOn()).toBeLessThan(listBytes)
      const cut = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.includes('was not read in time'))
      expect(cut.map(({ requestId }) => requestId)).toEqual(['idle-1'])
    })

    it('GET /v1/posts: beyond VERSO_SEND_BUFFER the slowest reader is cut', async () => {
      const { verso, pass } = await startWithLargeList(engine, { VERSO_SEND_BUFFER: '60', VERSO_SEND_TIMEOUT: '600' })
      const first = await askAndStop(verso)
      // Long enough for the system to have taken all that it can hold.
      await pass(100)
      const second = await askAndStop(verso)
      await pass(1)
      const third = await askAndStop(verso)
      expect(third.start).toMatch(/^HTTP\/1\.1 200 /)
      expect(await first.readOn()).toBeLessThan(listBytes)
      expect(await second.readOn()).toBeGreaterThan(listBytes)
      expect(await third.readOn()).toBeGreaterThan(listBytes)
    })

    it('GET /v1/posts: 503 overloaded beyond VERSO_SEND_BUFFER, and a client that read a MiB in the last second is not cut', async () => {
      const { verso, pass } = await startWithLargeList(engine, { VERSO_SEND_BUFFER: '60' })
      const readers = [await askAndStop(verso), await askAndStop(verso)]
      for (const reader of readers) await reader.readSome()
      await pass(1)
      expect((await verso.get(list)).status).toBe(503)
      for (const reader of readers) expect(await reader.readOn()).toBeGreaterThan(listBytes)
    })

    it('GET /v1/posts: 503 overloaded with Retry-After beyond VERSO_SEND_BUFFER while nobody is known to be slow; small responses go on', async () => {
      const { verso, pass } = await startWithLargeList(engine, { VERSO_SEND_BUFFER: '60' })
      const readers = [await askAndStop(verso), await askAndStop(verso)]
      const refused = await verso.get(list)
      expect(refused).toMatchObject({ status: 503, body: { code: 'overloaded' } })
      expect(refused.headers.get('retry-after')).toBe('2')
      expect((await verso.get('/v1/posts?fields=title')).status).toBe(200)
      for (const reader of readers) expect(await reader.readOn()).toBeGreaterThan(listBytes)
      await pass(1)
      expect((await verso.get(list)).status).toBe(200)
    })
  })

/** A server that counts what its clients have not taken. */
async function startCounting(handler: RequestListener) {
  const readers = new SlowReaders({ timeoutSeconds: 3, maxBytes: 64 * 2 ** 20 }, pino({ level: 'silent' }))
  const server = createServer({ ServerResponse: pacedResponses(readers) }, handler)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  /** Sends so many requests in one go, and reads no response. */
  const ask = (requests: number): Socket => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    socket.pause()
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(requests))
    return socket
  }
  const closed = async () => {
    while ((await new Promise<number>((count) => server.getConnections((_, open) => count(open)))) > 0) await new Promise(setImmediate)
  }
  return { readers, ask, closed }
}

describe('responses that the service has not sent yet', () => {
  it('are not cut as read too slowly', async () => {
    const body = Buffer.alloc(40 * 2 ** 20)
    const { readers, ask } = await startCounting((_, response) => {
      response.end(Buffer.from(body))
      readers.look()
    })
    const clients = [readerOf(ask(1), body.length), readerOf(ask(1), body.length)]
    for (const received of await Promise.all(clients.map((client) => client.readOn()))) expect(received).toBeGreaterThan(body.length)
  })
})

describe('responses that wait behind others on a connection', () => {
  it('are held no longer once the connection has ended', async () => {
    let waiting = 0
    const { readers, ask, closed } = await startCounting((_, response) => {
      // The first one is never answered, so the others wait for their turn.
      if (waiting++ > 0) response.end('small')
    })
    const socket = ask(50)
    await expect.poll(() => waiting).toBe(50)
    expect(readers.bytes).toBeGreaterThan(49 * 1024)
    socket.resetAndDestroy()
    await closed()
    readers.look()
    expect(readers.bytes).toBe(0)
  })

  it('without a body are given up like others that nobody reads', async () => {
    const { readers, ask, closed } = await startCounting((_, response) => {
      response.writeHead(204, { 'x-long': 'x'.repeat(60_000) }).end()
    })
    ask(1_000)
    await expect.poll(() => readers.bytes).toBeGreaterThan(0)
    for (let second = 0; second < 5; second++) readers.look()
    await closed()
    readers.look()
    expect(readers.bytes).toBe(0)
  })
})
