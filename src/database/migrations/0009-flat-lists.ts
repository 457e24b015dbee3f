import { type Kysely, sql } from 'kysely'
import type { Columns } from '../schema-dialect.ts'

/**
 * What lists by author, category and tag are read from: for each status an index in the order of publication, so that a page is one short walk,
 * or the merge of a few. `post_tags` repeats what that takes; a status of `trashed` stands for posts in the trash.
 */
export async function up(db: Kysely<unknown>, { text }: Columns): Promise<void> {
  for (const column of ['status', 'published_at'])
    await db.schema
      .alterTable('post_tags')
      .addColumn(column, text, (c) => c.notNull().defaultTo(''))
      .execute()
  await sql`
    update post_tags set status = case when posts.deleted_at is null then posts.status else 'trashed' end, published_at = posts.published_at
    from posts where posts.project_id = post_tags.project_id and posts.id = post_tags.post_id
  `.execute(db)
  await sql`create index post_tags_by_status on post_tags (project_id, tag_id, status, published_at, post_id)`.execute(db)
  for (const kind of ['author', 'category']) {
    const index = sql.ref(`posts_by_${kind}`)
    await sql`drop index ${index}`.execute(db)
    await sql`
      create index ${index} on posts (project_id, ${sql.ref(`${kind}_id`)}, status, published_at, id, deleted_at) where deleted_at is null
    `.execute(db)
  }
}
