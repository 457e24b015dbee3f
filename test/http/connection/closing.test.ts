import { EventEmitter } from 'node:events'
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
})
