import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../src/app/config.ts'
import { lookUp } from '../test/harness/cluster.ts'
import type { TestEngine } from '../test/harness/databases.ts'
import { addressText, type Served, serve, temporaryFolder, verso } from '../test/harness/program.ts'
import { sendRaw } from '../test/harness/raw-http.ts'
import type { SeededRandom } from './harness/seeded-random.ts'
import { trial } from './harness/trial.ts'
import { Canaries } from './secrets/canaries.ts'
import { everyRoute, misplaced } from './secrets/every-route.ts'

interface Size {
  readonly rounds: number
  readonly revocations: number
  /** How many of two commands get each wrong configuration. */
  readonly commandsOfEach: 1 | 2
}

trial<Size>({
  name: 'keys-stay-secret',
  promise:
    'No key, token, webhook secret or password stands in a log, an error, an answer, the database or a backup; a revoked key stops within a second.',
  over: 'engines',
  sizes: { short: { rounds: 1, revocations: 3, commandsOfEach: 1 }, full: { rounds: 5, revocations: 50, commandsOfEach: 2 } },
  minutes: { short: 3, full: 40 },
  async run({ size, engine, random, figure, note }) {
    const world = await startWorld(engine, random)
    const { canaries, node } = world
    let requests = 0
    for (let round = 0; round < size.rounds; round++) {
      await makeSecrets(world, round)
      requests += await sendEverywhere(world)
    }
    const slowestMs = await revoke(world, size.revocations)
    await crash(world)
    await badConfigurations(world, size)
    await commands(world)
    await erase(world, random.bytes(16).toString('hex'))
    node.signal('SIGTERM')
    await node.ended
    // The log is written by and by.
    world.look()
    await lookAtDatabase(world)
    for (const hit of canaries.hits) note(hit)
    const ofErased = canaries.hits.filter((hit) => hit.startsWith(erasedWord))
    figure('places where a secret was found', canaries.hits.length - ofErased.length, { exactly: 0 })
    figure('places where a word of an erased post was found', ofErased.length, { exactly: 0 })
    figure('keys that worked 1 s after their revocation', slowestMs > 1_000 ? 1 : 0, { exactly: 0 })
    figure('revoked on every node, slowest', slowestMs, { atMost: 1_000, unit: 'ms' })
    figure('secrets', canaries.all.length)
    figure('requests', requests)
    figure('keys revoked', size.revocations)
  },
  controls: {
    async 'a key in a title is found in the database'({ engine, random }) {
      const world = await startWorld(engine, random)
      await world.ask('POST', '/v1/posts', { key: world.secret, body: JSON.stringify({ title: world.secret }) })
      world.node.signal('SIGTERM')
      await world.node.ended
      await lookAtDatabase(world)
      return world.canaries.hits.length
    },
    async 'a secret in a line of the log is found'({ engine, random }) {
      const world = await startWorld(engine, random)
      // A request id is logged as the client sends it, unless it looks like a token.
      const secret = world.canaries.add('request id', random.bytes(24).toString('hex'))
      await world.ask('GET', '/v1/posts', { key: world.secret, headers: { 'x-request-id': secret } })
      world.node.signal('SIGTERM')
      await world.node.ended
      world.look()
      return world.canaries.hits.length
    },
  },
})

interface Asked {
  readonly key?: string
  readonly body?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

interface World {
  readonly canaries: Canaries
  readonly address: DatabaseAddress
  /** With the password that is a canary. */
  readonly database: string
  readonly env: Readonly<Record<string, string>>
  readonly node: Served
  /** Where requests go: several nodes over PostgreSQL. */
  readonly urls: readonly string[]
  readonly secret: string
  readonly admin: string
  ask(method: string, path: string, asked?: Asked): Promise<{ readonly status: number; readonly text: string }>
  /** Runs a command that may show these secrets. */
  command(args: readonly string[], ...may: readonly string[]): Promise<string>
  /** Looks at what the nodes have printed. */
  look(): void
}

async function startWorld(engine: TestEngine, random: SeededRandom): Promise<World> {
  const canaries = new Canaries()
  const newSecret = () => random.bytes(24).toString('hex')
  const { address, drop } = await engine.create()
  const password = canaries.add('password of the database', newSecret())
  const role = `canary_${random.bytes(6).toString('hex')}`
  onTestFinished(async () => {
    await drop()
    if (address.kind === 'postgres') await lookUp(new URL('/postgres', address.url).href, `drop role ${role}`)
  })
  const database = await withPassword(address, role, password)
  const env = {
    VERSO_LOG_LEVEL: 'trace',
    VERSO_LOG_FORMAT: 'json',
    VERSO_METRICS_TOKEN: canaries.add('token of the metrics', newSecret()),
    VERSO_SECRET: canaries.add('VERSO_SECRET', newSecret() + newSecret()),
  }
  const node = await serve(database, { env })
  const start = node.stdout()
  const secret = canaries.add('first secret key', /verso_live_\w+/.exec(start)?.[0] ?? '')
  const first = canaries.add('first public key', /verso_pub_\w+/.exec(start)?.[0] ?? '')
  const firstLink = canaries.add('first link', /verso_link_\w+/.exec(start)?.[0] ?? '')
  const nodes = address.kind === 'postgres' ? [node, await serve(database, { env })] : [node]
  const ask: World['ask'] = async (method, path, { key, body, headers } = {}) => {
    const response = await fetch(new URL(path, node.url), {
      method,
      redirect: 'manual',
      headers: { ...(key && { authorization: `Bearer ${key}` }), ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body }),
    })
    return { status: response.status, text: `${JSON.stringify([...response.headers])}${await response.text()}` }
  }
  const command: World['command'] = async (args, ...may) => {
    const { stdout, stderr } = await verso(args, { env: { ...env, VERSO_DATABASE: database } })
    canaries.look(`output of verso ${args.slice(0, 2).join(' ')}`, stdout, ...may)
    canaries.look(`errors of verso ${args.slice(0, 2).join(' ')}`, stderr)
    return stdout.trim()
  }
  const admin = canaries.add(
    'admin key',
    await command(['key', 'create', '--kind', 'secret', '--scopes', 'admin,posts:publish', '--name', 'admin']),
  )
  const look = () => {
    for (const { stdout, stderr } of nodes) {
      canaries.look('log', stderr())
      canaries.look('standard output', stdout(), secret, first, firstLink)
    }
  }
  return { canaries, address, database, env, node, urls: nodes.map(({ url }) => url), secret, admin, ask, command, look }
}

async function withPassword(address: DatabaseAddress, role: string, password: string): Promise<string> {
  if (address.kind === 'sqlite') return addressText(address)
  await lookUp(address.url, `create role ${role} login superuser password '${password}'`)
  const url = new URL(address.url)
  url.username = role
  url.password = password
  return url.href
}

/** Everything that is shown once, made over HTTP and by commands. */
async function makeSecrets({ canaries, secret, admin, ask, command }: World, round: number): Promise<void> {
  const make = async (name: string, path: string, body: object, key = admin) => {
    const idempotent = { 'idempotency-key': `${name} ${round}` }
    const { text } = await ask('POST', path, { key, body: JSON.stringify(body), headers: idempotent })
    const {
      id,
      token,
      secret: made,
    } = JSON.parse(text.slice(text.lastIndexOf(']{') + 1)) as { id: string; token?: string; secret?: string }
    const shown = token ?? made
    if (!shown) throw new Error(`no secret was made: ${text}`)
    canaries.add(`${name} ${id}`, shown)
    canaries.look(`answer to POST ${path}`, text, shown)
    const replay = await ask('POST', path, { key, body: JSON.stringify(body), headers: idempotent })
    canaries.look(`replay of POST ${path}`, replay.text, shown)
    return id
  }
  const key = await make('key', '/v1/admin/keys', { name: 'canary', kind: 'secret' })
  await make('rotated key', `/v1/admin/keys/${key}/rotate`, {})
  const webhook = await make('webhook secret', '/v1/admin/webhooks', { url: 'https://example.com/hook' })
  await make('rotated webhook secret', `/v1/admin/webhooks/${webhook}/rotate-secret`, {})
  const post = await ask('POST', '/v1/posts', { key: secret, body: JSON.stringify({ title: 'Canary' }) })
  const { id } = JSON.parse(post.text.slice(post.text.lastIndexOf(']{') + 1)) as { id: string }
  await make('preview token', `/v1/posts/${id}/preview-tokens`, {}, secret)
  canaries.add(`key of a command ${key}`, await command(['key', 'create', '--kind', 'public', '--name', 'command']))
  await signIn({ canaries, admin, ask, command }, key)
  canaries.add(`webhook of a command ${key}`, await command(['webhook', 'create', 'https://example.com/other']))
}

const erasedWord = 'word of an erased post'

/** Erases a post for good, with its revisions and the stored answers to its writes. */
async function erase({ canaries, ask, secret }: World, word: string): Promise<void> {
  const write = (method: string, path: string, body?: object) =>
    ask(method, path, { key: secret, body: body && JSON.stringify(body), headers: { 'idempotency-key': `${method} ${path} erased` } })
  const content = Array.from({ length: 200 }, () => word).join(' ')
  const { text } = await write('POST', '/v1/posts', { title: word, content, status: 'published' })
  const path = `/v1/posts/${/post_\w+/.exec(text)?.[0]}`
  const edited = await write('PATCH', path, { title: `${word} again`, excerpt: word, content: `${content} again` })
  const { status } = await ask('DELETE', `${path}?permanent=true`, { key: secret })
  if (edited.status !== 200 || status !== 204) throw new Error(`the post was not erased: ${edited.text} ${status}`)
  canaries.add(erasedWord, word)
}

/** A person with a link, a password, a session and its token. */
async function signIn(
  { canaries, admin, ask, command }: Pick<World, 'canaries' | 'admin' | 'ask' | 'command'>,
  mark: string,
): Promise<void> {
  const find = (text: string, prefix: string) => canaries.add(`${prefix} ${mark}`, new RegExp(`${prefix}_\\w+`).exec(text)?.[0] ?? '')
  const named = `person ${mark}`
  const invited = await ask('POST', '/v1/admin/people', { key: admin, body: JSON.stringify({ name: named, role: 'owner' }) })
  canaries.look('answer to an invitation', invited.text, find(invited.text, 'verso_link'))
  const printed = await command(['person', 'invite', named])
  canaries.add(`link of a command ${mark}`, printed.split('#')[1] ?? '')
  const password = canaries.add(`password ${mark}`, `canary ${mark} password`)
  const headers = { 'sec-fetch-site': 'same-origin' }
  const body = JSON.stringify({ token: printed.split('#')[1], password })
  const signed = await ask('POST', '/studio/session/password', { headers, body })
  const cookie = find(signed.text, 'verso_studio')
  canaries.look('answer to a new password', signed.text, cookie)
  const again = await ask('POST', '/studio/session', { headers, body: JSON.stringify({ name: named, password: `${password} x` }) })
  canaries.look('answer to a wrong password', again.text)
  const projectId = /prj_\w+/.exec(signed.text)?.[0]
  const asked = { headers: { ...headers, cookie: `verso-studio=${cookie}` }, body: JSON.stringify({ projectId }) }
  const bought = await ask('POST', '/studio/session/token', asked)
  canaries.look('answer to a token', bought.text, find(bought.text, 'verso_sess'))
}

/** Sends every secret as a key to every route, and where none belongs. */
async function sendEverywhere({ canaries, ask, node, look }: World): Promise<number> {
  let requests = 0
  const routes = everyRoute()
  for (const [name, secret] of canaries.all) {
    if (name === 'admin key' || name === 'first secret key') await readAsOwner({ ask, canaries }, secret)
    for (const { method, path, body } of routes) {
      // What is made here is shown in its own answer.
      const isShown = method === 'POST' && /keys|tokens|webhooks|rotate|people/.test(path)
      const { text } = await ask(method, path, { key: secret, body: isShown ? '{}' : body })
      canaries.look(`answer to ${method} ${path}`, text)
      requests++
    }
    for (const { method, path, body } of misplaced(secret)) {
      await ask(method, path, { key: secret, body }).catch(() => undefined)
      requests++
    }
    for (const raw of brokenRequests(secret)) {
      canaries.look(
        'answer of the parser',
        await sendRaw(node.url, raw).then(
          ({ body }) => String(body),
          () => '',
        ),
      )
      requests++
    }
  }
  look()
  return requests
}

async function readAsOwner({ ask, canaries }: Pick<World, 'ask' | 'canaries'>, key: string): Promise<void> {
  for (const path of ['/v1/admin/keys', '/v1/admin/webhooks', '/v1/posts?status=draft', '/v1/changes']) {
    const { text } = await ask('GET', path, { key })
    canaries.look(`answer to GET ${path}`, text)
  }
}

function brokenRequests(secret: string): readonly string[] {
  const key = `Authorization: Bearer ${secret}`
  return [
    `GET /v1/posts HTTP/9.9\r\nHost: verso\r\n${key}\r\n\r\n`,
    `GET /v1/posts HTTP/1.1\r\nHost: verso\r\n${key}\r\nX-Broken\x01: 1\r\n\r\n`,
    `GET /v1/posts HTTP/1.1\r\nHost: verso\r\n${key}\r\nX-Long: ${'a'.repeat(40_000)}\r\n\r\n`,
    `GET /v1/posts HTTP/1.1\r\nHost: verso\r\n${key}\r\n${key}\r\nConnection: close\r\n\r\n`,
    `POST /v1/posts HTTP/1.1\r\nHost: verso\r\n${key}\r\nContent-Length: x\r\n\r\n`,
  ]
}

/** Revokes keys, over HTTP and by the command beside the server, and returns how long the slowest worked on any node. */
async function revoke({ ask, admin, urls, command, canaries }: World, count: number): Promise<number> {
  let slowestMs = 0
  for (let i = 0; i < count; i++) {
    const { text } = await ask('POST', '/v1/admin/keys', { key: admin, body: JSON.stringify({ name: 'short', kind: 'public' }) })
    const { id, token } = JSON.parse(text.slice(text.lastIndexOf(']{') + 1)) as { id: string; token: string }
    canaries.add(`revoked key ${id}`, token)
    const statusAt = async (url: string) => (await fetch(`${url}/v1/posts`, { headers: { authorization: `Bearer ${token}` } })).status
    for (const url of urls) if ((await statusAt(url)) !== 200) throw new Error('a new key does not work')
    if (i % 2 === 0) await command(['key', 'revoke', id])
    else await ask('DELETE', `/v1/admin/keys/${id}`, { key: admin })
    const begun = performance.now()
    for (const url of urls) while (![401, 429].includes(await statusAt(url)) && performance.now() - begun < 5_000);
    slowestMs = Math.max(slowestMs, performance.now() - begun)
  }
  return slowestMs
}

/** An exception that nobody catches, while requests are under way. On PostgreSQL another node loses its database before. */
async function crash({ address, database, env, secret, canaries }: World): Promise<void> {
  const throwing = 'data:text/javascript,setTimeout(() => { throw new Error("planted") }, 2500)'
  const node = await serve(database, { env: { ...env, NODE_OPTIONS: `--import=${encodeURI(throwing)}` } })
  const headers = { authorization: `Bearer ${secret}` }
  const ends = AbortSignal.timeout(10_000)
  const waiting = fetch(`${node.url}/v1/changes?wait=20&since=x`, { headers, signal: ends }).catch(() => undefined)
  if (address.kind === 'postgres') {
    const others = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
    await lookUp(address.url, others)
    await Promise.all(Array.from({ length: 20 }, () => fetch(`${node.url}/v1/posts`, { headers }).catch(() => undefined)))
  }
  const { code, stdout, stderr } = await node.ended
  if (code === 0) throw new Error('the service did not crash')
  await waiting
  canaries.look('output of a crash', stdout + stderr)
}

/** Gives wrong configurations to commands. */
async function badConfigurations({ canaries, env, database, command }: World, { commandsOfEach }: Size): Promise<void> {
  const word = canaries.add('password of another database', 'hunter2canaryhunter2canary')
  const wrong: readonly Readonly<Record<string, string>>[] = [
    { VERSO_DATABASE: `postgres://canary:${word}@127.0.0.1:1/verso` },
    { VERSO_DATABASE: `postgres://canary:${word}@nowhere.invalid/verso` },
    { VERSO_DATABASE: `postgres://canary:${word} x@[bad/verso` },
    { VERSO_DATABASE: `mysql://canary:${word}@127.0.0.1/verso` },
    { VERSO_DATABASE: database.replace(/\/\/[^@]*@/, `//postgres:${word}@`) + (database.startsWith('sqlite') ? '/no/such' : '') },
    { VERSO_METRICS_TOKEN: `${word} with spaces` },
    { VERSO_SECRET: `${word} with spaces` },
    { VERSO_KEY: `${word} with spaces` },
  ]
  const both = [['serve', '--port', '0'], ['check']]
  for (const [i, each] of wrong.entries()) {
    const some = both.filter((_, n) => commandsOfEach === 2 || n === i % 2)
    for (const args of each.VERSO_KEY ? [['sync', '/nonexistent/folder']] : some) {
      const { stdout, stderr, code } = await verso(args, { env: { ...env, VERSO_DATABASE: database, ...each } })
      canaries.look(`output of verso ${args[0]} with ${Object.keys(each)[0]} ${i}`, stdout + stderr)
      if (code === 0 && args[0] === 'serve') throw new Error(`verso serve started with a wrong ${Object.keys(each)[0]}`)
    }
  }
  await command(['move', '--to', `postgres://canary:${word}@127.0.0.1:1/verso`])
}

/** What commands print, and what a backup holds. */
async function commands({ command, canaries }: World): Promise<void> {
  for (const noun of ['key', 'webhook', 'project', 'author', 'person'])
    for (const json of [[], ['--json']]) await command([noun, 'list', ...json])
  await command(['check'])
  await command(['openapi'])
  const folder = temporaryFolder()
  await command(['backup', join(folder, 'backup.ndjson.gz')])
  const bytes = readFileSync(join(folder, 'backup.ndjson.gz'))
  canaries.look('backup', bytes)
  canaries.look('unpacked backup', gunzipSync(bytes))
}

/** All bytes of the files of SQLite; all columns of all rows of PostgreSQL. */
async function lookAtDatabase({ canaries, address }: World): Promise<void> {
  if (address.kind === 'sqlite') {
    const folder = dirname(address.path)
    // The file of the key that seals is where VERSO_SECRET would otherwise stand.
    for (const file of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (file.isFile()) canaries.look(`database file ${file.name}`, readFileSync(join(file.parentPath, file.name)))
    return
  }
  const tables = await lookUp<{ name: string }>(
    address.url,
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  for (const { name } of tables) {
    const rows = await lookUp<{ row: string }>(address.url, `select row_to_json(t)::text as row from "${name}" t`)
    canaries.look(`table ${name}`, rows.map(({ row }) => row).join('\n'))
  }
}
