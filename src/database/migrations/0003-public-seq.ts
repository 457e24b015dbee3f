import { type Kysely, sql } from 'kysely'

/** The public revision that a change took, so that public keys can be told of the log in numbers that tell of nothing else. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('changes').addColumn('public_seq', 'bigint').execute()
  await sql`
    update changes set public_seq = counted.public_seq
    from (
      select project_id, seq, row_number() over (partition by project_id order by seq) as public_seq
      from changes where public_before = 1 or public_after = 1
    ) as counted
    where counted.project_id = changes.project_id and counted.seq = changes.seq
  `.execute(db)
  await sql`create unique index changes_in_public on changes (project_id, public_seq) where public_seq is not null`.execute(db)
}
