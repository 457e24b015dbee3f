import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { closeSilentConnections } from '../../../src/http/connection/closing.ts'

const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

async function listening(): Promise<FastifyInstance> {
  const app = fastify({ forceCloseConnections: 'idle' })
  closeSilentConnections(app, { headersTimeoutMs: 15_000, requestTimeoutMs: 60_000 })
  app.get('/', async () => 'hello')
  await app.listen({ port: 0 })
  onTestFinished(() => app.close())
  return app
}

async function connected({ server }: FastifyInstance): Promise<Socket> {
  const address = server.address()
  const socket = connect(typeof address === 'object' && address ? address.port : 0)
  await once(server, 'connection')
  return socket
}

it('GET /: 200 on a connection that asked nothing when the idle ones were closed, and one that had been answered is closed', async () => {
  const app = await listening()
  const answered = await connected(app)
  answered.write(request)
  await once(answered, 'data')
  const silent = await connected(app)
  app.server.closeIdleConnections()
  await once(answered, 'close')
  silent.write(request)
  const [response] = await once(silent, 'data')
  expect(String(response)).toMatch(/^HTTP\/1\.1 200 /)
  silent.destroy()
})
