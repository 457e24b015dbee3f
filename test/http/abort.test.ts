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
import { engines, testContext, testSecret } from '../harness/harness.ts'

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
