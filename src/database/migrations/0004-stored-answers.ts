import type { Kysely } from 'kysely'
import type { Columns } from '../schema-dialect.ts'

/** Answers to writes that came with an `Idempotency-Key` (contract §4.7). The body comes last, so that a scan need not read it. */
export async function up(db: Kysely<unknown>, { text }: Columns): Promise<void> {
  await db.schema
    .createTable('stored_answers')
    .addColumn('project_id', text, (c) => c.notNull())
    .addColumn('key_id', text, (c) => c.notNull())
    .addColumn('idempotency_key', text, (c) => c.notNull())
    .addColumn('request_hash', text, (c) => c.notNull())
    .addColumn('created_at', text, (c) => c.notNull())
    .addColumn('thing_id', text)
    .addColumn('form', text, (c) => c.notNull())
    .addColumn('status', 'integer', (c) => c.notNull())
    .addColumn('headers', text, (c) => c.notNull())
    .addColumn('body', text, (c) => c.notNull())
    .addPrimaryKeyConstraint('stored_answers_key', ['project_id', 'key_id', 'idempotency_key'])
    .execute()
  await db.schema.createIndex('stored_answers_by_thing').on('stored_answers').columns(['project_id', 'thing_id']).execute()
  await db.schema.createIndex('stored_answers_by_age').on('stored_answers').columns(['project_id', 'created_at']).execute()
}
