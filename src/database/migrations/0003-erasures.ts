import { type Kysely, sql } from 'kysely'

/** Whether an installation that is there holds words of what was erased is not known, so they are looked for once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table installation add column has_erased integer not null default 0`.execute(db)
  await sql`update installation set has_erased = 1`.execute(db)
}
