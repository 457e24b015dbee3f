import { existsSync } from 'node:fs'
import type { DatabaseAddress } from '../app/config.ts'
import { openEngine } from '../app/installation.ts'
import { realContext } from '../context.ts'
import type { Side } from '../maintenance/move/copy.ts'
import { unobserved } from '../values/observations.ts'
import { UsageError } from './errors.ts'

/** Opens a database without migrating it, and closes it afterwards. */
export async function withSide<T>(database: DatabaseAddress, work: (side: Side) => Promise<T>): Promise<T> {
  const engine = await openEngine(patient(database), realContext, unobserved)
  try {
    return await work({ engine, place: placeOf(database) })
  } finally {
    await engine.close()
  }
}

/** For commands that make no database: opening a file of SQLite that is not there would create it. */
export function requireDatabase(database: DatabaseAddress): void {
  if (database.kind === 'sqlite' && !isThere(database)) throw new UsageError(`there is no database at ${database.path}.`)
}

/** Whether there is a file of SQLite. A database of PostgreSQL is never created. */
export function isThere(database: DatabaseAddress): boolean {
  return database.kind === 'postgres' || existsSync(database.path)
}

/** Copying may take long, and its batches are different statements: no timeout, no prepared statements. */
function patient(database: DatabaseAddress): DatabaseAddress {
  return database.kind === 'postgres' ? { ...database, statementTimeoutMs: 0, prepare: false } : database
}

/** The address of a database without user, password and parameters. */
export function placeOf(database: DatabaseAddress): string {
  if (database.kind === 'sqlite') return `sqlite:${database.path}`
  const { host, pathname } = new URL(database.url)
  return `postgres://${host}${pathname}`
}
