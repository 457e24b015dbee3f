import type { Tables } from '../../database/tables.ts'

/** Tables that say again what is in others, and are made from them in each database anew. */
export const derivedTables = ['search_posts', 'search_titles', 'search_words'] as const satisfies readonly (keyof Tables)[]

/** A table whose rows move. Of `installation` the move itself takes care, and `migrations` says the same on both sides. */
export type MovedTable = Exclude<keyof Tables, 'installation' | (typeof derivedTables)[number]>

/** Every table that moves and its primary key, in an order in which what is referred to comes first. */
export const primaryKeys: { readonly [T in MovedTable]: readonly (keyof Tables[T] & string)[] } = {
  projects: ['id'],
  project_state: ['project_id'],
  api_keys: ['id'],
  authors: ['project_id', 'id'],
  categories: ['project_id', 'id'],
  media: ['project_id', 'id'],
  tags: ['project_id', 'id'],
  contents: ['project_id', 'post_id', 'hash'],
  posts: ['project_id', 'id'],
  post_tags: ['project_id', 'tag_id', 'post_id'],
  post_counts: ['project_id', 'dimension', 'ref', 'status'],
  old_slugs: ['project_id', 'slug'],
  post_revisions: ['project_id', 'post_id', 'version'],
  preview_tokens: ['project_id', 'id'],
  changes: ['project_id', 'seq'],
  sources: ['project_id', 'source', 'path'],
  stored_responses: ['project_id', 'key_id', 'idempotency_key'],
  webhooks: ['project_id', 'id'],
  webhook_deliveries: ['project_id', 'webhook_id', 'id'],
}

export const movedTables = Object.keys(primaryKeys) as readonly MovedTable[]
