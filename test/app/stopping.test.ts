import { connect, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { engines, startVerso, type TestApp } from '../harness/harness.ts'

const openTo = (app: TestApp): Socket => {
  const { hostname, port } = new URL(app.app.url)
  return connect({ host: hostname, port: Number(port) })
}

/** Resolves once nobody listens there any more. */
async function hungUp(app: TestApp): Promise<void> {
  for (;;) {
    const probe = openTo(app)
    const refused = await new Promise((resolve) => probe.on('connect', () => resolve(false)).on('error', () => resolve(true)))
    probe.destroy()
    if (refused) return
  }
}

for (const engine of engines)
  describe(`stopping on ${engine.name}`, () => {
    it('a connection that never asked anything does not keep it from stopping', async () => {
      const app = await startVerso(engine)
      const socket = openTo(app)
      const closed = new Promise((resolve) => socket.once('close', resolve).on('data', resolve).on('error', resolve))
      await new Promise((resolve) => socket.once('connect', resolve))
      await app.get('/healthz')
      await Promise.all([app.app.stop(), closed])
    })

    it('POST /v1/media: a body that was refused unread, and ends while the service stops, does not keep it from stopping', async () => {
      const app = await startVerso(engine)
      const socket = openTo(app)
      const head = ['Host: verso', `Authorization: Bearer ${app.secret}`, 'Content-Type: image/png', 'Content-Length: 8']
      socket.write(`POST /v1/media HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`)
      const answer = await new Promise<Buffer>((resolve) => socket.once('data', resolve))
      expect(answer.toString('latin1')).toMatch(/^HTTP\/1\.1 415 /)
      const closed = new Promise((resolve) => socket.once('close', resolve))
      const stopped = app.app.stop()
      await hungUp(app)
      socket.write(new Uint8Array(8))
      await Promise.all([stopped, closed])
    })

    it('GET /v1/posts: requests on fifty connections that wait to be accepted are answered', async () => {
      const app = await startVerso(engine)
      const request = `GET /v1/posts HTTP/1.1\r\nHost: verso\r\nAuthorization: Bearer ${app.secret}\r\n\r\n`
      const first = openTo(app)
      await new Promise((resolve) => first.once('connect', resolve))
      const { hostname, port } = new URL(app.app.url)
      // Another thread connects while this one is blocked, so that nothing is accepted meanwhile.
      const flags = new Int32Array(new SharedArrayBuffer(4))
      const clients = new Worker(connecting, { eval: true, workerData: { hostname, port: Number(port), request, flags, count: 50 } })
      const statuses = new Promise<readonly string[]>((resolve, reject) => clients.on('message', resolve).on('error', reject))
      await new Promise((resolve) => clients.once('online', resolve))
      Atomics.wait(flags, 0, 0, 10_000)
      const stopped = app.app.stop()
      blockFor(5)
      expect(new Set(await statuses)).toEqual(new Set(['HTTP/1.1 200']))
      first.destroy()
      await stopped
    })

    it('POST /mcp: the tools that agents have called are done, and say so', async () => {
      const app = await startVerso(engine)
      const headers = {
        authorization: `Bearer ${app.secret}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      }
      const call = async (i: number) => {
        const message = { jsonrpc: '2.0', id: i, method: 'tools/call', params: { name: 'draft_post', arguments: { title: `Tides ${i}` } } }
        return (await fetch(`${app.app.url}/mcp`, { method: 'POST', headers, body: JSON.stringify(message) })).text()
      }
      await call(0)
      const calls = Array.from({ length: 20 }, (_, i) => call(i))
      await Promise.race(calls)
      const stopped = app.app.stop()
      for (const text of await Promise.all(calls)) expect(text).toContain('Made the draft')
      await stopped
    })

    it('GET /v1/posts: requests on connections that arrive when jobs have been told to stop are answered', async () => {
      const app = await startVerso(engine)
      const { hostname, port } = new URL(app.app.url)
      const request = `GET /v1/posts HTTP/1.1\r\nHost: verso\r\nAuthorization: Bearer ${app.secret}\r\n\r\n`
      const flags = new Int32Array(new SharedArrayBuffer(8))
      const workerData = { hostname, port: Number(port), request, flags, count: 10 }
      const clients = new Worker(`Atomics.wait(require('node:worker_threads').workerData.flags, 1, 0);${connecting}`, {
        eval: true,
        workerData,
      })
      const statuses = new Promise<readonly string[]>((resolve, reject) => clients.on('message', resolve).on('error', reject))
      await new Promise((resolve) => clients.once('online', resolve))
      const job = app.app.jobs.find(({ stop }) => stop)
      if (!job?.stop) throw new Error('no job is told to stop')
      const { stop } = job
      Object.assign(job, {
        stop() {
          Atomics.store(flags, 1, 1)
          Atomics.notify(flags, 1)
          Atomics.wait(flags, 0, 0, 10_000)
          Object.assign(job, { stop })
          stop.call(job)
        },
      })
      await app.app.stop()
      expect(new Set(await statuses)).toEqual(new Set(['HTTP/1.1 200']))
    })

    it.each(['a new connection', 'a connection that had an answer before'])(
      'GET /v1/posts: a request that has arrived on %s, but was not read yet, is answered',
      async (which) => {
        const app = await startVerso(engine)
        const socket = openTo(app)
        const request = `GET /v1/posts HTTP/1.1\r\nHost: verso\r\nAuthorization: Bearer ${app.secret}\r\n\r\n`
        const next = () => new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(chunk.toString('latin1'))))
        await new Promise((resolve) => socket.once('connect', resolve))
        if (which !== 'a new connection') {
          socket.write(request)
          expect(await next()).toMatch(/^HTTP\/1\.1 200 /)
        }
        socket.write(request)
        const stopped = app.app.stop()
        blockFor(5)
        const answer = await next()
        expect(answer).toMatch(/^HTTP\/1\.1 200 /)
        expect(answer.toLowerCase()).toContain('connection: close')
        await stopped
      },
    )
  })

/** The event loop reads nothing meanwhile, and every timer that was set is due after it. */
function blockFor(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** The program of a thread: opens connections, sends a request on each, says so, and reports how the answers begin. */
const connecting = `
  const { parentPort, workerData: { hostname, port, request, flags, count } } = require('node:worker_threads')
  const sockets = Array.from({ length: count }, () => require('node:net').connect(port, hostname))
  const begins = sockets.map((socket) => new Promise((resolve) => {
    socket.once('data', (chunk) => resolve(chunk.toString('latin1').slice(0, 12)))
    socket.once('error', (error) => resolve(error.code)).once('close', () => resolve('closed'))
  }))
  Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', () => socket.write(request, resolve))))).then(() => {
    Atomics.store(flags, 0, 1)
    Atomics.notify(flags, 0)
  })
  Promise.all(begins).then((all) => parentPort.postMessage(all))
`
