import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Columns } from '../schema-dialect.ts'

/** Endpoints that are told of changes, each with its place in the log, and what is sent to them. */
export async function up(db: Kysely<unknown>, { text }: Columns): Promise<void> {
  await webhooks(db, text)
  await deliveries(db, text)
  await db.schema
    .createIndex('webhook_deliveries_by_time')
    .on('webhook_deliveries')
    .columns(['project_id', 'webhook_id', 'created_at', 'id'])
    .execute()
  // What is still to be sent, which is little beside what was: in the order of sending, and by the thing that it tells of.
  await sql`create index webhook_deliveries_open on webhook_deliveries (project_id, webhook_id, next_try_at) where status in ('waiting', 'sending')`.execute(
    db,
  )
  await sql`create index webhook_deliveries_of_thing on webhook_deliveries (project_id, webhook_id, thing_id, revision, part) where status in ('waiting', 'sending')`.execute(
    db,
  )
}

type Text = Columns['text']

async function webhooks(db: Kysely<unknown>, text: Text): Promise<void> {
  await db.schema
    .createTable('webhooks')
    .addColumn('project_id', text, (c) => c.notNull().references('projects.id'))
    .addColumn('id', text, (c) => c.notNull())
    .addColumn('name', text, (c) => c.notNull())
    .addColumn('url', text, (c) => c.notNull())
    .addColumn('events', text, (c) => c.notNull())
    .addColumn('secret', text, (c) => c.notNull())
    .addColumn('old_secret', text)
    .addColumn('old_secret_until', text)
    .addColumn('enabled', 'integer', (c) => c.notNull())
    .addColumn('disabled_at', text)
    .addColumn('disabled_reason', text)
    .addColumn('log_position', 'bigint', (c) => c.notNull())
    .addColumn('failures', 'bigint', (c) => c.notNull())
    .addColumn('failing_since', text)
    .addColumn('wake_at', text, (c) => c.notNull())
    .addColumn('created_at', text, (c) => c.notNull())
    .addColumn('updated_at', text, (c) => c.notNull())
    .addPrimaryKeyConstraint('webhooks_key', ['project_id', 'id'])
    .execute()
}

async function deliveries(db: Kysely<unknown>, text: Text): Promise<void> {
  await db.schema
    .createTable('webhook_deliveries')
    .addColumn('project_id', text, (c) => c.notNull())
    .addColumn('webhook_id', text, (c) => c.notNull())
    .addColumn('id', text, (c) => c.notNull())
    .addColumn('type', text, (c) => c.notNull())
    .addColumn('revision', 'bigint', (c) => c.notNull())
    .addColumn('part', 'integer', (c) => c.notNull())
    .addColumn('thing_id', text, (c) => c.notNull())
    .addColumn('happened_at', text, (c) => c.notNull())
    .addColumn('status', text, (c) => c.notNull())
    .addColumn('tries', 'bigint', (c) => c.notNull())
    .addColumn('first_tried_at', text)
    .addColumn('last_tried_at', text)
    .addColumn('next_try_at', text, (c) => c.notNull())
    .addColumn('lease', text)
    .addColumn('last_status', 'integer')
    .addColumn('last_duration_ms', 'bigint')
    .addColumn('last_error', text)
    .addColumn('created_at', text, (c) => c.notNull())
    .addPrimaryKeyConstraint('webhook_deliveries_key', ['project_id', 'webhook_id', 'id'])
    .addForeignKeyConstraint('webhook_deliveries_webhook', ['project_id', 'webhook_id'], 'webhooks', ['project_id', 'id'])
    .execute()
}
