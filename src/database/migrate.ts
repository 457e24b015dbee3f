import { type Kysely, sql } from 'kysely'
import type { Db, Engine, Tx } from './engine.ts'
import { up as firstSchema } from './migrations/0001-first-schema.ts'
import { up as hashesOfFormerSlugs } from './migrations/0002-hashes-of-former-slugs.ts'
import { up as erasures } from './migrations/0003-erasures.ts'
import { up as failedAuthentications } from './migrations/0004-failed-authentications.ts'
import { up as wholeIndexes } from './migrations/0005-whole-indexes.ts'
import type { SchemaDialect } from './schema-dialect.ts'
import { UnsupportedDatabase } from './unsupported-database.ts'

/** A migration that was released never changes. */
export interface Migration {
  readonly name: string
  /** It changes what the search index is made from, so the index is rebuilt after it. */
  readonly reindex?: true
  up(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void>
}

export const releasedMigrations: readonly Migration[] = [
  { name: '0001-first-schema', up: firstSchema },
  { name: '0002-hashes-of-former-slugs', up: hashesOfFormerSlugs },
  { name: '0003-erasures', up: erasures },
  { name: '0004-failed-authentications', up: failedAuthentications },
  { name: '0005-whole-indexes', up: wholeIndexes },
]

interface MigrationTables {
  /** `reindex` is 1 until the search index has been rebuilt after this migration. */
  migrations: { name: string; applied_at: string; reindex: 0 | 1 }
}

interface Migrating {
  now(): Date
  /** The released ones if they are missing. */
  readonly migrations?: readonly Migration[]
  /** A migration begins, the `place`th of all. */
  begins?(name: string, place: number, all: number): void
}

/** Brings the schema up to date in one transaction and returns the names of what was applied. */
export async function migrate(engine: Engine, now: () => Date, migrations = releasedMigrations): Promise<readonly string[]> {
  return inSchema(engine, (schema) => migrateWithin(schema, engine, { now, migrations }))
}

/** The same at the beginning of a transaction that goes on. */
export async function migrateWithin(
  schema: Kysely<unknown>,
  { db: { engine } }: Pick<Engine, 'db'>,
  { now, migrations = releasedMigrations, begins }: Migrating,
): Promise<readonly string[]> {
  const db = schema as Kysely<MigrationTables>
  const dialect = { text: sql.raw(engine.textType), invertedIndex: engine.invertedIndex }
  const applied = await appliedNames(db, dialect)
  requireKnown(applied, migrations)
  const missing = migrations.filter(({ name }) => !applied.includes(name))
  for (const [i, { name, up, reindex }] of missing.entries()) {
    begins?.(name, i + 1, missing.length)
    await up(schema, dialect)
    const row = { name, applied_at: now().toISOString(), reindex: reindex ? 1 : 0 } as const
    await db.insertInto('migrations').values(row).execute()
  }
  return missing.map(({ name }) => name)
}

/** The same, unless the database holds an installation: then it changes nothing and says which migrations are waiting. */
export async function migrateUnlessFilled(
  schema: Kysely<unknown>,
  database: Pick<Engine, 'db'>,
  { now, migrations, creates }: Required<Pick<Migrating, 'now' | 'migrations'>> & { readonly creates: (() => void) | undefined },
): Promise<{ readonly applied: readonly string[]; readonly waiting: readonly string[] }> {
  const { engine } = database.db
  const present = await appliedNames(schema as Kysely<MigrationTables>, { text: sql.raw(engine.textType) })
  requireKnown(present, migrations)
  if (present.length === 0) creates?.()
  const waiting = migrations.map(({ name }) => name).filter((name) => !present.includes(name))
  // The first migration makes the table.
  const isFilled = waiting.length > 0 && present.length > 0 && (await sql`select 1 from installation`.execute(schema)).rows.length > 0
  return isFilled ? { applied: [], waiting } : { applied: await migrateWithin(schema, database, { now, migrations }), waiting: [] }
}

/** Whether the search index must be rebuilt after a migration. */
export async function needsReindex(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from migrations where reindex = 1`.execute(db)
  return rows.length > 0
}

/** Lets the next start rebuild the search index, if what rebuilds it now does not end. */
export async function markForReindex(tx: Tx): Promise<void> {
  await sql`update migrations set reindex = 1`.execute(tx)
}

export async function markReindexed(tx: Tx): Promise<void> {
  await sql`update migrations set reindex = 0 where reindex = 1`.execute(tx)
}

/** Work on the schema in a transaction. Where that fails because the database belongs to another program, the error says so. */
export async function inSchema<T>(engine: Engine, work: (schema: Kysely<unknown>) => Promise<T>): Promise<T> {
  try {
    return await engine.migrate(work)
  } catch (error) {
    // Another table has the name of one of ours, or the table of migrations is not ours.
    const isClash = error instanceof UnknownMigrations || engine.db.engine.isSchemaClash(error)
    const [other] = isClash ? await foreignTables(engine.db) : []
    throw other === undefined ? error : new UnsupportedDatabase(ofAnother(other))
  }
}

/** The names in the table of migrations are not ours. */
class UnknownMigrations extends UnsupportedDatabase {}

/** The tables of a database without an installation; none if there is one, or if they cannot be read. */
async function foreignTables(db: Db): Promise<readonly string[]> {
  const names = (await db.introspection.getTables().catch(() => [])).map(({ name }) => name)
  return names.includes('installation') ? [] : names.sort()
}

const ofAnother = (table: string) =>
  `The database belongs to another program: it holds tables, such as ${table}, and no installation. Give Verso a database of its own.`

async function appliedNames(db: Kysely<MigrationTables>, { text }: Pick<SchemaDialect, 'text'>): Promise<readonly string[]> {
  await db.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', text, (c) => c.primaryKey())
    .addColumn('applied_at', text, (c) => c.notNull())
    .addColumn('reindex', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  const rows = await db.selectFrom('migrations').select('name').orderBy('name').execute()
  return rows.map((row) => row.name)
}

/** The first migration of databases that were made before the first release. */
const unreleased = '0001-start'

/** Refuses a schema that another version has made. */
export function requireKnown(applied: readonly string[], migrations = releasedMigrations): void {
  if (applied.includes(unreleased)) throw new UnsupportedDatabase(madeBeforeRelease)
  const unknown = applied.filter((name) => !migrations.some((migration) => migration.name === name))
  if (unknown.length > 0)
    throw new UnknownMigrations(
      `The database has a newer schema than this version of Verso knows (${unknown.join(', ')}). Start a newer Verso.`,
    )
}

const madeBeforeRelease =
  'The database was made before the first release of Verso, and this version cannot read it. Start with an empty database.'
