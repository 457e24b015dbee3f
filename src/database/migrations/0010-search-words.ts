import { type Kysely, sql } from 'kysely'
import { listStalePosts, refreshWords } from '../../search/stale-word-store.ts'
import type { Columns } from '../schema-dialect.ts'

/** The index of the words of posts (contract §3.3): of every field those that it holds, as our own tokenizer makes them. */
export async function up(db: Kysely<unknown>, { text, invertedIndex }: Columns): Promise<void> {
  const statements = invertedIndex === 'fts5' ? [table, dropDelete, onDelete] : [columns(text), byWord]
  for (const statement of statements) await statement.execute(db)
  for await (const { stale } of listStalePosts(db, invertedIndex)) await refreshWords(db, invertedIndex, stale)
}

/** Words are ASCII letters and digits, and letters beyond ASCII, all of which the tokenizer `ascii` takes as they are; blanks part them. */
const table = sql`create virtual table search_words using fts5 (
  title, excerpt, content, digest unindexed,
  content = '', contentless_delete = 1, contentless_unindexed = 1, detail = column, tokenize = 'ascii'
)`
const dropDelete = sql`drop trigger search_posts_delete`
const number = sql`(select number from search_posts where project_id = old.project_id and id = old.id)`
const onDelete = sql`
  create trigger search_posts_delete after delete on posts begin
    delete from search_titles where rowid = ${number};
    delete from search_words where rowid = ${number};
    delete from search_posts where project_id = old.project_id and id = old.id;
  end
`

function columns(text: Columns['text']) {
  return sql`create table search_words (
    project_id ${text} not null, id ${text} not null,
    title text[] collate "C" not null, excerpt text[] collate "C" not null, content text[] collate "C" not null, digest ${text} not null,
    constraint search_words_key primary key (project_id, id),
    constraint search_words_post foreign key (project_id, id) references posts (project_id, id) on delete cascade
  )`
}
const byWord = sql`create index search_words_by_word on search_words using gin (title, excerpt, content)`
