import { type Kysely, sql } from 'kysely'
import type { Columns } from './columns.ts'
import type { Engine } from './engine.ts'
import * as start from './migrations/0001-start.ts'

interface Migration {
  readonly name: string
  up(db: Kysely<unknown>, columns: Columns): Promise<void>
}

const migrations: readonly Migration[] = [{ name: '0001-start', up: start.up }]

interface MigrationTables {
  migrations: { name: string; applied_at: string }
}

/** Brings the schema up to date in one transaction and returns the names of what was applied. A schema newer than this program is refused. */
export async function migrate(engine: Engine, now: () => Date): Promise<readonly string[]> {
  const applied: string[] = []
  await engine.migrate(async (schema) => {
    const db = schema as Kysely<MigrationTables>
    const known = await appliedNames(db)
    const unknown = known.filter((name) => !migrations.some((migration) => migration.name === name))
    if (unknown.length > 0) throw new NewerSchema(unknown)
    for (const { name, up } of migrations.filter((migration) => !known.includes(migration.name))) {
      await up(schema, { text: sql.raw(engine.abilities.textType) })
      await db.insertInto('migrations').values({ name, applied_at: now().toISOString() }).execute()
      applied.push(name)
    }
  })
  return applied
}

/** The database was written by a later version of Verso. */
export class NewerSchema extends Error {
  constructor(unknown: readonly string[]) {
    super(`The database has a newer schema than this version of Verso knows (${unknown.join(', ')}). Start a newer Verso.`)
    this.name = 'NewerSchema'
  }
}

async function appliedNames(db: Kysely<MigrationTables>): Promise<readonly string[]> {
  await db.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('applied_at', 'text', (c) => c.notNull())
    .execute()
  const rows = await db.selectFrom('migrations').select('name').orderBy('name').execute()
  return rows.map((row) => row.name)
}
