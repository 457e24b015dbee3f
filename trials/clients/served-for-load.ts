import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { DatabaseAddress } from '../../src/app/config.ts'
import { openEngine } from '../../src/app/installation.ts'
import { realContext } from '../../src/context.ts'
import { unobserved } from '../../src/values/observations.ts'
import type { TestEngine } from '../../test/harness/databases.ts'
import { migratedDatabase } from '../../test/harness/given-database.ts'
import { addressText, type Served, serve } from '../../test/harness/program.ts'

/** A service in a process of its own, with its first keys. */
export interface LoadedService {
  readonly served: Served
  readonly address: DatabaseAddress
  readonly secret: string
  readonly agent: Agent
}

export async function serveForLoad(engine: TestEngine, env: Readonly<Record<string, string>> = {}): Promise<LoadedService> {
  const address = await migratedDatabase(engine)
  const served = await serve(addressText(address), { env: { VERSO_LOG_LEVEL: 'error', ...env } })
  while (!/verso_live_\w+/.test(served.stdout())) await pause(10)
  const secret = /verso_live_\w+/.exec(served.stdout())?.[0] ?? ''
  return { served, address, secret, agent: new Agent({ keepAlive: true, maxSockets: 8 }) }
}

/** Lets the planner know the tables, as a PostgreSQL does by itself within a minute. */
export async function analyze({ address }: LoadedService): Promise<void> {
  const engine = await openEngine(address, realContext, unobserved)
  await engine.analyze?.()
  await engine.close()
}

export interface Asked {
  readonly method?: string
  readonly path: string
  readonly body?: unknown
}

export interface Answered {
  /** 0 where the connection failed. */
  readonly status: number
  readonly ms: number
  readonly retryAfter: string | undefined
}

/** Asks through an agent and reads the whole answer. */
export function ask({ served, secret, agent }: LoadedService, { method = 'GET', path, body }: Asked, through = agent): Promise<Answered> {
  const started = performance.now()
  const headers = { authorization: `Bearer ${secret}`, ...(body !== undefined && { 'content-type': 'application/json' }) }
  return new Promise((resolve) => {
    const end = (status: number, retryAfter?: string) => resolve({ status, ms: performance.now() - started, retryAfter })
    const sending = request(served.url + path, { method, headers, agent: through }, (response) => {
      response.on('error', () => end(0)).on('end', () => end(response.statusCode ?? 0, response.headers['retry-after']))
      response.resume()
    })
    sending.on('error', () => end(0))
    sending.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** Resident memory of the service in MB, without that of a database server. */
export function memoryOf({ served }: LoadedService): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${served.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
