import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { emptyDatabase, serveFrom, startOn } from '../harness/given-database.ts'
import { engines, type TestEngine } from '../harness/harness.ts'
import { documentedWay, filesCalledBy, pathsText } from './request-trace.ts'

const document = readFileSync(fileURLToPath(new URL('../../docs/architecture.md', import.meta.url)), 'utf8')
const [sqlite] = engines as readonly [TestEngine]

/** Requests that the document follows through the program: the most files that one has to open, and how each is sent. */
const followed = [
  { name: 'GET /v1/posts?tag=…&page=2', most: 10, method: 'GET', path: '/v1/posts?tag=news&page=2' },
  { name: 'PATCH /v1/posts/{id}', most: 14, method: 'PATCH', path: '/v1/posts/post-1', body: { title: 'Changed' } },
] as const

describe.each(followed)('docs/architecture.md, $name', ({ name, most, ...sent }) => {
  it('lists the files that are called, and no others', async () => {
    const called = await filesCalledByFirst(sent)
    const { main, also } = documentedWay(document, name)
    const documented = [...main, ...also]
    const missing = called.filter((path) => !documented.includes(path))
    const wrong = documented.filter((path) => !called.includes(path))
    const rest = called.filter((path) => !main.includes(path))
    const lists = `\n\nAll that are called:\n${called.join('\n')}\n\nFor the document, after its numbered list:\nAlso called: ${pathsText(rest)}\n`
    expect({ missing, wrong }, lists).toEqual({ missing: [], wrong: [] })
    expect(documented.length).toBe(new Set(documented).size)
    expect(main.length).toBeGreaterThan(0)
    expect(main.length).toBeLessThanOrEqual(most)
  })
})

/** What is called by the first request of its kind to a service that has just been started. Another request, of another key, came before. */
async function filesCalledByFirst(sent: Sent): Promise<readonly string[]> {
  const database = await emptyDatabase(sqlite)
  const before = await startOn(database)
  for (let n = 1; n <= 25; n++) await before.post('/v1/posts', { title: `Post ${n}`, tags: ['news'], status: 'published' })
  await before.app.stop()
  const service = await serveFrom(database, before.context, before.secret)
  await service.get('/v1/tags', { key: before.public })
  return filesCalledBy(() => send(service.app.url, before.secret, sent))
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

/** Resolves once the service has closed the connection: nothing of the request is left to be done then. */
async function send(url: string, key: string, { method, path, body }: Sent): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) }
  await new Promise<void>((closed, failed) => {
    const sending = request(url + path, { method, headers, agent: new Agent({ keepAlive: false }) }, (response) => {
      expect(response.statusCode).toBe(200)
      response.resume()
    })
    sending.on('socket', (socket) => socket.on('close', () => closed()))
    sending.on('error', failed)
    sending.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
