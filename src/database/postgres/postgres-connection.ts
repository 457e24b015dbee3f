import { createHash } from 'node:crypto'
import type { PostgresPoolClient, PostgresQueryResult } from 'kysely'
import { isGone, isRefusal, isStalePlan, outcomeUnknown, toPostgresProblem, unavailable } from './postgres-errors.ts'

/** What is needed of the driver's own connection. */
interface Connection {
  query(statement: { text: string; values: unknown[]; name?: string }): Promise<PostgresQueryResult<unknown>>
  release(broken: boolean): void
}

interface GuardSettings {
  /** The statements that this connection has prepared already; none where none are to be. */
  readonly names: Set<string> | undefined
  /** Called once the connection is given back. */
  leave(): void
}

/** As many statements as one connection keeps: the program has far fewer that are frequent, and odd filters do not fill the server's memory. */
const maxPrepared = 500

/** A connection that prepares its statements, turns its errors into problems, and is not used again once it is lost. */
export function guardConnection(client: Connection, { names, leave }: GuardSettings): PostgresPoolClient {
  let broken = false
  /** What it has prepared is older than the schema. */
  let outdated = false
  let inTransaction = false

  async function run(text: string, values: readonly unknown[], prepare: boolean): Promise<PostgresQueryResult<unknown>> {
    if (broken) throw unavailable()
    const name = prepare && names && values.length > 0 ? nameIn(names, text) : undefined
    try {
      const result = await client.query({ text, values: [...values], ...(name && { name }) })
      // Several statements in one have several results, of which the last is what was asked for.
      return Array.isArray(result) ? result.at(-1) : result
    } catch (error) {
      outdated ||= isStalePlan(error)
      if (isStalePlan(error) && !inTransaction) return run(text, values, false)
      const problem = text === 'commit' && !isRefusal(error) ? outcomeUnknown(error) : toPostgresProblem(error)
      broken ||= isGone(problem)
      throw problem
    }
  }

  async function query(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<unknown>> {
    if (text.startsWith('begin')) inTransaction = true
    const result = await run(text, values, true)
    // The server answers the commit of a transaction in which a statement failed by undoing it, and calls that no error.
    if (text === 'commit' && (result.command as string) !== 'COMMIT') throw new Error('the transaction was undone by its commit')
    if (text === 'commit' || text === 'rollback') inTransaction = false
    return result
  }

  const release = () => {
    client.release(broken || outdated)
    leave()
  }
  return { query, release } as unknown as PostgresPoolClient
}

/** A name for a statement that is the same on every connection, and short enough (63 bytes). */
function nameIn(names: Set<string>, text: string): string | undefined {
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 32)
  if (names.size >= maxPrepared && !names.has(name)) return undefined
  names.add(name)
  return name
}
