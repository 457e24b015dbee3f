import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { stampOf } from '../../../src/database/sqlite/data-version.ts'
import { Arrivals } from '../../../src/http/cache/arrivals.ts'

/** A server that answers each request with whether it trusts when it was begun. */
async function start(mostOpen?: number): Promise<Server> {
  const arrivals = new Arrivals(mostOpen)
  const server = createServer((request, response) => {
    const trusted = arrivals.wasBegunBeforeTurn(request, response)
    request.resume().on('end', () => response.end(trusted ? '[trusted]' : '[not]'))
  })
  arrivals.watch(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  return server
}

/** What each request on one connection was answered; those within one text are sent without waiting. */
async function ask(server: Server, ...texts: readonly (readonly string[])[]): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let received = ''
  socket.on('data', (bytes) => {
    received += bytes
  })
  const answers = () => received.match(/\[\w+\]/g) ?? []
  let sent = 0
  for (const text of texts) {
    socket.write(text.join(''))
    sent += text.length
    while (answers().length < sent) await new Promise((resolve) => socket.once('data', resolve))
  }
  socket.destroy()
  return answers().join('')
}

/** Waits until the server has just so many connections. */
async function connected(server: Server, count: number): Promise<void> {
  const open = () => new Promise<number>((resolve) => server.getConnections((_, found) => resolve(found)))
  while ((await open()) !== count) await new Promise(setImmediate)
}

const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const post = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab'
const chunked = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'

describe('what is known of when a request was begun', () => {
  it('is trusted of clients that ask one resource after the other', async () => {
    const server = await start()
    expect(await ask(server, [get], [get], [get])).toBe('[trusted][trusted][trusted]')
  })

  it('is never trusted again of one that does not wait, or sends a body', async () => {
    const server = await start()
    expect(await ask(server, [get], [get, get], [get])).toBe('[trusted][trusted][not][not]')
    expect(await ask(server, [get], [post], [get])).toBe('[trusted][not][not]')
    expect(await ask(server, [chunked], [get])).toBe('[not][not]')
    expect(await ask(server, [get])).toBe('[trusted]')
  })

  it('is not trusted of anybody while there are so many connections that a turn may have two rounds', async () => {
    const server = await start(3)
    const others = Array.from({ length: 3 }, () => connect((server.address() as AddressInfo).port, '127.0.0.1'))
    await connected(server, 3)
    expect(await ask(server, [get])).toBe('[not]')
    others.pop()?.destroy()
    await connected(server, 2)
    expect(await ask(server, [get])).toBe('[trusted]')
    for (const socket of others) socket.destroy()
  })
})

describe('the stamp of a turn', () => {
  it('is asked for once in a turn, and anew in the next', async () => {
    let version = 1
    const stamp = stampOf(() => version)
    expect(stamp.ofTurn()).toBe(1)
    version = 2
    expect([stamp.ofTurn(), stamp.now()]).toEqual([1, 2])
    await new Promise(setImmediate)
    expect(stamp.ofTurn()).toBe(2)
  })
})
