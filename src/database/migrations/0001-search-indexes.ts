import { type RawBuilder, sql } from 'kysely'
import type { SchemaDialect } from '../schema-dialect.ts'

/** What posts are searched through, as parts of the first schema. */

type Statement = RawBuilder<unknown>
type Text = SchemaDialect['text']

/**
 * SQLite. FTS5 numbers its rows, and posts have no number of their own that stays. So `search_posts` gives them one, the project's in its
 * upper 32 bits, and repeats the columns that search results are filtered and sorted by. Triggers keep it and the titles up to date.
 * Words are ASCII letters and digits and letters beyond ASCII, separated by blanks: the tokenizer `ascii` takes them as they are.
 */
export function fts5Tables(): readonly Statement[] {
  return [
    sql`create table search_posts (
    number integer primary key, project_id text not null, id text not null,
    status text not null, published_at text not null, deleted_at text
  )`,
    sql`create unique index search_posts_key on search_posts (project_id, id)`,
    sql`create virtual table search_titles using fts5 (title, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1')`,
    sql`create virtual table search_words using fts5 (
    title, excerpt, content, digest unindexed,
    content = '', contentless_delete = 1, contentless_unindexed = 1, detail = column, tokenize = 'ascii'
  )`,
    ...['search_titles', 'search_words'].flatMap(mergedBeside),
    sql`create trigger search_posts_insert after insert on posts begin
    insert into search_posts (number, project_id, id, status, published_at, deleted_at)
    values (${nextNumber()}, new.project_id, new.id, new.status, new.published_at, new.deleted_at);
    insert into search_titles (rowid, title) values (${numberOf('new')}, ${markedTitle()});
  end`,
    sql`create trigger search_posts_update after update on posts
    when (new.title_folded, new.status, new.published_at, new.deleted_at) is not (old.title_folded, old.status, old.published_at, old.deleted_at)
  begin
    update search_posts set status = new.status, published_at = new.published_at, deleted_at = new.deleted_at
    where project_id = new.project_id and id = new.id;
    delete from search_titles where rowid = ${numberOf('new')};
    insert into search_titles (rowid, title) values (${numberOf('new')}, ${markedTitle()});
  end`,
    sql`create trigger search_posts_delete after delete on posts begin
    delete from search_titles where rowid = ${numberOf('old')};
    delete from search_words where rowid = ${numberOf('old')};
    delete from search_posts where project_id = old.project_id and id = old.id;
  end`,
  ]
}

/** FTS5 would merge parts of its index in a commit. `upkeep-worker.ts` merges them beside the event loop; these are for the case that it fails. */
function mergedBeside(table: string): readonly Statement[] {
  const settings = { automerge: 0, crisismerge: 500 }
  return Object.entries(settings).map(
    ([name, value]) => sql`insert into ${sql.raw(table)} (${sql.raw(table)}, rank) values (${sql.lit(name)}, ${sql.lit(value)})`,
  )
}

/** The marks let visible matches be counted without reading posts. Folded titles have no capitals, so no search finds a mark. */
function markedTitle(): Statement {
  return sql`new.title_folded || case when new.deleted_at is not null then 'HIDDEN TRASHED' when new.status <> 'published' then 'HIDDEN' else '' end`
}

function numberOf(row: 'new' | 'old'): Statement {
  return sql.raw(`(select number from search_posts where project_id = ${row}.project_id and id = ${row}.id)`)
}

/** One more than the last number of the project, or the first of a new range. */
function nextNumber(): Statement {
  const range = `(select number >> 32 from search_posts where project_id = new.project_id limit 1)`
  const last = `(select number from search_posts where number < (${range} + 1) << 32 order by number desc limit 1)`
  return sql.raw(`coalesce(${last} + 1, ((coalesce((select max(number) from search_posts), 0) >> 32) + 1 << 32) + 1)`)
}

/** PostgreSQL. Where `pg_trgm` is missing or not allowed, there is no index of titles, and searches scan them. */
export function ginIndexes(text: Text): readonly Statement[] {
  return [
    sql`do $$ begin create extension if not exists pg_trgm; exception when others then raise notice '%', sqlerrm; end $$`,
    sql`do $$ begin
      create index posts_title_trigrams on posts using gin (title_folded gin_trgm_ops) where deleted_at is null;
    exception when undefined_object then raise notice '%', sqlerrm; end $$`,
    sql`create table search_words (
      project_id ${text} not null, id ${text} not null,
      title text[] collate "C" not null, excerpt text[] collate "C" not null, content text[] collate "C" not null, digest ${text} not null,
      constraint search_words_key primary key (project_id, id),
      constraint search_words_post foreign key (project_id, id) references posts (project_id, id) on delete cascade
    )`,
    sql`create index search_words_by_word on search_words using gin (title, excerpt, content)`,
  ]
}
