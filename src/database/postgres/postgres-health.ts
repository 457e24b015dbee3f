import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'
import { UnsupportedDatabase } from '../unsupported-database.ts'

const oldestVersion = 14

/** Refuses a server that is too old, and an encoding that cannot represent every text. */
export async function requireSuitable(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string }>`
    select current_setting('server_version_num')::int / 10000 as version, current_setting('server_encoding') as encoding
  `.execute(db)
  const [found] = rows
  if (!found || found.version < oldestVersion)
    throw new UnsupportedDatabase(`The server is PostgreSQL ${found?.version}; Verso needs ${oldestVersion} or later.`)
  if (found.encoding !== 'UTF8')
    throw new UnsupportedDatabase(`The database has the encoding ${found.encoding}; create one with: create database … encoding 'UTF8'`)
}

/** Finds invalid indexes, unvalidated constraints, and text columns that are not compared by code point. */
export async function findPostgresFaults(db: Kysely<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{ fault: string }>`
    select format('the index %s is not valid; rebuild it with: reindex index %s', indexrelid::regclass, indexrelid::regclass) as fault
    from pg_index where not indisvalid and indrelid in (select oid from pg_class where relnamespace = current_schema()::regnamespace)
    union all
    select format('the constraint %s on %s was never validated', conname, conrelid::regclass)
    from pg_constraint where not convalidated and connamespace = current_schema()::regnamespace
    union all
    select format('the column %s.%s is not compared by code point', table_name, column_name)
    from information_schema.columns natural join information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' and data_type = 'text' and collation_name is distinct from 'C'
    order by fault
  `.execute(db)
  return rows.map((row) => row.fault)
}
