import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { engines, startVerso } from '../harness/harness.ts'
import { temporaryFolder } from '../harness/program.ts'

const client = resolve(import.meta.dirname, '../../packages/client')

it('packages/client/README.md: its examples run, one after the other', async () => {
  const [engine] = engines
  if (!engine) throw new Error('no engine')
  const { app, public: key, secret, post } = await startVerso(engine)
  await post('/v1/posts', { title: 'Hello, harbour', tags: ['Sailing'], status: 'published' })
  const blocks = [...readFileSync(join(client, 'README.md'), 'utf8').matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, text]) => text)
  expect(blocks.length).toBeGreaterThan(6)
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'node_modules/@verso'), { recursive: true })
  symlinkSync(client, join(folder, 'node_modules/@verso/client'))
  const hook = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
  const body = '{"type":"post.published","data":{"id":"post_1"}}'
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'webhook-signature': new Webhook(hook).sign('evt_1', new Date(), body),
  }
  const request = `new Request('http://site.test', { method: 'POST', body: ${JSON.stringify(body)}, headers: ${JSON.stringify(headers)} })`
  writeFileSync(join(folder, 'readme.mjs'), `${blocks.join('\n')}\nconsole.log((await receive(${request})).status)\n`)
  const env = { VERSO_URL: app.url, VERSO_KEY: key, VERSO_SECRET_KEY: secret, WEBHOOK_SECRET: hook }
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'readme.mjs')], { env })
  expect(
    stdout
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')

      .split('\n'),
  ).toEqual([
    'Hello, harbour <time>',
    '1 of 1',
    'hello-harbour',
    'Sailing 1',
    'slug_conflict 409 packing-list-2 is free.',
    '2 resources',
    'draft',
    'post.published post_1',
    '204',
    '',
  ])
})
