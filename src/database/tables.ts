import type { AuthorId, CategoryId, IdOf, KeyId, Kind, MediaId, PostId, ProjectId, TagId } from '../values/ids.ts'
import type { Instant } from '../values/instant.ts'
import type { InstallationState } from './installation-state.ts'
import type { FailedAuthenticationTable, RateWindowTable } from './tables/limit-tables.ts'
import type { PendingEditTable } from './tables/pending-edit-table.ts'
import type { PeopleTables } from './tables/people-tables.ts'
import type { PreviewTokenTable } from './tables/preview-token-table.ts'
import type { SearchPostTable, SearchTitleTable, SearchWordTable } from './tables/search-tables.ts'
import type { WebhookDeliveryTable, WebhookTable } from './tables/webhook-tables.ts'

/**
 * The tables that the migrations create. Every engine compares text by code point and stores instants as text of fixed width. A column that
 * lists sort by is never null: a missing instant is `''`.
 */
export interface Tables extends PeopleTables {
  installation: InstallationTable
  projects: ProjectTable
  project_state: ProjectStateTable
  api_keys: ApiKeyTable
  rate_windows: RateWindowTable
  failed_authentications: FailedAuthenticationTable
  authors: AuthorTable
  categories: CategoryTable
  tags: TagTable
  posts: PostTable
  contents: ContentTable
  post_tags: PostTagTable
  post_aliases: PostAliasTable
  post_counts: PostCountTable
  old_slugs: OldSlugTable
  post_revisions: PostRevisionTable
  media: MediaTable
  changes: ChangeTable
  sources: SourceTable
  webhooks: WebhookTable
  webhook_deliveries: WebhookDeliveryTable
  stored_responses: StoredResponseTable
  preview_tokens: PreviewTokenTable
  pending_edits: PendingEditTable
  search_posts: SearchPostTable
  search_titles: SearchTitleTable
  search_words: SearchWordTable
}

/** Has one row. */
export interface InstallationTable {
  id: 1
  /** Random, part of every ETag. Restoring a backup changes it. */
  epoch: string
  created_at: Instant
  state: InstallationState
  /** The random id of the last move, the same in source and target. */
  move: string | null
  /** The target of a move: an address without user and password. */
  moved_to: string | null
  /** Whether the search index of SQLite may hold words of what was erased. The first schema lacks it, which a restore may begin with. */
  has_erased?: 0 | 1 | undefined
}

export interface ProjectTable extends Hashed {
  id: ProjectId
  slug: string
  name: string
  site_url: string | null
  permalink: string | null
  feed_content: 'html' | 'excerpt'
  feed_url: string | null
  notes: string | null
  time_zone: string
  created_at: Instant
  updated_at: Instant
}

/** The two counters of a project's log (docs/reference/api.md#the-log). */
interface ProjectStateTable {
  project_id: ProjectId
  revision: number
  public_revision: number
}

export interface ApiKeyTable extends Hashed {
  project_id: ProjectId
  id: KeyId
  name: string
  kind: 'secret' | 'public'
  /** Space-separated, as granted. */
  scopes: string
  /** SHA-256 of the token, hex. */
  hash: string
  last4: string
  created_at: Instant
  expires_at: Instant | null
  last_used_at: Instant | null
  revoked_at: Instant | null
}

/** A row that carries a hash of what it holds (`row-hash.ts`). */
interface Hashed {
  row_hash: string
}

interface Versioned {
  created_at: Instant
  updated_at: Instant
  version: number
}

export interface AuthorTable extends Versioned, Hashed {
  project_id: ProjectId
  id: AuthorId
  name: string
  slug: string
  email: string | null
  bio: string | null
  avatar_url: string | null
}

export interface CategoryTable extends Versioned, Hashed {
  project_id: ProjectId
  id: CategoryId
  name: string
  slug: string
  description: string | null
}

interface TagTable extends Hashed {
  project_id: ProjectId
  id: TagId
  /** The trimmed, folded name. Spellings that share it are one tag. */
  folded: string
  slug: string
  description: string | null
  created_at: Instant
}

export interface PostTable extends Versioned {
  project_id: ProjectId
  id: PostId
  title: string
  title_folded: string
  slug: string
  /** Refers to `contents`. */
  content_hash: string
  excerpt: string | null
  status: 'draft' | 'scheduled' | 'published' | 'archived'
  published_at: Instant | ''
  scheduled_for: Instant | ''
  first_published_at: Instant | null
  author_id: AuthorId | null
  category_id: CategoryId | null
  /** JSON array of names in their given spelling and order. `post_tags` indexes them. */
  tags: string
  /** JSON array of the slugs of these tags, in the same order. The slug of a tag never changes. */
  tag_slugs: string
  /** JSON array of site paths as given. `post_aliases` indexes them. */
  aliases: string
  seo_title: string | null
  seo_description: string | null
  seo_canonical_url: string | null
  seo_og_image: string | null
  /** When it was moved to the trash. */
  deleted_at: Instant | null
}

/** The Markdown of posts and their revisions, stored once per post and hash. */
interface ContentTable {
  project_id: ProjectId
  post_id: PostId
  /** SHA-256 of the UTF-8 bytes, hex. */
  hash: string
  body: string
}

interface PostTagTable {
  project_id: ProjectId
  post_id: PostId
  tag_id: TagId
  /** In the spelling of this post. */
  name: string
  /** Copied from the post; `trashed` while the post is in the trash. */
  status: PostTable['status'] | 'trashed'
  /** Copied from the post. */
  published_at: Instant | ''
}

/** The aliases of posts outside the trash. */
interface PostAliasTable {
  project_id: ProjectId
  /** In the form that tells whether two are the same (`resources/site/alias.ts`). */
  path: string
  post_id: PostId
}

/** Numbers of posts outside the trash. Every write updates them. A count that drops to 0 keeps its row. */
export interface PostCountTable {
  project_id: ProjectId
  dimension: 'all' | 'author' | 'category' | 'tag' | 'day'
  /** The id of the author or category, the folded name of the tag, or the day of publication (UTC); `''` for all. */
  ref: string
  status: PostTable['status']
  posts: number
}

/** Former slugs of posts. They redirect to the current slug. The oldest rows have no hash: theirs is `''`. */
interface OldSlugTable extends Hashed {
  project_id: ProjectId
  slug: string
  post_id: PostId
}

interface PostRevisionTable extends Hashed {
  project_id: ProjectId
  post_id: PostId
  version: number
  content_hash: string
  /** JSON of every field except the content. */
  snapshot: string
  actor: string
  /** The program that the actor used, as it says itself. */
  client: string | null
  created_at: Instant
}

export interface MediaTable extends Versioned, Hashed {
  project_id: ProjectId
  id: MediaId
  url: string
  filename: string
  mime_type: string
  size: number
  width: number
  height: number
  alt: string
  /** The folded file name and alternative text. */
  search_folded: string
  deleted_at: Instant | null
}

/** The one log (docs/reference/api.md#the-log). */
interface ChangeTable extends Hashed {
  project_id: ProjectId
  seq: number
  /** Its public revision; null if no public key can see the change. */
  public_seq: number | null
  kind: Kind | 'pending_edit' | 'project'
  resource_id: IdOf<Kind> | ProjectId
  version: number
  /** Space-separated events; may be empty. */
  news: string
  public_before: 0 | 1
  public_after: 0 | 1
  actor: string
  client: string | null
  at: Instant
}

/** The source files of imported resources, by which a later import recognises them. */
export interface SourceTable extends Hashed {
  project_id: ProjectId
  source: string
  path: string
  hash: string
  kind: Kind
  resource_id: IdOf<Kind>
  /** The version that the import wrote. If the resource has another one, it was edited since. */
  version: number
}

/** Responses to writes with an `Idempotency-Key`. */
export interface StoredResponseTable {
  project_id: ProjectId
  /** The id of the API key that made the request. */
  key_id: string
  idempotency_key: string
  /** SHA-256 of method, path, query and body, hex. A repeat must have the same. */
  request_hash: string
  created_at: Instant
  /** The resource in the body; `''` for several, null for none. */
  resource_id: string | null
  /** Bodies with secrets are encrypted. */
  body_state: 'plain' | 'encrypted' | 'erased'
  status: number
  /** JSON object. */
  headers: string
  body: string
}
