import type { PostgresPool } from 'kysely'
import pg from 'pg'
import { guardConnection } from './postgres-connection.ts'
import { crowded, toUnreachable } from './postgres-errors.ts'
import { limitsOf, type PoolSettings } from './postgres-settings.ts'
import { openWaitQueue, type WaitQueue } from './wait-queue.ts'

/** How long it may take to connect before the database counts as away. */
const connectTimeoutMs = 2_500
/** How long a request waits for one of the connections while others use them all. */
const patienceMs = 15_000
/** An idle connection is closed after this time. */
const idleTimeoutMs = 30_000
/** Silent for so long, a connection is asked whether it is still there, and no firewall on the way forgets it. */
const keepAliveMs = 10_000
/** What a server that ends a slow statement by itself needs to say so; after that, it or the way to it is gone. */
const graceMs = 2_000
const bigint = 20

interface Pool extends PostgresPool {
  /** Some of the same connections, kept for those alone who ask for them here; none of a pool that is too small. */
  readonly kept: PostgresPool & { readonly places: number }
}

/** Connections that are opened as they are needed, up to a limit; beyond it, requests queue. Errors are problems. */
export function openPool(settings: PoolSettings): Pool {
  const places = keptPlaces(settings.poolSize)
  const pool = connections(settings)
  const line = openWaitQueue({ places: settings.poolSize - places, patienceMs, tooLong: crowded })
  const keptLine = openWaitQueue({ places, patienceMs, tooLong: crowded })
  const named = new WeakMap<pg.PoolClient, Set<string>>()
  pool.on('connect', (client) => void named.set(client, new Set()))
  const connectFrom = (from: WaitQueue) => async () => {
    const leave = await from.enter()
    try {
      const client = await pool.connect()
      return guardConnection(client, { names: settings.prepare ? named.get(client) : undefined, leave })
    } catch (error) {
      const problem = toUnreachable(error)
      // Where not one connection could be had, who waits for one need not wait on.
      if (pool.totalCount === 0) for (const each of [line, keptLine]) each.dismiss(problem)
      leave()
      throw problem
    }
  }
  return {
    end: () => pool.end(),
    connect: connectFrom(line),
    kept: { places, end: async () => undefined, connect: connectFrom(keptLine) },
  }
}

/** Connections for look-ups: two are as many as are ever of use, and a small pool can spare one or none. */
function keptPlaces(poolSize: number): number {
  return Math.min(2, Math.floor(poolSize / 4))
}

function connections(settings: PoolSettings): pg.Pool {
  const { url, poolSize, statementTimeoutMs, prepare } = settings
  const pool = new pg.Pool({
    connectionString: verifying(url),
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    application_name: 'verso',
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    types: { getTypeParser: (oid, format) => (oid === bigint ? Number : pg.types.getTypeParser(oid, format)) },
    ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + graceMs }),
    ...(prepare && limitsOf(settings)),
  })
  // A connection that the server ends emits an error; without a listener it would end the process. Who uses it next is told.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** Every mode that asks for TLS checks the certificate, unless it says otherwise (`no-verify`); the driver's next version would not. */
function verifying(url: string): string {
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}
