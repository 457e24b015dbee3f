import { type Kysely, sql } from 'kysely'
import type { Db, Tx } from '../../database/engine.ts'
import { requireKnown } from '../../database/migrate.ts'
import { requireWhole } from '../move/move-rules.ts'
import { movedTables } from '../move/moved-tables.ts'

/** What a backup says about the database that it is made of. */
interface Described {
  readonly migrations: readonly string[]
  readonly installation: { readonly createdAt: string }
  /** The tables to copy. A database of an older version may lack some. */
  readonly tables: readonly string[]
}

/** Describes a database of this or an older version. Throws if it holds no installation. */
export async function describeDatabase(db: Db, place: string): Promise<Described> {
  const names = new Set((await db.introspection.getTables()).map(({ name }) => name))
  const hasInstallation = names.has('installation') && names.has('migrations')
  const row = hasInstallation ? await db.selectFrom('installation').selectAll().executeTakeFirst() : undefined
  const { created_at } = requireWhole(place, row)
  const migrations = await listMigrations(db)
  // A newer schema may have tables that this version would leave out.
  requireKnown(migrations)
  return {
    migrations,
    installation: { createdAt: created_at },
    tables: movedTables.filter((table) => names.has(table)),
  }
}

/** The migrations of a database; none if it is empty. */
export async function listMigrations(db: Pick<Kysely<unknown>, 'introspection' | 'getExecutor'>): Promise<readonly string[]> {
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === 'migrations')) return []
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db)
  return rows.map(({ name }) => name)
}

export async function setEpoch(tx: Tx, epoch: string): Promise<void> {
  await tx.updateTable('installation').set({ epoch }).execute()
}
