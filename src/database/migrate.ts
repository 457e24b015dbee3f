import { type Kysely, sql } from 'kysely'
import type { Engine } from './engine.ts'
import * as start from './migrations/0001-start.ts'
import * as move from './migrations/0002-move.ts'
import * as publicSeq from './migrations/0003-public-seq.ts'
import * as storedAnswers from './migrations/0004-stored-answers.ts'
import * as webhooks from './migrations/0005-webhooks.ts'
import * as previewTokens from './migrations/0006-preview-tokens.ts'
import * as titleSearch from './migrations/0007-title-search.ts'
import * as postCounts from './migrations/0008-post-counts.ts'
import * as flatLists from './migrations/0009-flat-lists.ts'
import * as searchWords from './migrations/0010-search-words.ts'
import * as daysOfPublication from './migrations/0011-days-of-publication.ts'
import type { Columns } from './schema-dialect.ts'
import { UnsuitableDatabase } from './unsupported-database.ts'

interface Migration {
  readonly name: string
  up(db: Kysely<unknown>, columns: Columns): Promise<void>
}

const migrations: readonly Migration[] = [
  { name: '0001-start', up: start.up },
  { name: '0002-move', up: move.up },
  { name: '0003-public-seq', up: publicSeq.up },
  { name: '0004-stored-answers', up: storedAnswers.up },
  { name: '0005-webhooks', up: webhooks.up },
  { name: '0006-preview-tokens', up: previewTokens.up },
  { name: '0007-title-search', up: titleSearch.up },
  { name: '0008-post-counts', up: postCounts.up },
  { name: '0009-flat-lists', up: flatLists.up },
  { name: '0010-search-words', up: searchWords.up },
  { name: '0011-days-of-publication', up: daysOfPublication.up },
]

interface MigrationTables {
  migrations: { name: string; applied_at: string }
}

/** Brings the schema up to date in one transaction and returns the names of what was applied. A schema newer than this program is refused. */
export async function migrate(engine: Engine, now: () => Date): Promise<readonly string[]> {
  return engine.migrate((schema) => migrateWithin(schema, engine, now))
}

/** The same as the beginning of a transaction that goes on. */
export async function migrateWithin(
  schema: Kysely<unknown>,
  { abilities, db: { engine } }: Pick<Engine, 'abilities' | 'db'>,
  now: () => Date,
): Promise<readonly string[]> {
  const db = schema as Kysely<MigrationTables>
  const columns = { text: sql.raw(abilities.textType), invertedIndex: engine.invertedIndex }
  const known = await appliedNames(db, columns)
  const unknown = known.filter((name) => !migrations.some((migration) => migration.name === name))
  if (unknown.length > 0) throw new NewerSchema(unknown)
  const missing = migrations.filter((migration) => !known.includes(migration.name))
  for (const { name, up } of missing) {
    await up(schema, columns)
    await db.insertInto('migrations').values({ name, applied_at: now().toISOString() }).execute()
  }
  return missing.map(({ name }) => name)
}

/** The database was written by a later version of Verso. */
export class NewerSchema extends UnsuitableDatabase {
  constructor(unknown: readonly string[]) {
    super(`The database has a newer schema than this version of Verso knows (${unknown.join(', ')}). Start a newer Verso.`)
    this.name = 'NewerSchema'
  }
}

async function appliedNames(db: Kysely<MigrationTables>, { text }: Pick<Columns, 'text'>): Promise<readonly string[]> {
  await db.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', text, (c) => c.primaryKey())
    .addColumn('applied_at', text, (c) => c.notNull())
    .execute()
  const rows = await db.selectFrom('migrations').select('name').orderBy('name').execute()
  return rows.map((row) => row.name)
}
