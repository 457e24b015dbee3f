import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { SchemaDialect } from '../schema-dialect.ts'
import { people } from './0001-people.ts'
import { fts5Tables, ginIndexes } from './0001-search-indexes.ts'

type Statement = RawBuilder<unknown>
type Text = SchemaDialect['text']

/**
 * The schema of the first release. Every key, index and join leads with the project, so that tables can be sharded by it, all but
 * the central ones (`database/tables/placements.ts`).
 */
export async function up(db: Kysely<unknown>, { text, invertedIndex }: SchemaDialect): Promise<void> {
  const search = invertedIndex === 'fts5' ? fts5Tables() : ginIndexes(text)
  for (const statements of [
    projects(text),
    people(text),
    referenced(text),
    posts(text),
    partsOfPosts(text),
    log(text),
    webhooks(text),
    search,
  ])
    for (const statement of statements) await statement.execute(db)
}

function projects(text: Text): readonly Statement[] {
  return [
    sql`create table installation (
      id integer primary key, epoch ${text} not null, created_at ${text} not null, state ${text} not null,
      move ${text}, moved_to ${text}
    )`,
    sql`create table projects (
      id ${text} primary key, slug ${text} not null unique, name ${text} not null, site_url ${text},
      permalink ${text}, feed_content ${text} not null, feed_url ${text}, notes ${text}, time_zone ${text} not null,
      created_at ${text} not null, updated_at ${text} not null, row_hash ${text} not null
    )`,
    sql`create table project_state (
      project_id ${text} primary key references projects (id), revision bigint not null,
      public_revision bigint not null
    )`,
    sql`create table api_keys (
      project_id ${text} not null references projects (id), id ${text} primary key, name ${text} not null,
      kind ${text} not null, scopes ${text} not null, hash ${text} not null unique, last4 ${text} not null,
      created_at ${text} not null, expires_at ${text}, last_used_at ${text}, revoked_at ${text},
      row_hash ${text} not null
    )`,
    sql`create index api_keys_by_project on api_keys (project_id, created_at, id)`,
    sql`create table rate_windows (
      project_id ${text} not null, key_id ${text} not null, requests ${text} not null,
      ends_at ${text} not null, used bigint not null,
      constraint rate_windows_key primary key (project_id, key_id, requests)
    )`,
  ]
}

/** What posts refer to. */
function referenced(text: Text): readonly Statement[] {
  return [
    sql`create table authors (
      ${versioned(text)},
      name ${text} not null, slug ${text} not null, email ${text}, bio ${text}, avatar_url ${text},
      row_hash ${text} not null,
      constraint authors_key primary key (project_id, id),
      constraint authors_slug unique (project_id, slug)
    )`,
    sql`create index authors_by_name on authors (project_id, name, id)`,
    sql`create table categories (
      ${versioned(text)},
      name ${text} not null, slug ${text} not null, description ${text}, row_hash ${text} not null,
      constraint categories_key primary key (project_id, id),
      constraint categories_slug unique (project_id, slug)
    )`,
    sql`create table media (
      ${versioned(text)},
      url ${text} not null, filename ${text} not null, mime_type ${text} not null, size bigint not null,
      width bigint not null, height bigint not null, alt ${text} not null, search_folded ${text} not null,
      deleted_at ${text}, row_hash ${text} not null,
      constraint media_key primary key (project_id, id)
    )`,
    sql`create index media_by_time on media (project_id, created_at, id)`,
    sql`create index media_by_url on media (project_id, substr(url, 1, 400))`,
    sql`create table tags (
      project_id ${text} not null references projects (id), id ${text} not null, folded ${text} not null,
      slug ${text} not null, description ${text}, created_at ${text} not null, row_hash ${text} not null,
      constraint tags_key primary key (project_id, id),
      constraint tags_folded unique (project_id, folded),
      constraint tags_slug unique (project_id, slug)
    )`,
  ]
}

function versioned(text: Text): Statement {
  return sql`
      project_id ${text} not null references projects (id), id ${text} not null, created_at ${text} not null,
      updated_at ${text} not null, version bigint not null`
}

/** The indexes of lists hold `status` and `deleted_at` too, so that rows that a list skips are never fetched. */
function posts(text: Text): readonly Statement[] {
  return [
    sql`create table posts (
      ${versioned(text)},
      title ${text} not null, title_folded ${text} not null, slug ${text} not null,
      content_hash ${text} not null, excerpt ${text}, status ${text} not null, published_at ${text} not null,
      scheduled_for ${text} not null, first_published_at ${text}, author_id ${text}, category_id ${text},
      tags ${text} not null, tag_slugs ${text} not null, aliases ${text} not null, seo_title ${text},
      seo_description ${text}, seo_canonical_url ${text}, seo_og_image ${text}, deleted_at ${text},
      constraint posts_key primary key (project_id, id),
      constraint posts_author foreign key (project_id, author_id) references authors (project_id, id),
      constraint posts_category foreign key (project_id, category_id) references categories (project_id, id)
    )`,
    sql`create unique index posts_slug on posts (project_id, slug) where deleted_at is null`,
    sql`create index posts_by_status on posts (project_id, status, published_at, id, deleted_at) where deleted_at is null`,
    sql`create index posts_by_published on posts (project_id, published_at, id, status, deleted_at) where deleted_at is null`,
    sql`create index posts_by_created on posts (project_id, created_at, id, status, deleted_at) where deleted_at is null`,
    sql`create index posts_by_updated on posts (project_id, updated_at, id, status, deleted_at) where deleted_at is null`,
    sql`create index posts_by_title on posts (project_id, title_folded, title, id, status, deleted_at) where deleted_at is null`,
    sql`create index posts_by_author on posts (project_id, author_id, status, published_at, id, deleted_at) where deleted_at is null`,
    sql`create index posts_by_category on posts (project_id, category_id, status, published_at, id, deleted_at) where deleted_at is null`,
    sql`create index posts_due on posts (project_id, scheduled_for, id) where status = 'scheduled' and deleted_at is null`,
    sql`create index posts_in_trash on posts (project_id, deleted_at, id) where deleted_at is not null`,
  ]
}

function partsOfPosts(text: Text): readonly Statement[] {
  const post = sql`foreign key (project_id, post_id) references posts (project_id, id)`
  return [
    sql`create table contents (
      project_id ${text} not null, post_id ${text} not null, hash ${text} not null, body ${text} not null,
      constraint contents_key primary key (project_id, post_id, hash)
    )`,
    sql`create table post_tags (
      project_id ${text} not null, post_id ${text} not null, tag_id ${text} not null, name ${text} not null,
      status ${text} not null, published_at ${text} not null,
      constraint post_tags_key primary key (project_id, tag_id, post_id),
      constraint post_tags_post ${post},
      constraint post_tags_tag foreign key (project_id, tag_id) references tags (project_id, id)
    )`,
    sql`create index post_tags_by_post on post_tags (project_id, post_id)`,
    sql`create index post_tags_by_status on post_tags (project_id, tag_id, status, published_at, post_id)`,
    sql`create table post_aliases (
      project_id ${text} not null, path ${text} not null, post_id ${text} not null,
      constraint post_aliases_key primary key (project_id, path),
      constraint post_aliases_post ${post}
    )`,
    sql`create index post_aliases_by_post on post_aliases (project_id, post_id)`,
    sql`create table post_counts (
      project_id ${text} not null references projects (id), dimension ${text} not null, ref ${text} not null,
      status ${text} not null, posts bigint not null,
      constraint post_counts_key primary key (project_id, dimension, ref, status)
    )`,
    sql`create table old_slugs (
      project_id ${text} not null, slug ${text} not null, post_id ${text} not null,
      constraint old_slugs_key primary key (project_id, slug),
      constraint old_slugs_post ${post}
    )`,
    sql`create index old_slugs_by_post on old_slugs (project_id, post_id)`,
    sql`create table post_revisions (
      project_id ${text} not null, post_id ${text} not null, version bigint not null,
      content_hash ${text} not null, snapshot ${text} not null, actor ${text} not null, client ${text},
      created_at ${text} not null, row_hash ${text} not null,
      constraint post_revisions_key primary key (project_id, post_id, version)
    )`,
    sql`create table preview_tokens (
      project_id ${text} not null, id ${text} not null, post_id ${text} not null, name ${text},
      hash ${text} not null, created_at ${text} not null, expires_at ${text} not null, row_hash ${text} not null,
      constraint preview_tokens_key primary key (project_id, id),
      constraint preview_tokens_hash unique (project_id, hash),
      constraint preview_tokens_post ${post}
    )`,
    sql`create index preview_tokens_by_post on preview_tokens (project_id, post_id, created_at, id)`,
    sql`create table pending_edits (
      project_id ${text} not null, post_id ${text} not null, version bigint not null, based_on bigint not null,
      edits ${text} not null, actor ${text} not null, created_at ${text} not null, updated_at ${text} not null,
      scheduled_for ${text} not null, problem ${text}, row_hash ${text} not null, content ${text}, previous ${text},
      constraint pending_edits_key primary key (project_id, post_id),
      constraint pending_edits_post ${post}
    )`,
    sql`create index pending_edits_due on pending_edits (project_id, scheduled_for, post_id) where scheduled_for <> ''`,
  ]
}

/** Of `stored_responses`, the body comes last: a scan need not read it. */
function log(text: Text): readonly Statement[] {
  return [
    sql`create table changes (
      project_id ${text} not null, seq bigint not null, public_seq bigint, kind ${text} not null,
      resource_id ${text} not null, version bigint not null, news ${text} not null,
      public_before integer not null, public_after integer not null, actor ${text} not null, client ${text},
      at ${text} not null, row_hash ${text} not null,
      constraint changes_key primary key (project_id, seq)
    )`,
    sql`create index changes_by_resource on changes (project_id, resource_id, seq)`,
    sql`create unique index changes_in_public on changes (project_id, public_seq) where public_seq is not null`,
    sql`create table stored_responses (
      project_id ${text} not null, key_id ${text} not null, idempotency_key ${text} not null,
      request_hash ${text} not null, created_at ${text} not null, resource_id ${text},
      body_state ${text} not null, status integer not null, headers ${text} not null, body ${text} not null,
      constraint stored_responses_key primary key (project_id, key_id, idempotency_key)
    )`,
    sql`create index stored_responses_by_resource on stored_responses (project_id, resource_id)`,
    sql`create index stored_responses_by_age on stored_responses (project_id, created_at)`,
    sql`create table sources (
      project_id ${text} not null, source ${text} not null, path ${text} not null, hash ${text} not null,
      kind ${text} not null, resource_id ${text} not null, version bigint not null, row_hash ${text} not null,
      constraint sources_key primary key (project_id, source, path)
    )`,
  ]
}

/** Few deliveries are still to be sent; two indexes have only those: in the order of sending, and by resource. */
function webhooks(text: Text): readonly Statement[] {
  const open = sql`where status in ('waiting', 'sending')`
  return [
    sql`create table webhooks (
      project_id ${text} not null references projects (id), id ${text} not null, name ${text} not null,
      url ${text} not null, events ${text} not null, secret ${text} not null, old_secret ${text},
      old_secret_until ${text}, enabled integer not null, disabled_at ${text}, disabled_reason ${text},
      log_position bigint not null, failures bigint not null, failing_since ${text}, wake_at ${text} not null,
      created_at ${text} not null, updated_at ${text} not null,
      constraint webhooks_key primary key (project_id, id)
    )`,
    sql`create table webhook_deliveries (
      project_id ${text} not null, webhook_id ${text} not null, id ${text} not null, type ${text} not null,
      revision bigint not null, part integer not null, resource_id ${text} not null,
      happened_at ${text} not null, status ${text} not null, tries bigint not null, first_tried_at ${text},
      last_tried_at ${text}, next_try_at ${text} not null, lease ${text}, last_status integer,
      last_duration_ms bigint, last_error ${text}, created_at ${text} not null,
      constraint webhook_deliveries_key primary key (project_id, webhook_id, id),
      constraint webhook_deliveries_webhook foreign key (project_id, webhook_id) references webhooks (project_id, id)
    )`,
    sql`create index webhook_deliveries_by_time on webhook_deliveries (project_id, webhook_id, created_at, id)`,
    sql`create index webhook_deliveries_open on webhook_deliveries (project_id, webhook_id, next_try_at) ${open}`,
    sql`create index webhook_deliveries_of_resource on webhook_deliveries (project_id, webhook_id, resource_id, revision, part) ${open}`,
  ]
}
