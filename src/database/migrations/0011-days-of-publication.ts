import { type Kysely, sql } from 'kysely'

/** How many posts of each status were published on each day: where pages far down a list begin. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into post_counts (project_id, dimension, ref, status, posts)
    select project_id, 'day', substr(published_at, 1, 10), status, count(*) from posts
    where deleted_at is null and published_at <> '' group by project_id, substr(published_at, 1, 10), status
  `.execute(db)
}
