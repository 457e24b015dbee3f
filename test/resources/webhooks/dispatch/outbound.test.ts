import { getEventListeners } from 'node:events'
import { createServer } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { guardAddresses } from '../../../../src/resources/webhooks/dispatch/address-guard.ts'
import { type OutboundParts, openOutbound } from '../../../../src/resources/webhooks/dispatch/http-client.ts'

const forbidden = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
]
const forbiddenIpv6 = [
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:10::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456:789a::1',
  'fe80::1',
  'febf::1',
  'fec0::1',
  'ff02::1',
  'ff0e::1',
]

/** The ways to write an IPv4 address as the host of a URL. */
function formsOf(address: string): readonly string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const value = ((a * 256 + b) * 256 + c) * 256 + d
  const hex = (number: number) => `0x${number.toString(16)}`
  const octal = (number: number) => `0${number.toString(8)}`
  const pairs = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  return [
    address,
    `${address}.`,
    String(value),
    hex(value),
    octal(value),
    [a, b, c, d].map(hex).join('.'),
    [a, b, c, d].map(octal).join('.'),
    `${hex(a)}.${octal(b)}.${c}.${d}`,
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    encodeURIComponent(address).replaceAll('.', '%2e'),
    address.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    address.replaceAll('.', '。'),
    `[::ffff:${address}]`,
    `[::ffff:${pairs}]`,
    `[::${address}]`,
    `[::ffff:0:${address}]`,
    `[64:ff9b::${address}]`,
    `[2002:${pairs}::1]`,
  ]
}

const urls = [
  ...forbidden.flatMap(formsOf).map((host) => `http://${host}/`),
  ...forbiddenIpv6.map((address) => `https://[${address}]/`),
  ...forbiddenIpv6.map((address) => `http://[${address}%25eth0]/`),
  ...['fe80::1%eth0', 'fe80::1%1', '::1%lo'].map((address) => `http://[${address}]/`),
  ...['http://example.com@10.0.0.1/', 'http://ada:pw@public.example/', 'http://@127.0.0.1/', 'http://public.example\\@127.0.0.1/'],
  ...['ftp://public.example/', 'file:///etc/passwd', 'gopher://127.0.0.1/', 'unix:/run/docker.sock', '//public.example/', ''],
]

const at = (address: string) => ({ address, family: net.isIP(address) })
const open = (parts: Partial<OutboundParts> = {}) => openOutbound({ guard: guardAddresses([]), clock: () => 0, ...parts })
const request = (url: string) => ({ url, headers: {}, body: '{}', signal: new AbortController().signal, mayBegin: () => true })

/** Every connection that is begun from now on. */
function connections() {
  const connect = vi.spyOn(net.Socket.prototype, 'connect')
  onTestFinished(() => connect.mockRestore())
  return connect
}

it('not one connection to a forbidden address, however it is written', async () => {
  expect(new Set(urls).size).toBeGreaterThan(300)
  const connect = connections()
  const outbound = open({ resolve: async () => [at('127.0.0.1')] })
  for (const url of urls) expect(await outbound.post(request(url)), url).toMatchObject({ kind: 'unanswered' })
  expect(connect).not.toHaveBeenCalled()
})

it('not one connection by a name that has a forbidden address, alone or among others', async () => {
  const connect = connections()
  for (const address of [...forbidden, ...forbiddenIpv6, '::ffff:10.0.0.1', '64:ff9b::7f00:1', 'fe80::1%eth0', 'nonsense']) {
    for (const found of [[at(address)], [at('93.184.215.14'), at(address)], [at(address), at('2606:2800:21f::1')]]) {
      const outcome = await open({ resolve: async () => found }).post(request('https://public.example/'))
      expect(outcome, address).toMatchObject({ kind: 'unanswered', error: expect.stringContaining('private or reserved') })
    }
  }
  for (const name of ['localhost', 'LOCALHOST', 'api.localhost', 'localhost.']) {
    expect(await open({ resolve: async () => [at('127.0.0.1')] }).post(request(`http://${name}/`))).toMatchObject({ kind: 'unanswered' })
  }
  expect(connect).not.toHaveBeenCalled()
})

it('public addresses, and those that are allowed, are open', () => {
  const guard = guardAddresses(['10.1.0.0/16', '192.168.7.7', 'fd00:1::/32', 'hooks.internal'])
  for (const address of ['93.184.215.14', '8.8.8.8', '2606:2800:21f::1', '10.1.2.3', '192.168.7.7', 'fd00:1::5']) {
    expect(guard.allows('public.example', address), address).toBe(true)
  }
  for (const address of ['10.2.0.1', '192.168.7.8', 'fd00:2::5']) expect(guard.allows('public.example', address), address).toBe(false)
  expect(guard.allows('Hooks.Internal', '172.16.0.1')).toBe(true)
  expect(guard.allows('other.internal', '172.16.0.1')).toBe(false)
})

it('a name is looked up once, and what was judged is what is connected to', async () => {
  const server = await listen((_, answer) => answer.end())
  const answers = [[at('127.0.0.1')], [at('10.0.0.1')]]
  const resolve = vi.fn(async () => answers.shift() ?? [])
  const outbound = open({ guard: guardAddresses(['127.0.0.1']), resolve })
  expect(await outbound.post(request(`http://rebinding.example:${server.port}/`))).toMatchObject({ kind: 'answered', status: 200 })
  expect(resolve).toHaveBeenCalledOnce()
  const connect = connections()
  expect(await outbound.post(request(`http://rebinding.example:${server.port}/`))).toMatchObject({ kind: 'unanswered' })
  expect(connect).not.toHaveBeenCalled()
})

it('what may not begin any more when the connection is there is not sent', async () => {
  const asked: string[] = []
  const server = await listen((_, answer) => {
    asked.push('request')
    answer.end()
  })
  server.server.on('connection', () => void asked.push('connection'))
  const connected = new Promise<void>((done) => server.server.once('connection', () => done()))
  const mayBegin = vi.fn(() => false)
  expect(await local().post({ ...request(`http://127.0.0.1:${server.port}/`), mayBegin })).toEqual({ kind: 'interrupted' })
  await connected
  expect(mayBegin).toHaveBeenCalledOnce()
  expect(await local().post(request(`http://127.0.0.1:${server.port}/`))).toMatchObject({ kind: 'answered', status: 200 })
  expect(asked).toEqual(['connection', 'connection', 'request'])
})

it('a request leaves nothing behind at the signal that aborts all', async () => {
  const server = await listen((_, answer) => answer.end())
  const { signal } = new AbortController()
  // Node 20 keeps an entry for every signal that `AbortSignal.any` has made of this one.
  AbortSignal.any([signal])
  const entries = Object.getOwnPropertySymbols(signal).find(({ description }) => description === 'kDependantSignals') ?? ''
  const kept = () => Reflect.get(signal, entries)?.size
  const before = kept()
  for (let times = 0; times < 3; times++) await local().post({ ...request(`http://127.0.0.1:${server.port}/`), signal })
  expect(getEventListeners(signal, 'abort')).toEqual([])
  expect(kept()).toBe(before)
})

it('redirects are not followed', async () => {
  const paths: (string | undefined)[] = []
  const server = await listen((asked, answer) => {
    paths.push(asked.url)
    answer.writeHead(302, { location: '/elsewhere' }).end()
  })
  expect(await local().post(request(`http://127.0.0.1:${server.port}/`))).toMatchObject({ kind: 'answered', status: 302 })
  expect(paths).toEqual(['/'])
})

it('an answer without end is cut off, and one that does not come is not waited for', async () => {
  const endless = await listen((_, answer) => {
    answer.writeHead(200)
    const chunk = 'x'.repeat(64 * 1024)
    const more = () => {
      while (!answer.destroyed && answer.write(chunk));
    }
    answer.on('drain', more)
    more()
  })
  expect(await local().post(request(`http://127.0.0.1:${endless.port}/`))).toMatchObject({ kind: 'answered', status: 200 })
  const silent = await listen(() => undefined)
  const outcome = await local({ timeoutMs: 50 }).post(request(`http://127.0.0.1:${silent.port}/`))
  expect(outcome).toMatchObject({ kind: 'unanswered', error: 'There was no answer within 0.05 seconds.' })
  const unresolved = open({ resolve: () => new Promise(() => undefined), timeoutMs: 50 })
  expect(await unresolved.post(request('https://public.example/'))).toMatchObject({ kind: 'unanswered' })
})

it('what goes wrong is told in words, without the URL', async () => {
  const closed = await listen(() => undefined)
  await new Promise((done) => closed.server.close(done))
  const refused = await local().post(request(`http://127.0.0.1:${closed.port}/token-in-path`))
  expect(refused).toMatchObject({ error: 'The connection was refused.' })
  const unknown = open({ resolve: () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' })) })
  expect(await unknown.post(request('https://nowhere.example/'))).toMatchObject({ error: 'The name of the host is unknown.' })
  const plain = net.createServer((socket) => socket.end('hello\r\n'))
  await new Promise<void>((listening) => plain.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void plain.close())
  const { port } = plain.address() as AddressInfo
  expect(await local().post(request(`http://127.0.0.1:${port}/`))).toMatchObject({ error: 'The answer was not HTTP.' })
  expect(await local().post(request(`https://127.0.0.1:${port}/`))).toMatchObject({ kind: 'unanswered' })
})

function local(parts: Partial<OutboundParts> = {}) {
  return open({ guard: guardAddresses(['127.0.0.0/8']), ...parts })
}

async function listen(handler: Parameters<typeof createServer>[1]) {
  const server = createServer(handler)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { server, port: (server.address() as AddressInfo).port }
}
