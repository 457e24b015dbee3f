import type { Tables } from '../../database/tables.ts'

/** Tables that are derived from others: each database makes its own. */
export const derivedTables = ['search_posts', 'search_titles', 'search_words'] as const satisfies readonly (keyof Tables)[]

/** Tables whose rows mean nothing elsewhere. */
export const transientTables = [
  'rate_windows',
  'failed_authentications',
  'session_tokens',
  'passkey_challenges',
  'failed_sign_ins',
] as const satisfies readonly (keyof Tables)[]

/** A table whose rows are copied. The move itself writes `installation`, and each side has its own `migrations`. */
export type MovedTable = Exclude<keyof Tables, 'installation' | (typeof derivedTables | typeof transientTables)[number]>

/** Every table that is copied, with its primary key; referenced tables come first. A new table does not compile until it is here, derived or transient. */
export const primaryKeys: { readonly [T in MovedTable]: readonly (keyof Tables[T] & string)[] } = {
  projects: ['id'],
  project_state: ['project_id'],
  api_keys: ['id'],
  people: ['id'],
  memberships: ['project_id', 'person_id'],
  person_links: ['person_id'],
  passkeys: ['id'],
  sessions: ['id'],
  authors: ['project_id', 'id'],
  categories: ['project_id', 'id'],
  media: ['project_id', 'id'],
  tags: ['project_id', 'id'],
  contents: ['project_id', 'post_id', 'hash'],
  posts: ['project_id', 'id'],
  post_tags: ['project_id', 'tag_id', 'post_id'],
  post_aliases: ['project_id', 'path'],
  post_counts: ['project_id', 'dimension', 'ref', 'status'],
  old_slugs: ['project_id', 'slug'],
  post_revisions: ['project_id', 'post_id', 'version'],
  preview_tokens: ['project_id', 'id'],
  pending_edits: ['project_id', 'post_id'],
  changes: ['project_id', 'seq'],
  sources: ['project_id', 'source', 'path'],
  stored_responses: ['project_id', 'key_id', 'idempotency_key'],
  webhooks: ['project_id', 'id'],
  webhook_deliveries: ['project_id', 'webhook_id', 'id'],
}

export const movedTables = Object.keys(primaryKeys) as readonly MovedTable[]

const keys: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(primaryKeys))

/** The primary key of a table that is copied. */
export function keyOf(table: string): readonly string[] {
  const key = keys.get(table)
  if (key === undefined) throw new Error(`the table ${table} is not copied`)
  return key
}
