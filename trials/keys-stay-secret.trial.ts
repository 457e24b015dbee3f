import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { lookUp } from '../test/harness/cluster.ts'
import { serve, temporaryFolder, verso } from '../test/harness/program.ts'
import { trial } from './harness/trial.ts'
import { erase, erasedWord, makeSecrets } from './secrets/made-secrets.ts'
import { sendEverywhere } from './secrets/sent-secrets.ts'
import { lookAtDatabase, startWorld, type World } from './secrets/world.ts'

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
    { VERSO_DATABASE: database.replace(/:[^:/@]*@/, `:${word}@`) + (database.startsWith('sqlite') ? '/no/such' : '') },
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
