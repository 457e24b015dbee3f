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
  })
