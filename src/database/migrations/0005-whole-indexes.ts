import { type Kysely, sql } from 'kysely'

/** Indexes with the posts in the trash, too: where an author or category is deleted, the foreign key goes through all posts that name it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['author', 'category'].map((each) => sql.raw(each))) {
    await sql`drop index posts_by_${name}`.execute(db)
    await sql`create index posts_by_${name} on posts (project_id, ${name}_id, status, published_at, id, deleted_at)`.execute(db)
  }
}
