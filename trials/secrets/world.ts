import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../../src/app/config.ts'
import { lookUp } from '../../test/harness/cluster.ts'
import type { TestEngine } from '../../test/harness/databases.ts'
import { addressText, type Served, serve, verso } from '../../test/harness/program.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'
import { Canaries } from './canaries.ts'

interface Asked {
  readonly key?: string
  readonly body?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** A service all of whose secrets are known. */
export interface World {
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

export async function startWorld(engine: TestEngine, random: SeededRandom): Promise<World> {
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

/** All bytes of the files of SQLite; all columns of all rows of PostgreSQL. */
export async function lookAtDatabase({ canaries, address }: World): Promise<void> {
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
