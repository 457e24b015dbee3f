import { type Kysely, sql } from 'kysely'
import type { SchemaDialect } from '../schema-dialect.ts'

/** Failed authentications of an address, over all nodes. */
export async function up(db: Kysely<unknown>, { text }: SchemaDialect): Promise<void> {
  await sql`create table failed_authentications (address ${text} primary key, failures bigint not null, ends_at ${text} not null)`.execute(
    db,
  )
  await sql`create index failed_authentications_by_end on failed_authentications (ends_at)`.execute(db)
}
