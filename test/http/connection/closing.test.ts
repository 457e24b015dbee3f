import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { closeSilentConnections } from '../../../src/http/connection/closing.ts'

/** A server that stops, and the hook that it runs first. */
function stopping() {
  const server = new EventEmitter()
  let begin: () => Promise<void> = async () => undefined
  const app = { server, addHook: (_: string, hook: () => Promise<void>) => (begin = hook) }
  closeSilentConnections(app as never, { headersTimeoutMs: 15_000, requestTimeoutMs: 60_000 })
  const connect = () => {
    const socket = Object.assign(new EventEmitter(), { bytesRead: 0, isDestroyed: false, destroy: () => (socket.isDestroyed = true) })
    server.emit('connection', socket)
    return socket
  }
  return { connect, begin: () => begin() }
}

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

describe('connections that ask nothing while the service stops', () => {
  it('are closed half a second after it began to stop, or after they came, if they came later', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { connect, begin } = stopping()
    const early = connect()
    vi.advanceTimersByTime(10_000)
    await begin()
    vi.advanceTimersByTime(450)
    const late = connect()
    expect([early.isDestroyed, late.isDestroyed]).toEqual([false, false])
    vi.advanceTimersByTime(200)
    expect([early.isDestroyed, late.isDestroyed]).toEqual([true, false])
    vi.advanceTimersByTime(500)
    expect(late.isDestroyed).toBe(true)
  })

  it('GET /: are answered with 200 after the idle ones were closed, of which they are none', async () => {
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
})
