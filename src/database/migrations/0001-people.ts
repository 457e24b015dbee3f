import { type RawBuilder, sql } from 'kysely'
import type { SchemaDialect } from '../schema-dialect.ts'

/** People, what they sign in with, and their sessions, as parts of the first schema. All are central tables. */
export function people(text: SchemaDialect['text']): readonly RawBuilder<unknown>[] {
  return [
    sql`create table people (
      id ${text} primary key, name ${text} not null, folded ${text} unique, password ${text},
      created_at ${text} not null, last_used_at ${text}, removed_at ${text}, row_hash ${text} not null
    )`,
    sql`create table memberships (
      project_id ${text} not null references projects (id), person_id ${text} not null references people (id),
      role ${text} not null, created_at ${text} not null, row_hash ${text} not null,
      constraint memberships_key primary key (project_id, person_id)
    )`,
    sql`create index memberships_by_person on memberships (person_id, project_id)`,
    sql`create table person_links (
      person_id ${text} primary key references people (id), hash ${text} not null unique,
      created_at ${text} not null, expires_at ${text} not null, row_hash ${text} not null
    )`,
    sql`create table passkeys (
      id ${text} primary key, person_id ${text} not null references people (id), name ${text} not null,
      public_key ${text} not null, counter bigint not null, transports ${text} not null,
      created_at ${text} not null, last_used_at ${text}, row_hash ${text} not null
    )`,
    sql`create index passkeys_by_person on passkeys (person_id, created_at, id)`,
    sql`create table sessions (
      id ${text} primary key, person_id ${text} not null references people (id), hash ${text} not null unique,
      created_at ${text} not null, expires_at ${text} not null, last_used_at ${text}, row_hash ${text} not null
    )`,
    sql`create index sessions_by_person on sessions (person_id)`,
    sql`create table session_tokens (
      hash ${text} primary key, session_id ${text} not null, person_id ${text} not null,
      project_id ${text} not null, expires_at ${text} not null
    )`,
    sql`create index session_tokens_by_session on session_tokens (session_id)`,
    sql`create index session_tokens_by_person on session_tokens (person_id)`,
    sql`create index session_tokens_by_time on session_tokens (expires_at)`,
    sql`create table passkey_challenges (
      hash ${text} primary key, person_id ${text}, expires_at ${text} not null
    )`,
    sql`create index passkey_challenges_by_time on passkey_challenges (expires_at)`,
    sql`create table failed_sign_ins (
      kind ${text} not null, name ${text} not null, failures bigint not null, last_at ${text} not null,
      constraint failed_sign_ins_key primary key (kind, name)
    )`,
    sql`create index failed_sign_ins_by_time on failed_sign_ins (last_at)`,
  ]
}
