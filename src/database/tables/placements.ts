import type { Tables } from '../tables.ts'

/**
 * Where a row is if the database is sharded: on the server that has its project, or on the central one. Referenced tables come first. A new table
 * does not compile until it is here (docs/decisions/0068-sharded-by-project.md).
 */
export const placements: { readonly [T in keyof Tables | 'migrations']: 'with its project' | 'central' } = {
  migrations: 'central',
  installation: 'central',
  projects: 'central',
  api_keys: 'central',
  people: 'central',
  memberships: 'central',
  person_links: 'central',
  passkeys: 'central',
  sessions: 'central',
  session_tokens: 'central',
  passkey_challenges: 'central',
  failed_sign_ins: 'central',
  failed_authentications: 'central',
  project_state: 'with its project',
  rate_windows: 'with its project',
  authors: 'with its project',
  categories: 'with its project',
  media: 'with its project',
  tags: 'with its project',
  posts: 'with its project',
  contents: 'with its project',
  post_tags: 'with its project',
  post_aliases: 'with its project',
  post_counts: 'with its project',
  old_slugs: 'with its project',
  post_revisions: 'with its project',
  preview_tokens: 'with its project',
  pending_edits: 'with its project',
  changes: 'with its project',
  stored_responses: 'with its project',
  sources: 'with its project',
  webhooks: 'with its project',
  webhook_deliveries: 'with its project',
  search_posts: 'with its project',
  search_titles: 'with its project',
  search_words: 'with its project',
}
