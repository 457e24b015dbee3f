import { sql } from 'kysely'
import { type Migration, releasedMigrations } from '../../src/database/migrate.ts'

/** A schema after the present one, as a later version may have it: a column, a table, an index, and every post rewritten. */
export const nextSchema = {
  name: '9999-series',
  statements: [
    `alter table posts add column subtitle text not null default ''`,
    `update posts set subtitle = 'about ' || title`,
    `create table series (project_id text not null, id text not null, post_id text not null, constraint series_key primary key (project_id, id))`,
    `insert into series (project_id, id, post_id) select project_id, 'ser_' || id, id from posts`,
    `create index posts_by_subtitle on posts (project_id, subtitle, id)`,
  ],
} as const

/** The released migrations and the next one, which asks for a new search index. */
export const nextMigrations: readonly Migration[] = [
  ...releasedMigrations,
  {
    name: nextSchema.name,
    reindex: true,
    async up(db) {
      for (const statement of nextSchema.statements) await sql.raw(statement).execute(db)
    },
  },
]
