import { type DatabaseAddress, readConfig } from '../../src/app/config.ts'
import { type Installation, openInstallation } from '../../src/app/installation.ts'
import { realContext } from '../../src/context.ts'
import { unobserved } from '../../src/values/observations.ts'
import { addressText, type Served, serve, verso } from '../../test/harness/program.ts'

/** A service that is killed and started again over the same database, and requests that go on until it answers. */
export interface KeptAlive {
  readonly address: DatabaseAddress
  readonly secret: string
  readonly public: string
  kills(): number
  /** SIGKILL, then `meanwhile` while nothing runs, then a new start. */
  kill(meanwhile?: (installation: Installation) => Promise<void>): Promise<void>
  signal(name: NodeJS.Signals): Promise<void>
  /** Another node over the same database. */
  startBeside(): Promise<Served>
  /** Repeats a request to the service until it is answered. */
  ask(method: string, path: string, asked?: Asking): Promise<Answered>
}

interface Asking {
  readonly key?: string
  readonly body?: unknown
}

interface Answered {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: trials look into bodies of every kind.
  readonly body: any
}

const env = { VERSO_WEBHOOK_ALLOW: '127.0.0.0/8', VERSO_LOG_LEVEL: 'silent' }
const patienceMs = 30_000
const scopes = 'posts:read,posts:read_drafts,posts:write,posts:publish,posts:delete,authors:read,media:read,media:write,changes:read,admin'

/** Starts `verso serve`, as it is built, with a project `default`. */
export async function startKeptAlive(address: DatabaseAddress): Promise<KeptAlive> {
  const database = addressText(address)
  const run = async (...args: readonly string[]) => (await verso([...args, '--database', database])).stdout.trim()
  await run('project', 'create', 'default', '--name', 'Default')
  const secret = await run('key', 'create', '--kind', 'secret', '--name', 'trial', '--scopes', scopes)
  const publicKey = await run('key', 'create', '--kind', 'public', '--name', 'trial')
  let service: Promise<Served> = serve(database, { env })
  let kills = 0
  let requests = 0
  await service
  return {
    address,
    secret,
    public: publicKey,
    kills: () => kills,
    async kill(meanwhile) {
      const killed = await service
      kills += 1
      service = (async () => {
        killed.signal('SIGKILL')
        await killed.ended
        if (meanwhile) await withInstallation(address, meanwhile)
        return serve(database, { env })
      })()
      await service
    },
    signal: async (name) => (await service).signal(name),
    startBeside: () => serve(database, { env }),
    async ask(method, path, { key = secret, body } = {}) {
      const id = `trial-${requests++}`
      for (const began = Date.now(); ; ) {
        try {
          const { url } = await service
          const response = await fetch(url + path, {
            method,
            headers: {
              authorization: `Bearer ${key}`,
              ...(method !== 'GET' && { 'idempotency-key': id }),
              ...(body !== undefined && { 'content-type': 'application/json' }),
            },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          })
          const text = await response.text()
          if (response.status < 500) return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
        } catch (error) {
          if (Date.now() - began > patienceMs) throw error
        }
        if (Date.now() - began > patienceMs) throw new Error(`no answer to ${method} ${path} within ${patienceMs} ms`)
        await pause(20)
      }
    },
  }
}

/** Opens the database beside the service. */
export async function withInstallation<T>(database: DatabaseAddress, work: (installation: Installation) => Promise<T>): Promise<T> {
  const installation = await openInstallation({ database, context: realContext, observations: unobserved })
  try {
    return await work(installation)
  } finally {
    await installation.close()
  }
}

/** The address that a service of its own uses: with the clock of the database where there is one. */
export function asServed(address: DatabaseAddress): DatabaseAddress {
  return readConfig({ database: addressText(address) }, {}).database
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
