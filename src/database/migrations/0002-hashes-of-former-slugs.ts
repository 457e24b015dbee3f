import { type Kysely, sql } from 'kysely'
import type { SchemaDialect } from '../schema-dialect.ts'

/** Rows that are there have no hash, which is `''`. */
export async function up(db: Kysely<unknown>, { text }: SchemaDialect): Promise<void> {
  await sql`alter table old_slugs add column row_hash ${text} not null default ''`.execute(db)
}
