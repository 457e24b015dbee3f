import type { AuthorId, CategoryId, IdOf, KeyId, Kind, MediaId, PostId, PreviewId, ProjectId, TagId } from '../values/ids.ts'
import type { Instant } from '../values/instant.ts'
import type { InstallationState } from './installation-state.ts'
import type { SearchPostTable, SearchTitleTable, SearchWordTable } from './search-tables.ts'
import type { WebhookDeliveryTable, WebhookTable } from './webhook-tables.ts'

/**
 * The schema as the program sees it; the migrations make it. Column types mean the same on every engine: text compared by code point,
 * integers, instants as text of fixed width. A sort key is never null: where there is no instant it is `''`.
 */
export interface Tables {
  installation: InstallationTable
  projects: ProjectTable
  project_state: ProjectStateTable
  api_keys: ApiKeyTable
  authors: AuthorTable
  categories: CategoryTable
  tags: TagTable
  posts: PostTable
  contents: ContentTable
  post_tags: PostTagTable
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
  search_posts: SearchPostTable
  search_titles: SearchTitleTable
  search_words: SearchWordTable
}

/** One row: what makes this installation itself. */
export interface InstallationTable {
  id: 1
  /** Random; part of every ETag, renewed when a backup is restored. */
  epoch: string
  created_at: Instant
  state: InstallationState
  /** The random mark of the last move that it was part of, the same on both sides. */
  move: string | null
  /** Where it is moving, or has moved: an address without user and password. */
  moved_to: string | null
}

export interface ProjectTable {
  id: ProjectId
  slug: string
  name: string
  site_url: string | null
  permalink: string | null
  created_at: Instant
  updated_at: Instant
}

/** The two counters of a project's log (docs/reference/api.md#the-log). */
interface ProjectStateTable {
  project_id: ProjectId
  revision: number
  public_revision: number
}

export interface ApiKeyTable {
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

interface Versioned {
  created_at: Instant
  updated_at: Instant
  version: number
}

export interface AuthorTable extends Versioned {
  project_id: ProjectId
  id: AuthorId
  name: string
  email: string | null
  bio: string | null
  avatar_url: string | null
}

export interface CategoryTable extends Versioned {
  project_id: ProjectId
  id: CategoryId
  name: string
  slug: string
  description: string | null
}

interface TagTable {
  project_id: ProjectId
  id: TagId
  /** The folded, trimmed name: what makes two spellings the same tag. */
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
  /** Which row of `contents` holds the Markdown. */
  content_hash: string
  excerpt: string | null
  status: 'draft' | 'scheduled' | 'published' | 'archived'
  published_at: Instant | ''
  scheduled_for: Instant | ''
  first_published_at: Instant | null
  author_id: AuthorId | null
  category_id: CategoryId | null
  /** JSON array of names, spelling and order as given; `post_tags` is its index. */
  tags: string
  seo_title: string | null
  seo_description: string | null
  seo_canonical_url: string | null
  seo_og_image: string | null
  /** When it went into the trash. */
  deleted_at: Instant | null
}

/** The Markdown of posts and of their revisions, once per post and hash. */
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
  /** As this post spells it. */
  name: string
  /** The post's; in the trash it is `trashed`. */
  status: PostTable['status'] | 'trashed'
  /** The post's. */
  published_at: Instant | ''
}

/** How many posts there are, those in the trash left out; kept by every write. Where there were some and are none, a row says 0. */
export interface PostCountTable {
  project_id: ProjectId
  dimension: 'all' | 'author' | 'category' | 'tag' | 'day'
  /** The id of the author or category, the folded name of the tag, the day (UTC) of publication; `''` for all. */
  ref: string
  status: PostTable['status']
  posts: number
}

/** Slugs that once led to a post and now redirect to its present one. */
interface OldSlugTable {
  project_id: ProjectId
  slug: string
  post_id: PostId
}

interface PostRevisionTable {
  project_id: ProjectId
  post_id: PostId
  version: number
  content_hash: string
  /** JSON of every other field as it stood. */
  snapshot: string
  actor: string
  created_at: Instant
}

/** A link that shows one unpublished post without a key. */
export interface PreviewTokenTable {
  project_id: ProjectId
  id: PreviewId
  post_id: PostId
  name: string | null
  /** SHA-256 of the token, hex. */
  hash: string
  created_at: Instant
  expires_at: Instant
}

export interface MediaTable extends Versioned {
  project_id: ProjectId
  id: MediaId
  url: string
  filename: string
  mime_type: string
  size: number
  width: number
  height: number
  alt: string
  /** Folded file name and alternative text, for `search`. */
  search_folded: string
  deleted_at: Instant | null
}

/** The one log (docs/reference/api.md#the-log). */
interface ChangeTable {
  project_id: ProjectId
  seq: number
  /** The public revision that it took; none for a change that no public key can see. */
  public_seq: number | null
  kind: Kind
  resource_id: IdOf<Kind>
  version: number
  /** Space-separated events; none for what nobody is told of. */
  news: string
  public_before: 0 | 1
  public_after: 0 | 1
  actor: string
  at: Instant
}

/** Where imported resources came from, so that a second import recognises them. */
export interface SourceTable {
  project_id: ProjectId
  source: string
  path: string
  hash: string
  kind: Kind
  resource_id: IdOf<Kind>
  /** The version that the import left; another one means that it was changed here since. */
  version: number
}

/** The answer to a write that came with an `Idempotency-Key`, for repeats of it. */
export interface StoredResponseTable {
  project_id: ProjectId
  /** Whose: the id of an API key. */
  key_id: string
  idempotency_key: string
  /** SHA-256 of method, path, query and body, hex: what a repeat must have in common. */
  request_hash: string
  created_at: Instant
  /** The resource that the body shows; `''` where it shows several, null where it shows none. */
  resource_id: string | null
  /** A body that holds a secret is encrypted. */
  body_state: 'plain' | 'encrypted' | 'erased'
  status: number
  /** JSON object of the headers that belong to it. */
  headers: string
  body: string
}
