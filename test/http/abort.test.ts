import { once } from 'node:events'
import { connect } from 'node:net'
import pino from 'pino'
import { expect, it } from 'vitest'
import { operator } from '../../src/actions/caller.ts'
import { readConfig } from '../../src/app/config.ts'
import { startApp } from '../../src/app/start-app.ts'
import { createKey } from '../../src/resources/projects/keys/key-actions.ts'
import { createProject } from '../../src/resources/projects/project-actions.ts'
import { newId } from '../../src/values/ids.ts'
import { toInstant } from '../../src/values/instant.ts'
import { engines, startVerso, testContext, testSecret } from '../harness/harness.ts'

for (const engine of engines.slice(0, 1)) {
  it(`a client that goes away amid its body is no fault of ours in the log, on ${engine.name}`, async () => {
    const database = await engine.create()
    const config = { ...readConfig({ host: '127.0.0.1', port: '0' }, testSecret), database: database.address }
    const errors: string[] = []
    const context = testContext()
    const app = await startApp({ config, context, log: pino({ level: 'error' }, { write: (line: string) => void errors.push(line) }) })
    const now = toInstant(context.now())
    const caller = operator(newId('prj', now, context.random), 'cli', now)
    await app.installation.perform(createProject, caller, { slug: 'one', name: 'One', siteUrl: null, permalink: null })
    const { token } = await app.installation.perform(createKey, caller, { body: { ok: true, value: { name: 'x', kind: 'secret' } } })
    const { hostname, port } = new URL(app.url)
    const socket = connect(Number(port), hostname)
    const head = `POST /v1/posts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n`
    socket.write(`${head}Expect: 100-continue\r\n\r\n`)
    const [go] = await once(socket, 'data')
    expect(String(go)).toContain('100 Continue')
    socket.end('{"title": "On')
    socket.destroy()
    await app.stop()
    await database.drop()
    expect(errors).toEqual([])
  })
}

for (const engine of engines) {
  it(`GET /v1/posts?search=…: a client that goes away while its request waits for its turn loses its place, on ${engine.name}`, async () => {
    const lines: string[] = []
    const verso = await startVerso(engine, { onLog: (line) => void lines.push(line) })
    const refused = () => lines.filter((line) => line.includes('"status":503')).length
    let letGo: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const { projectId } = verso
    const others = Array.from({ length: 8 }, (_, i) =>
      verso.app.installation.engine.longRead({ name: `other ${i}`, projectId }, () => held),
    )
    const { hostname, port } = new URL(verso.app.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.write(`GET /v1/posts?search=x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${verso.secret}\r\n\r\n`)
    // What is asked after it has been answered, so it waits.
    expect((await verso.get('/v1/posts/none')).status).toBe(404)
    expect(refused()).toBe(0)
    socket.destroy()
    await expect.poll(refused).toBe(1)
    letGo()
    await Promise.all(others)
  })

  it(`GET /v1/posts?search=…: 200 for a client that has closed its side, on ${engine.name}`, async () => {
    const verso = await startVerso(engine)
    const { hostname, port } = new URL(verso.app.url)
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
    socket.end(`GET /v1/posts?search=x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${verso.secret}\r\n\r\n`)
    const [first] = await once(socket, 'data')
    expect(String(first)).toContain('HTTP/1.1 200 OK')
    socket.destroy()
  })
}
