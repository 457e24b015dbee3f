import { createHash } from 'node:crypto'
import type { PostgresPoolClient, PostgresQueryResult } from 'kysely'
import {
  isConnectionLost,
  isServerRefusal,
  isShardAway,
  isStalePlan,
  outcomeUnknown,
  toPostgresProblem,
  unavailable,
} from './postgres-errors.ts'

/** The part of the driver's connection that is used here. */
interface Connection {
  query(statement: { text: string; values: unknown[]; name?: string }): Promise<PostgresQueryResult<unknown>>
  release(broken: boolean): void
}

interface GuardSettings {
  /** The statements that this connection has prepared; undefined if it must not prepare any. */
  readonly names: Set<string> | undefined
  /** Called when the connection is released. */
  leave(): void
}

/** Per connection. Far more than the frequent statements; unusual filters beyond it must not fill the server's memory. */
const maxPrepared = 500

/** A connection that prepares its statements, turns errors into problems, and is not reused once it is lost. */
export function guardConnection(client: Connection, { names, leave }: GuardSettings): PostgresPoolClient {
  let broken = false
  /** The schema has changed since a statement was prepared. */
  let outdated = false
  let inTransaction = false
  let isReadOnly = false

  async function run(text: string, values: readonly unknown[], prepare: boolean): Promise<PostgresQueryResult<unknown>> {
    if (broken) throw unavailable()
    const name = prepare && names && values.length > 0 ? nameIn(names, text) : undefined
    try {
      const result = await client.query({ text, values: [...values], ...(name && { name }) })
      // A text of several statements has several results. The last one counts.
      return Array.isArray(result) ? result.at(-1) : result
    } catch (error) {
      outdated ||= isStalePlan(error)
      if (isStalePlan(error) && !inTransaction) return run(text, values, false)
      const problem = text === 'commit' && !isReadOnly && !isServerRefusal(error) ? outcomeUnknown(error) : toPostgresProblem(error)
      broken ||= isConnectionLost(problem) && !isShardAway(error)
      throw problem
    }
  }

  async function query(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<unknown>> {
    if (text.startsWith('begin')) {
      inTransaction = true
      isReadOnly = text.includes('read only')
    }
    const result = await run(text, values, true)
    // After a failed statement the server rolls back on `commit`, without an error.
    if (text === 'commit' && (result.command as string) !== 'COMMIT') throw new Error('the commit rolled the transaction back')
    if (text === 'commit' || text === 'rollback') inTransaction = false
    return result
  }

  const release = () => {
    client.release(broken || outdated)
    leave()
  }
  return { query, release } as unknown as PostgresPoolClient
}

/** The same name on every connection, shorter than the limit of 63 bytes. */
function nameIn(names: Set<string>, text: string): string | undefined {
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 32)
  if (names.size >= maxPrepared && !names.has(name)) return undefined
  names.add(name)
  return name
}
