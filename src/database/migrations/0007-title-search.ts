import { type Kysely, sql } from 'kysely'
import { fillTitles, marksOf } from '../../search/title-index-store.ts'
import type { Columns } from '../schema-dialect.ts'

/** The index of what titles hold (contract §3.3), which the engine itself keeps, like its others. */
export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  if (columns.invertedIndex === 'gin') await trigramIndex(db)
  else await trigramTable(db)
}

/** Where the extension is not there, or not for us to use, titles are read through as before. */
async function trigramIndex(db: Kysely<unknown>): Promise<void> {
  await sql`do $$ begin create extension if not exists pg_trgm; exception when others then raise notice '%', sqlerrm; end $$`.execute(db)
  await sql`
    do $$ begin
      create index posts_title_trigrams on posts using gin (title_folded gin_trgm_ops) where deleted_at is null;
    exception when undefined_object then raise notice '%', sqlerrm; end $$
  `.execute(db)
}

/**
 * `search_titles` numbers its rows, and posts have no number that stays; so `search_posts` gives them one, those of a project in a range of
 * its own, and repeats what lists of search results are sorted and judged by. Triggers keep both, whoever writes a post.
 */
async function trigramTable(db: Kysely<unknown>): Promise<void> {
  for (const statement of [posts, postsById, titles, onInsert, onUpdate, onDelete]) await statement.execute(db)
  await fillTitles(db)
}

const posts = sql`create table search_posts (
  number integer primary key, project_id text not null, id text not null,
  status text not null, published_at text not null, deleted_at text
)`
const postsById = sql`create unique index search_posts_key on search_posts (project_id, id)`
const titles = sql`create virtual table search_titles using fts5 (title, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1')`

const onInsert = sql`
  create trigger search_posts_insert after insert on posts begin
    insert into search_posts (number, project_id, id, status, published_at, deleted_at)
    values (${nextNumber()}, new.project_id, new.id, new.status, new.published_at, new.deleted_at);
    insert into search_titles (rowid, title) values (${numberOf('new')}, new.title_folded || ${marksOf('new')});
  end
`
const onUpdate = sql`
  create trigger search_posts_update after update on posts
  when (new.title_folded, new.status, new.published_at, new.deleted_at) is not (old.title_folded, old.status, old.published_at, old.deleted_at)
  begin
    update search_posts set status = new.status, published_at = new.published_at, deleted_at = new.deleted_at
    where project_id = new.project_id and id = new.id;
    delete from search_titles where rowid = ${numberOf('new')};
    insert into search_titles (rowid, title) values (${numberOf('new')}, new.title_folded || ${marksOf('new')});
  end
`
const onDelete = sql`
  create trigger search_posts_delete after delete on posts begin
    delete from search_titles where rowid = ${numberOf('old')};
    delete from search_posts where project_id = old.project_id and id = old.id;
  end
`

function numberOf(row: 'new' | 'old') {
  return sql.raw(`(select number from search_posts where project_id = ${row}.project_id and id = ${row}.id)`)
}

/** One more than the last of the project, or the first of a new range. */
function nextNumber() {
  const range = `(select number >> 32 from search_posts where project_id = new.project_id limit 1)`
  const last = `(select number from search_posts where number < (${range} + 1) << 32 order by number desc limit 1)`
  return sql.raw(`coalesce(${last} + 1, ((coalesce((select max(number) from search_posts), 0) >> 32) + 1 << 32) + 1)`)
}
