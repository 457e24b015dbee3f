import { spawn } from 'node:child_process'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, it, onTestFinished } from 'vitest'
import { engines, shared, startVerso } from '../harness/harness.ts'
import { main, verso as run } from '../harness/program.ts'
import { connected, generations } from './agent-fixture.ts'

const started = shared(async () => {
  const [engine] = engines
  if (!engine) throw new Error('there is no engine')
  const verso = await startVerso(engine)
  return { verso, env: { VERSO_URL: verso.app.url, VERSO_KEY: verso.secret } }
})

it.each(generations)('verso mcp (%s): the same tools over standard input and output', async (generation) => {
  const { verso, env } = await started()
  const transport = new StdioClientTransport({ command: process.execPath, args: [main, 'mcp'], env, stderr: 'pipe' })
  const agent = await connected(transport, generation)
  expect((await agent.client.listTools()).tools.length).toBe(14)
  const made = await agent.call('draft_post', { title: `By ${generation}`, content: 'Text.' })
  const { id, version } = JSON.parse(/undo (\{.*)$/.exec(made)?.[1] ?? '')
  expect(await agent.call('read_post', { post: id })).toContain('Text.')
  expect((await verso.get(`/v1/posts/${id}/revisions`)).body.data[0]).toMatchObject({ client: 'test-agent 1.0' })
  expect((await agent.tried('read_post', { post: 'nothing' })).text).toContain('not_found')
  await agent.call('undo', { id, version })
  expect((await verso.get(`/v1/posts/${id}`)).status).toBe(404)
})

it('verso mcp: writes nothing but messages to standard output, and ends with its input', async () => {
  const { env } = await started()
  const child = spawn(process.execPath, [main, 'mcp'], { env: { ...env, VERSO_TYPO: 'warned of' } })
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
    if (out.split('\n').length > 2) child.stdin.end()
  })
  const clientInfo = { name: 'raw', version: '1' }
  const messages = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'whoami', arguments: {} } },
  ]
  for (const message of messages) child.stdin.write(`${JSON.stringify(message)}\n`)
  const code = await new Promise((resolve) => child.once('close', resolve))
  const answers = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(answers.map(({ id }) => id)).toEqual([1, 2])
  expect(code).toBe(0)
})

it.each([
  ['', 'without an end of its last line'],
  ['\n', 'with one'],
])('verso mcp: answers what it has read before its input ended (%j), such as a write that was piped into it %s', async (end) => {
  const { verso, env } = await started()
  const child = spawn(process.execPath, [main, 'mcp'], { env })
  let out = ''
  child.stdout.on('data', (chunk) => (out += chunk))
  const clientInfo = { name: 'raw', version: '1' }
  const messages = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'draft_post', arguments: { title: `From a pipe ${end.length}` } } },
  ]
  child.stdin.end(messages.map((message) => JSON.stringify(message)).join('\n') + end)
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/\n.*To undo it: undo .*\n$/) })
  expect((await verso.get(`/v1/posts?search=from a pipe ${end.length}`)).body.data).toHaveLength(1)
})

/** A proxy that loses the answers to so many writes: they are done, and then the connection breaks. */
async function losing(answers: number, to: string): Promise<string> {
  let left = answers
  const proxy = createServer((asked, reply) => {
    const { method, url = '', headers } = asked
    asked.pipe(
      request(to + url, { method, headers }, (answer) => {
        if (method === 'GET' || left-- <= 0) return answer.pipe(reply.writeHead(answer.statusCode ?? 500, answer.headers))
        answer.resume().once('end', () => asked.socket.destroy())
      }),
    )
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close().closeAllConnections())
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

it.each([
  [1, false, /^Made the draft /],
  [2, true, /cannot be reached.* Whether the change was made is unknown: look with find_posts or read_post before you repeat it\.$/],
])('verso mcp: a write whose answer is lost %i times is done once', async (answers, isError, text) => {
  const { verso, env } = await started()
  const VERSO_URL = await losing(answers, verso.app.url)
  const transport = new StdioClientTransport({ command: process.execPath, args: [main, 'mcp'], env: { ...env, VERSO_URL }, stderr: 'pipe' })
  const agent = await connected(transport, 'auto')
  const told = await agent.tried('draft_post', { title: `Lost ${answers}` })
  expect(told).toEqual({ isError, text: expect.stringMatching(text) })
  expect((await verso.get(`/v1/posts?search=lost ${answers}`)).body.data).toHaveLength(1)
})

it('verso mcp: passes over a line that is no message, with one line on standard error', async () => {
  const { env } = await started()
  const child = spawn(process.execPath, [main, 'mcp'], { env })
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk) => (said.out += chunk))
  child.stderr.on('data', (chunk) => (said.err += chunk))
  child.stdin.end('[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"whoami"}}\n')
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect({ code, err: said.err }).toEqual({ code: 0, err: 'warning: a line that is no message of the protocol was passed over.\n' })
  expect(said.out).toMatch(/^.*"id":2.*\n$/)
})

it('verso mcp: ends with 0 and without a word where its input is empty, such as /dev/null', async () => {
  const { env } = await started()
  const child = spawn(process.execPath, [main, 'mcp'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect({ code, said }).toEqual({ code: 0, said: '' })
})

it.each([
  [200, {}],
  [301, { location: 'https://content.example.com/v1/whoami' }],
  [404, { 'content-type': 'text/html' }],
])('verso mcp: exit 1 with one line where something else than Verso answers %i', async (status, headers) => {
  const { env } = await started()
  const other = createServer((_, reply) => reply.writeHead(status, headers).end('<!doctype html>'))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close().closeAllConnections())
  const VERSO_URL = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const { code, stderr } = await run(['mcp'], { env: { ...env, VERSO_URL } })
  const line = `error: ${VERSO_URL} answered ${status}, and not as Verso does. Ask a person to check VERSO_URL, and what stands before the service.\n`
  expect({ code, stderr }).toEqual({ code: 1, stderr: line })
})

it('verso mcp: exit 1 with one line for a wrong key, exit 2 or 1 without one', async () => {
  const { env } = await started()
  const ended = await run(['mcp'], { env: { ...env, VERSO_KEY: 'verso_live_wrong' } })
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toMatch(/^.*invalid_key.*\n$/)
})
