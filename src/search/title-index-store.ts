import { type QueryExecutorProvider, sql } from 'kysely'

/** Numbers all posts and indexes their titles, if the inverted index is a table. After that, triggers do it. */
export async function fillTitles(tx: QueryExecutorProvider): Promise<void> {
  for (const statement of [numberPosts, readTitles]) await statement.execute(tx)
}

/** Deletes all numbers, and with them all titles and words. */
export async function forgetNumbers(tx: QueryExecutorProvider): Promise<void> {
  for (const statement of [forgetTitles, forgetWords, forgetPosts]) await statement.execute(tx)
}

/** The marks that the triggers of the schema set. */
const marks = sql`case when posts.deleted_at is not null then 'HIDDEN TRASHED' when posts.status <> 'published' then 'HIDDEN' else '' end`
/** The project's number is in the upper half of 64 bits, the post's in the lower. */
const numberPosts = sql`
  insert into search_posts (number, project_id, id, status, published_at, deleted_at)
  select (dense_rank() over (order by project_id) << 32) + row_number() over (partition by project_id order by id),
    project_id, id, status, published_at, deleted_at
  from posts order by project_id, id
`
const readTitles = sql`
  insert into search_titles (rowid, title)
  select numbered.number, posts.title_folded || ${marks}
  from search_posts as numbered cross join posts on posts.project_id = numbered.project_id and posts.id = numbered.id order by numbered.number
`
const forgetTitles = sql`insert into search_titles (search_titles) values ('delete-all')`
const forgetWords = sql`insert into search_words (search_words) values ('delete-all')`
const forgetPosts = sql`delete from search_posts`
