import type { PostgresPool } from 'kysely'
import pg from 'pg'
import { guardConnection } from './postgres-connection.ts'
import { tooManyWaiting, toUnreachable } from './postgres-errors.ts'
import { limitsOf, type PoolSettings } from './postgres-settings.ts'
import { openWaitQueue } from './wait-queue.ts'

/** After this time the database counts as unavailable. */
const connectTimeoutMs = 2_500
/** How long a request waits while all connections are in use. */
const maxWaitMs = 15_000
const idleTimeoutMs = 30_000
/** TCP keep-alive, so that lost connections are noticed and firewalls keep idle ones open. */
const keepAliveMs = 10_000
/** The extra time for the server to report that a statement timed out. After it, the connection counts as lost. */
const graceMs = 2_000
const bigint = 20

interface Pool extends PostgresPool {
  /** Connections of their own for look-ups, so that none has to be opened while others take all that are; none if the pool is too small. */
  readonly reserved: PostgresPool & { readonly places: number }
}

/** Opens connections on demand, up to a limit, beyond which requests queue. Turns errors into problems. */
export function openPool(settings: PoolSettings): Pool {
  const places = reservedPlaces(settings.poolSize)
  const named = new WeakMap<pg.PoolClient, Set<string>>()
  const openPart = (most: number) => {
    const pool = connections(settings, most)
    pool.on('connect', (client) => void named.set(client, new Set()))
    return { pool, queue: openWaitQueue({ places: () => most, maxWaitMs, timeoutError: tooManyWaiting }) }
  }
  const [common, reserved] = [openPart(settings.poolSize - places), openPart(places)]
  const connectFrom =
    ({ pool, queue }: typeof common) =>
    async () => {
      const leave = await queue.enter()
      try {
        const client = await pool.connect()
        return guardConnection(client, { names: settings.prepare ? named.get(client) : undefined, leave })
      } catch (error) {
        const problem = toUnreachable(error)
        // The server cannot be reached at all, so waiting is pointless.
        if (common.pool.totalCount + reserved.pool.totalCount === 0) for (const each of [common, reserved]) each.queue.rejectAll(problem)
        leave()
        throw problem
      }
    }
  return {
    end: async () => void (await Promise.all([common.pool.end(), reserved.pool.end()])),
    connect: connectFrom(common),
    reserved: { places, end: async () => undefined, connect: connectFrom(reserved) },
  }
}

/** More than two are of no use, and a small pool can spare one or none. */
function reservedPlaces(poolSize: number): number {
  return Math.min(2, Math.floor(poolSize / 4))
}

function connections(settings: PoolSettings, most: number): pg.Pool {
  const { url, statementTimeoutMs, prepare } = settings
  const pool = new pg.Pool({
    connectionString: verifying(url),
    max: most,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    application_name: 'verso',
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    types: { getTypeParser: (oid, format) => (oid === bigint ? Number : pg.types.getTypeParser(oid, format)) },
    ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + graceMs }),
    ...(prepare && limitsOf(settings)),
  })
  // When the server ends a connection it emits an error, which would end the process without a listener. Its next use rejects.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** Every TLS mode except `no-verify` checks the certificate. The driver's next version would check less. */
function verifying(url: string): string {
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}
