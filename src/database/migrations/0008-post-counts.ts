import { type Kysely, sql } from 'kysely'
import type { Columns } from '../schema-dialect.ts'

/** How many posts there are of each status, in all and by author, category and tag: what totals of lists are made of. */
export async function up(db: Kysely<unknown>, { text }: Columns): Promise<void> {
  await db.schema
    .createTable('post_counts')
    .addColumn('project_id', text, (c) => c.notNull().references('projects.id'))
    .addColumn('dimension', text, (c) => c.notNull())
    .addColumn('ref', text, (c) => c.notNull())
    .addColumn('status', text, (c) => c.notNull())
    .addColumn('posts', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('post_counts_key', ['project_id', 'dimension', 'ref', 'status'])
    .execute()
  await fill(db, sql`select project_id, 'all', '', status, count(*) from posts where deleted_at is null group by project_id, status`)
  for (const dimension of ['author', 'category']) {
    const id = sql.ref(`${dimension}_id`)
    await fill(
      db,
      sql`select project_id, ${sql.lit(dimension)}, ${id}, status, count(*) from posts
        where deleted_at is null and ${id} is not null group by project_id, ${id}, status`,
    )
  }
  await fill(
    db,
    sql`select posts.project_id, 'tag', tags.folded, posts.status, count(*) from posts
      join post_tags on post_tags.project_id = posts.project_id and post_tags.post_id = posts.id
      join tags on tags.project_id = post_tags.project_id and tags.id = post_tags.tag_id
      where posts.deleted_at is null group by posts.project_id, tags.folded, posts.status`,
  )
}

async function fill(db: Kysely<unknown>, counted: ReturnType<typeof sql>): Promise<void> {
  await sql`insert into post_counts (project_id, dimension, ref, status, posts) ${counted}`.execute(db)
}
