import type { Kysely } from 'kysely'
import type { Columns } from '../schema-dialect.ts'

/** What opens one unpublished post to those who have no key (contract §6.5). */
export async function up(db: Kysely<unknown>, { text }: Columns): Promise<void> {
  await db.schema
    .createTable('preview_tokens')
    .addColumn('project_id', text, (c) => c.notNull())
    .addColumn('id', text, (c) => c.notNull())
    .addColumn('post_id', text, (c) => c.notNull())
    .addColumn('name', text)
    .addColumn('hash', text, (c) => c.notNull())
    .addColumn('created_at', text, (c) => c.notNull())
    .addColumn('expires_at', text, (c) => c.notNull())
    .addPrimaryKeyConstraint('preview_tokens_key', ['project_id', 'id'])
    .addUniqueConstraint('preview_tokens_hash', ['project_id', 'hash'])
    .addForeignKeyConstraint('preview_tokens_post', ['project_id', 'post_id'], 'posts', ['project_id', 'id'])
    .execute()
  await db.schema
    .createIndex('preview_tokens_by_post')
    .on('preview_tokens')
    .columns(['project_id', 'post_id', 'created_at', 'id'])
    .execute()
}
