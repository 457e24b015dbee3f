import type { DatabaseAddress } from '../../app/config.ts'

/** A database as people may read its address: without user, password and parameters. */
export function placeOf(database: DatabaseAddress): string {
  if (database.kind === 'sqlite') return `sqlite:${database.path}`
  const { host, pathname } = new URL(database.url)
  return `postgres://${host}${pathname}`
}
