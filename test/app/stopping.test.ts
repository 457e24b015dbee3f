import { connect, type Socket } from 'node:net'
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
