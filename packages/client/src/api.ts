// Made from the OpenAPI document of Verso. A test compares it, and writes it again: npx vitest run test/packages/api-types.test.ts -u

export interface Alive {
  readonly status: 'ok'
}

export interface ApiKey {
  /** Opaque. */
  readonly id: string
  /** Where the key is used. */
  readonly name: string
  readonly kind: 'secret' | 'public'
  /** What the key may do. */
  readonly scopes: readonly ('posts:read' | 'posts:read_drafts' | 'posts:propose' | 'posts:write' | 'posts:publish' | 'posts:delete' | 'authors:read' | 'authors:read_email' | 'media:read' | 'media:write' | 'changes:read' | 'authors:write' | 'categories:write' | 'people:manage' | 'admin')[]
  /** The last four characters of the token, to identify the key. */
  readonly last4: string
  /** UTC, with milliseconds. */
  readonly createdAt: string
  /** UTC, with milliseconds. */
  readonly expiresAt: string | null
  /** Accurate to about a minute. */
  readonly lastUsedAt: string | null
  /** When the key was revoked. A rotated key works until then: it is in the future for the grace period. */
  readonly revokedAt: string | null
}

export interface ApiKeyList {
  readonly data: readonly ApiKey[]
  readonly pagination: Pagination
}

export interface Asker {
  /** As in the log: the id of the API key or of the person. */
  readonly actor: string
  /** The name of the key or of the person. */
  readonly actorName: string | null
  /** The kind of the API key, or `person` for the token of a session. */
  readonly kind: 'secret' | 'public' | 'person'
  /** With those that they include. */
  readonly scopes: readonly ('posts:read' | 'posts:read_drafts' | 'posts:propose' | 'posts:write' | 'posts:publish' | 'posts:delete' | 'authors:read' | 'authors:read_email' | 'media:read' | 'media:write' | 'changes:read' | 'authors:write' | 'categories:write' | 'people:manage' | 'admin')[]
  /** How people and agents write here, in Markdown. `null` without `posts:read_drafts`. */
  readonly notes: string | null
}

export interface Author {
  /** Opaque. */
  readonly id: string
  /** White space at both ends is removed. */
  readonly name: string
  /** Made from the name unless it is given. */
  readonly slug: string
  /** `null` unless the key has the scope `authors:read_email`. */
  readonly email: string | null
  readonly bio: string | null
  /** An absolute http or https URL: what `new URL` of the URL Standard reads. It is kept as sent. */
  readonly avatarUrl: string | null
  /** The number of the author’s posts that the key can see. */
  readonly postCount: number
  /** UTC, with milliseconds. */
  readonly createdAt: string
  /** UTC, with milliseconds. */
  readonly updatedAt: string
  /** Counts the changes; 1 at first. */
  readonly version: number
}

/** A new author. Only `name` is required. */
export interface AuthorCreate {
  /** White space at both ends is removed. */
  readonly name: string
  readonly slug?: string
  readonly email?: string | null
  readonly bio?: string | null
  /** An absolute http or https URL: what `new URL` of the URL Standard reads. It is kept as sent. */
  readonly avatarUrl?: string | null
}

export interface AuthorEvent {
  readonly type: 'author.created' | 'author.updated' | 'author.deleted'
  /** When it happened. */
  readonly timestamp: string
  /** The slug of the project. */
  readonly project: string
  /** The revision of the project; 0 for a test. */
  readonly revision: number
  /** The resource, as a key with `posts:read_drafts` and without `authors:read_email` sees it; its `id` alone if it is gone. */
  readonly data: Author | GoneAuthor
}

export interface AuthorList {
  readonly data: readonly Author[]
  readonly pagination: Pagination
}

/** The fields to change. Fields that are left out stay as they are; `null` empties a field. */
export interface AuthorPatch {
  /** White space at both ends is removed. */
  readonly name?: string
  readonly slug?: string
  readonly email?: string | null
  readonly bio?: string | null
  /** An absolute http or https URL: what `new URL` of the URL Standard reads. It is kept as sent. */
  readonly avatarUrl?: string | null
}

/** The resource as it is now, with the schema of its type. */
export interface AuthorUpsert {
  readonly action: 'upsert'
  readonly type: 'author'
  readonly id: string
  /** Who changed it last, as in revisions; `null` in the first walk, and without `posts:read_drafts`. */
  readonly actor: string | null
  /** The name of the API key or the person, also of one who was removed since; `null` where the actor is neither. */
  readonly actorName: string | null
  readonly data: ToldAuthor
}

/** The problem document of this operation, without what the whole response says. */
export interface BatchProblem {
  /** The code as a URN. */
  readonly type: string
  /** The kind of problem; the same for every problem with this code. */
  readonly title: string
  /** The status of the response. */
  readonly status: number
  /** The kind of problem, for programs. */
  readonly code: 'malformed_request' | 'invalid_parameter' | 'unknown_parameter' | 'malformed_json' | 'invalid_cursor' | 'unauthenticated' | 'invalid_key' | 'insufficient_scope' | 'not_found' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'slug_conflict' | 'alias_conflict' | 'pending_conflict' | 'in_use' | 'idempotency_in_progress' | 'cursor_expired' | 'stale_version' | 'body_too_large' | 'uri_too_long' | 'unsupported_content_type' | 'validation_failed' | 'unsupported_media_type' | 'idempotency_key_reused' | 'rate_limited' | 'headers_too_large' | 'internal' | 'not_implemented' | 'overloaded' | 'storage_full' | 'database_unavailable' | 'outcome_unknown' | 'shutting_down'
  /** What is wrong this time, for people. */
  readonly detail: string
  /** Every fault, 100 at most; empty if `detail` says everything. */
  readonly errors: readonly Fault[]
  /** With `insufficient_scope`: the scope that is missing. */
  readonly scope?: 'posts:read' | 'posts:read_drafts' | 'posts:propose' | 'posts:write' | 'posts:publish' | 'posts:delete' | 'authors:read' | 'authors:read_email' | 'media:read' | 'media:write' | 'changes:read' | 'authors:write' | 'categories:write' | 'people:manage' | 'admin'
  /** With `slug_conflict`: a free slug. */
  readonly suggestion?: string
  /** With `alias_conflict`: the post that has the alias. */
  readonly postId?: string
  /** In a batch: the index of the operation that failed, from 0. */
  readonly operation?: number
  /** With `stale_version`: the current version. With `pending_conflict`: that of the post. */
  readonly version?: number
  /** With `pending_conflict`: the fields that both sides have changed. */
  readonly conflicts?: readonly FieldConflict[]
}

export interface BatchResult {
  readonly op: 'create' | 'update' | 'delete' | 'restore'
  /** The status that the single request would have had. */
  readonly status: number
  readonly post?: Post
  readonly problem?: BatchProblem
}

export interface Category {
  /** Opaque. */
  readonly id: string
  /** White space at both ends is removed. */
  readonly name: string
  readonly slug: string
  readonly description: string | null
  /** The number of posts in this category that the key can see. */
  readonly postCount: number
  /** UTC, with milliseconds. */
  readonly createdAt: string
  /** UTC, with milliseconds. */
  readonly updatedAt: string
  /** Counts the changes; 1 at first. */
  readonly version: number
}

/** A new category. Only `name` is required. */
export interface CategoryCreate {
  /** White space at both ends is removed. */
  readonly name: string
  readonly slug?: string
  readonly description?: string | null
}

export interface CategoryEvent {
  readonly type: 'category.created' | 'category.updated' | 'category.deleted'
  /** When it happened. */
  readonly timestamp: string
  /** The slug of the project. */
  readonly project: string
  /** The revision of the project; 0 for a test. */
  readonly revision: number
  /** The resource, as a key with `posts:read_drafts` and without `authors:read_email` sees it; its `id` alone if it is gone. */
  readonly data: Category | GoneCategory
}

export interface CategoryList {
  readonly data: readonly Category[]
  readonly pagination: Pagination
}

/** The fields to change. Fields that are left out stay as they are; `null` empties a field. */
export interface CategoryPatch {
  /** White space at both ends is removed. */
  readonly name?: string
  readonly slug?: string
  readonly description?: string | null
}

/** The resource as it is now, with the schema of its type. */
export interface CategoryUpsert {
  readonly action: 'upsert'
  readonly type: 'category'
  readonly id: string
  /** Who changed it last, as in revisions; `null` in the first walk, and without `posts:read_drafts`. */
  readonly actor: string | null
  /** The name of the API key or the person, also of one who was removed since; `null` where the actor is neither. */
  readonly actorName: string | null
  readonly data: ToldCategory
}

/** A resource to store or to delete. `action` and `type` tell changes apart. */
export type Change = Upsert | Removal

export interface ChangePage {
  readonly data: readonly Change[]
  /** The next `since`. Store it once you have processed `data`. */
  readonly nextCursor: string
  /** Whether there are more changes now. */
  readonly hasMore: boolean
}

export interface ClockProblem {
  /** A problem code. */
  readonly code: string
  readonly detail: string
  /** The time for which the edit was scheduled. */
  readonly at: string
}

export interface ContentDiff {
  /** Lines. */
  readonly added: number
  /** Lines. */
  readonly removed: number
  /** In the unified format, with three lines around each change. */
  readonly diff: string
}

export interface Delivery {
  /** The `webhook-id`: the same in every try. */
  readonly id: string
  readonly type: string
  /** The id of the post, author, category or media record. */
  readonly thingId: string | null
  /** The revision of the change; 0 for a ping. */
  readonly revision: number
  /** UTC, with milliseconds. */
  readonly happenedAt: string
  /** `failed` after seven days of tries. */
  readonly status: 'waiting' | 'sending' | 'delivered' | 'failed'
  readonly tries: number
  /** UTC, with milliseconds. */
  readonly lastTriedAt: string | null
  /** UTC, with milliseconds. */
  readonly nextTryAt: string | null
  /** The HTTP status of the last response. */
  readonly lastStatus: number | null
  readonly lastDurationMs: number | null
  /** What went wrong in the last try, for people. */
  readonly lastError: string | null
  /** UTC, with milliseconds. */
  readonly createdAt: string
}

export interface DeliveryList {
  readonly data: readonly Delivery[]
  readonly pagination: Pagination
}

/** One fault in the body (`pointer`) or in the query (`parameter`). */
export interface Fault {
  /** The place in the body (RFC 6901). */
  readonly pointer?: string
  /** The parameter of the query. */
  readonly parameter?: string
  /** What is wrong, for programs. */
  readonly code: string
  /** What is wrong, for people. */
  readonly detail: string
}

export interface FieldChange {
  readonly field: 'title' | 'slug' | 'excerpt' | 'status' | 'publishedAt' | 'scheduledFor' | 'author' | 'category' | 'tags' | 'aliases' | 'seo' | 'deletedAt'
  /** As in the post’s representation. */
  readonly before: unknown
  readonly after: unknown
}

export interface FieldConflict {
  /** The name of the field; those of `seo` with a dot. */
  readonly field: string
  /** Its value in the post. */
  readonly post: unknown
  /** Its value in the pending edit. */
  readonly pending: unknown
}

export interface GoneAuthor {
  /** Opaque. */
  readonly id: string
}

export interface GoneCategory {
  /** Opaque. */
  readonly id: string
}

export interface GoneMedia {
  /** Opaque. */
  readonly id: string
}

export interface GonePost {
  /** Opaque. */
  readonly id: string
}

export interface Heading {
  /** The `id` of the heading in `contentHtml`, for links to it. */
  readonly id: string
  readonly text: string
  /** 1 for `h1`, 6 for `h6`. */
  readonly level: number
}

export interface Home {
  readonly name: string
  readonly description: string
  readonly version: string
  /** The path of the documentation. */
  readonly documentation: string
  /** The path of the OpenAPI document. */
  readonly openapi: string
}

/** JSON Feed 1.1. */
export interface JsonFeed {

}

/** A new key: its name and kind, and optionally its scopes and expiry. */
export interface KeyCreate {
  /** Where the key is used. */
  readonly name: string
  readonly kind: 'secret' | 'public'
  /** By default, the scopes of its kind. */
  readonly scopes?: readonly ('posts:read' | 'posts:read_drafts' | 'posts:propose' | 'posts:write' | 'posts:publish' | 'posts:delete' | 'authors:read' | 'authors:read_email' | 'media:read' | 'media:write' | 'changes:read' | 'authors:write' | 'categories:write' | 'people:manage' | 'admin')[]
  /** In the future. Without it, the key never expires. */
  readonly expiresAt?: string | null
}

/** Nothing, or how long the old key continues to work. */
export interface KeyRotate {
  /** How long the old key continues to work; 24 by default. */
  readonly graceHours?: number
}

export interface Media {
  /** Opaque. */
  readonly id: string
  /** An absolute http or https URL: what `new URL` of the URL Standard reads. It is kept as sent. */
  readonly url: string
  /** A name, not a path. */
  readonly filename: string
  /** JPG, PNG, WebP, GIF or SVG. */
  readonly mimeType: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif' | 'image/svg+xml'
  /** In bytes. 0 if unknown. */
  readonly size: number
  /** In pixels. 0 if unknown, or for an SVG without an intrinsic size. */
  readonly width: number
  /** In pixels. 0 if unknown, or for an SVG without an intrinsic size. */
  readonly height: number
  /** Alternative text; empty for decoration. */
  readonly alt: string
  /** UTC, with milliseconds. */
  readonly createdAt: string
  /** UTC, with milliseconds. */
  readonly updatedAt: string
  /** Counts the changes; 1 at first. */
  readonly version: number
}

/** An asset that is stored elsewhere. Every field is required; `alt` may be empty. */
export interface MediaCreate {
  /** An absolute http or https URL: what `new URL` of the URL Standard reads. It is kept as sent. */
  readonly url: string
  /** A name, not a path. */
  readonly filename: string
  /** JPG, PNG, WebP, GIF or SVG. */
  readonly mimeType: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif' | 'image/svg+xml'
  /** In bytes. 0 if unknown. */
  readonly size: number
  /** In pixels. 0 if unknown, or for an SVG without an intrinsic size. */
  readonly width: number
  /** In pixels. 0 if unknown, or for an SVG without an intrinsic size. */
  readonly height: number
  /** Alternative text; empty for decoration. */
  readonly alt: string
}

export interface MediaEvent {
  readonly type: 'media.created' | 'media.updated' | 'media.deleted'
  /** When it happened. */
  readonly timestamp: string
  /** The slug of the project. */
  readonly project: string
  /** The revision of the project; 0 for a test. */
  readonly revision: number
  /** The resource, as a key with `posts:read_drafts` and without `authors:read_email` sees it; its `id` alone if it is gone. */
  readonly data: Media | GoneMedia
}

export interface MediaList {
  readonly data: readonly Media[]
  readonly pagination: Pagination
}

/** The fields to change. Fields that are left out stay as they are. */
export interface MediaPatch {
  /** A name, not a path. */
  readonly filename?: string
  /** Alternative text; empty for decoration. */
  readonly alt?: string | null
}

/** The resource as it is now, with the schema of its type. */
export interface MediaUpsert {
  readonly action: 'upsert'
  readonly type: 'media'
  readonly id: string
  /** Who changed it last, as in revisions; `null` in the first walk, and without `posts:read_drafts`. */
  readonly actor: string | null
  /** The name of the API key or the person, also of one who was removed since; `null` where the actor is neither. */
  readonly actorName: string | null
  readonly data: Media
}

export interface NewApiKey {
  /** Opaque. */
  readonly id: string
  /** Where the key is used. */
  readonly name: string
  readonly kind: 'secret' | 'public'
  /** What the key may do. */
  readonly scopes: readonly ('posts:read' | 'posts:read_drafts' | 'posts:propose' | 'posts:write' | 'posts:publish' | 'posts:delete' | 'authors:read' | 'authors:read_email' | 'media:read' | 'media:write' | 'changes:read' | 'authors:write' | 'categories:write' | 'people:manage' | 'admin')[]
  /** The last four characters of the token, to identify the key. */
  readonly last4: string
  /** UTC, with milliseconds. */
  readonly createdAt: string
  /** UTC, with milliseconds. */
  readonly expiresAt: string | null
  /** Accurate to about a minute. */
  readonly lastUsedAt: string | null
  /** When the key was revoked. A rotated key works until then: it is in the future for the grace period. */
  readonly revokedAt: string | null
  /** The token of the key. It is shown only once and never stored. */
  readonly token: string
}

export interface NewPreviewToken {
  /** Opaque. */
  readonly id: string
  /** What the token is for. */
  readonly name: string | null
  /** UTC, with milliseconds. */
  readonly createdAt: string
  /** UTC, with milliseconds. */
  readonly expiresAt: string
  /** The token. It is shown only once and never stored. */
  readonly token: string
  /** The link to share: the post on the project’s site, with the token. `null` unless the project has a `siteUrl` and a `permalink`. */
  readonly url: string | null
}

export interface NewWebhook {
  /** Opaque. */
  readonly id: string
  /** What receives the events. Defaults to the host of the URL. */
  readonly name: string
  /** Absolute, http or https, without user and password. */
  readonly url: string
  /** `*` is every event of a post, author, category or media record. `project.changed` must be named. */
  readonly events: readonly ('*' | 'post.*' | 'author.*' | 'category.*' | 'media.*' | 'post.created' | 'post.updated' | 'post.published' | 'post.scheduled' | 'post.unpublished' | 'post.archived' | 'post.deleted' | 'post.restored' | 'author.created' | 'author.updated' | 'author.deleted' | 'category.created' | 'category.updated' | 'category.deleted' | 'media.created' | 'media.updated' | 'media.deleted' | 'project.changed')[]
  readonly enabled: boolean
  /** UTC, with milliseconds. */
  readonly disabledAt: string | null
  /** Why it is disabled. */
  readonly disabledReason: string | null
  /** When the first try failed after the last success, or after two days without a try. */
  readonly failingSince: string | null
  /** UTC, with milliseconds. */
  readonly createdAt: string
  /** UTC, with milliseconds. */
  readonly updatedAt: string
  /** Signs the requests. It is shown only once. */
  readonly secret: string
}

export interface Pagination {
  /** `null` when paging by cursor. */
  readonly page: number | null
  readonly limit: number
  /** `null` with `total=false`. */
  readonly total: number | null
  readonly totalPages: number | null
  readonly hasMore: boolean
  /** For `cursor`; `null` on the last page. */
  readonly nextCursor: string | null
}

/** The post as it would be with its pending edit. `status` and the dates of publication are those of the post. */
export interface PendingEdit {
  /** Opaque. */
  readonly id: string
  /** White space at both ends is removed. */
  readonly title: string
  readonly slug: string
  /** Markdown, stored byte for byte. */
  readonly content: string
  /** For listings, RSS and social cards. */
  readonly excerpt: string | null
  readonly status: 'draft' | 'scheduled' | 'published' | 'archived'
  /** Set when the post is published. */
  readonly publishedAt: string | null
  /** When the edit is applied by itself; `null` if it is not scheduled. */
  readonly scheduledFor: string | null
  readonly author: {
    /** Opaque. */
    readonly id: string
    readonly name: string
  } | null
  readonly category: {
    /** Opaque. */
    readonly id: string
    readonly name: string
    readonly slug: string
  } | null
  /** Whether an edit of the post is saved but not applied. Always `false` without `posts:read_drafts`, and in revisions. */
  readonly hasPendingEdit: boolean
  /** Names, in their spelling and order. Of two spellings of a tag, the first is kept. */
  readonly tags: readonly string[]
  /** The slugs of the tags, in the same order. */
  readonly tagSlugs: readonly string[]
  /** Paths of the site, beginning with one `/`, that lead to this post: its former URLs, with the query where it had one. A path belongs to one post of the project. */
  readonly aliases: readonly string[]
  readonly seo: {
    readonly title: string | null
    readonly description: string | null
    /** An absolute http or https URL: what `new URL` of the URL Standard reads. It is kept as sent. */
    readonly canonicalUrl: string | null
    /** An absolute http or https URL: what `new URL` of the URL Standard reads. It is kept as sent. */
    readonly ogImage: string | null
  }
  /** UTC, with milliseconds. */
  readonly createdAt: string
  /** When the pending edit was last saved. */
  readonly updatedAt: string
  /** Of the pending edit. It counts its saves and never has a value twice. */
  readonly version: number
  /** The version of the post that the edit started from. */
  readonly basedOn: number
  /** Who saved it last, as in revisions. */
  readonly actor: string
  /** The name of the API key or the person, also of one who was removed since; `null` where the actor is neither. */
  readonly actorName: string | null
  /** The fields that differ from the version in `basedOn`. */
  readonly changed: readonly ('title' | 'slug' | 'content' | 'excerpt' | 'authorId' | 'categoryId' | 'tags' | 'aliases' | 'seo.title' | 'seo.description' | 'seo.canonicalUrl' | 'seo.ogImage')[]
  /** The changed fields that have changed in the post, too, since `basedOn`. While there are any, the edit cannot be applied. */
  readonly conflicts: readonly ('title' | 'slug' | 'content' | 'excerpt' | 'authorId' | 'categoryId' | 'tags' | 'aliases' | 'seo.title' | 'seo.description' | 'seo.canonicalUrl' | 'seo.ogImage')[]
  /** Why the edit could not be applied at the time for which it was scheduled; `null` once it is saved or scheduled again. */
  readonly problem: ClockProblem | null
  /** With `include=html`: the content as HTML that is safe in any page. */
  readonly contentHtml?: string
  /** With `include=toc`: the headings in order. */
  readonly toc?: readonly Heading[]
  /** With `include=reading_time`: rounded up. */
  readonly readingTimeMinutes?: number
  /** With `include=reading_time`: words, or characters in Chinese and Japanese. */
  readonly wordCount?: number
  /** With `include=media`: the media records whose URL the post shows. */
  readonly media?: readonly Media[]
}

/** Nothing, or a time. */
export interface PendingEditApplication {
  /** When to apply it, in the future. Without it, the edit is applied now. */
  readonly scheduledFor?: string
}

/** A post has a pending edit. It is deleted when the edit is applied or discarded. */
export interface PendingEditNotice {
  /** Opaque. */
  readonly id: string
  /** Opaque. */
  readonly postId: string
  /** When the edit is applied by itself; `null` if it is not scheduled. */
  readonly scheduledFor: string | null
  /** When the pending edit was last saved. */
  readonly updatedAt: string
  /** Of the pending edit. It counts its saves and never has a value twice. */
  readonly version: number
  /** The version of the post that the edit started from. */
  readonly basedOn: number
  /** Who saved it last, as in revisions. */
  readonly actor: string
  /** The fields that differ from the version in `basedOn`. */
  readonly changed: readonly ('title' | 'slug' | 'content' | 'excerpt' | 'authorId' | 'categoryId' | 'tags' | 'aliases' | 'seo.title' | 'seo.description' | 'seo.canonicalUrl' | 'seo.ogImage')[]
  /** Why the edit could not be applied at the time for which it was scheduled; `null` once it is saved or scheduled again. */
  readonly problem: ClockProblem | null
}

/** The fields to change. Fields that are left out stay as they are; `null` empties a field. */
export interface PendingEditPatch {
  /** White space at both ends is removed. */
  readonly title?: string
  readonly slug?: string
  /** Markdown, stored byte for byte. */
  readonly content?: string | null
  /** For listings, RSS and social cards. */
  readonly excerpt?: string | null
  /** The id of an author. */
  readonly authorId?: string | null
  /** The id or slug of a category. */
  readonly categoryId?: string | null
  /** Names, in their spelling and order. Of two spellings of a tag, the first is kept. */
  readonly tags?: readonly string[] | null
  /** Paths of the site, beginning with one `/`, that lead to this post: its former URLs, with the query where it had one. A path belongs to one post of the project. */
  readonly aliases?: readonly string[] | null
  readonly seo?: {
    readonly title?: string | null
    readonly description?: string | null
    /** An absolute http or https URL: what `new URL` of the URL Standard reads. It is kept as sent. */
    readonly canonicalUrl?: string | null
    /** An absolute http or https URL: what `new URL` of the URL Standard reads. It is kept as sent. */
    readonly ogImage?: string | null
  } | null
  /** `null` takes the edit off the schedule. */
  readonly scheduledFor?: null
  /** The version of the post that the edit continues: the one that was read first, or, after a conflict, the one that it was merged with. Without it, a new edit is based on the current version. */
  readonly basedOn?: number
}

/** The resource as it is now, with the schema of its type. */
export interface PendingEditUpsert {
  readonly action: 'upsert'
  readonly type: 'pending_edit'
  readonly id: string
  /** Who changed it last, as in revisions; `null` in the first walk, and without `posts:read_drafts`. */
  readonly actor: string | null
  /** The name of the API key or the person, also of one who was removed since; `null` where the actor is neither. */
  readonly actorName: string | null
  readonly data: PendingEditNotice
}

export interface Person {
  /** Opaque. */
  readonly id: string
  /** What the person signs in with, in any case. No two people have the same. */
  readonly name: string
  /** What the person may do in this project. */
  readonly role: 'writer' | 'editor' | 'owner'
  readonly hasPassword: boolean
  /** How many passkeys the person has. */
  readonly passkeys: number
  /** Until when the last one-time link works, unless it was used. */
  readonly linkExpiresAt: string | null
  /** UTC, with milliseconds. */
  readonly createdAt: string
  /** When the person last used the studio; accurate to some minutes. */
  readonly lastSeenAt: string | null
}

/** A new person: their name and their role in this project. */
export interface PersonInvite {
  /** What the person signs in with, in any case. No two people have the same. */
  readonly name: string
  /** What the person may do in this project. */
  readonly role: 'writer' | 'editor' | 'owner'
}

export interface PersonList {
  readonly data: readonly Person[]
  readonly pagination: Pagination
}

/** What changes; what is left out stays. */
export interface PersonPatch {
  /** What the person signs in with, in any case. No two people have the same. */
  readonly name?: string
  /** What the person may do in this project. */
  readonly role?: 'writer' | 'editor' | 'owner'
}

export interface PersonWithLink {
  /** Opaque. */
  readonly id: string
  /** What the person signs in with, in any case. No two people have the same. */
  readonly name: string
  /** What the person may do in this project. */
  readonly role: 'writer' | 'editor' | 'owner'
  readonly hasPassword: boolean
  /** How many passkeys the person has. */
  readonly passkeys: number
  /** Until when the last one-time link works, unless it was used. */
  readonly linkExpiresAt: string | null
  /** UTC, with milliseconds. */
  readonly createdAt: string
  /** When the person last used the studio; accurate to some minutes. */
  readonly lastSeenAt: string | null
  /** The one-time link, by which the person sets a password or a passkey. It is shown only once and never stored. */
  readonly link: string
}

export interface PingEvent {
  readonly type: 'webhook.ping'
  /** When it happened. */
  readonly timestamp: string
  /** The slug of the project. */
  readonly project: string
  /** The revision of the project; 0 for a test. */
  readonly revision: number
  /** Empty. */
  readonly data: {

  }
}

export interface Post {
  /** Opaque. */
  readonly id: string
  /** White space at both ends is removed. */
  readonly title: string
  readonly slug: string
  /** Markdown, stored byte for byte. */
  readonly content: string
  /** For listings, RSS and social cards. */
  readonly excerpt: string | null
  readonly status: 'draft' | 'scheduled' | 'published' | 'archived'
  /** Set when the post is published. */
  readonly publishedAt: string | null
  /** Set when the post is scheduled. */
  readonly scheduledFor: string | null
  readonly author: {
    /** Opaque. */
    readonly id: string
    readonly name: string
  } | null
  readonly category: {
    /** Opaque. */
    readonly id: string
    readonly name: string
    readonly slug: string
  } | null
  /** Whether an edit of the post is saved but not applied. Always `false` without `posts:read_drafts`, and in revisions. */
  readonly hasPendingEdit: boolean
  /** Names, in their spelling and order. Of two spellings of a tag, the first is kept. */
  readonly tags: readonly string[]
  /** The slugs of the tags, in the same order. */
  readonly tagSlugs: readonly string[]
  /** Paths of the site, beginning with one `/`, that lead to this post: its former URLs, with the query where it had one. A path belongs to one post of the project. */
  readonly aliases: readonly string[]
  readonly seo: {
    readonly title: string | null
    readonly description: string | null
    /** An absolute http or https URL: what `new URL` of the URL Standard reads. It is kept as sent. */
    readonly canonicalUrl: string | null
    /** An absolute http or https URL: what `new URL` of the URL Standard reads. It is kept as sent. */
    readonly ogImage: string | null
  }
  /** UTC, with milliseconds. */
  readonly createdAt: string
  /** UTC, with milliseconds. */
  readonly updatedAt: string
  /** Counts the changes; 1 at first. */
  readonly version: number
  /** With `include=html`: the content as HTML that is safe in any page. */
  readonly contentHtml?: string
  /** With `include=toc`: the headings in order. */
  readonly toc?: readonly Heading[]
  /** With `include=reading_time`: rounded up. */
  readonly readingTimeMinutes?: number
  /** With `include=reading_time`: words, or characters in Chinese and Japanese. */
  readonly wordCount?: number
  /** With `include=media`: the media records whose URL the post shows. */
  readonly media?: readonly Media[]
}

/** The operations, in order. The `body` of each is the body of the single request. */
export interface PostBatch {
  /** Without it, or with `true`, one operation that fails undoes all. `false`: the others take effect; each has its own result. */
  readonly atomic?: boolean
  readonly operations: readonly {
    /** The operation. */
    readonly op: 'create' | 'update' | 'delete' | 'restore'
    /** The id or slug of the post; `restore` needs the id, `create` has none. */
    readonly id?: string
    /** The version or ETag that the post must have. */
    readonly ifMatch?: number | string
    /** With `delete`: erases the post; needs `posts:delete`. */
    readonly permanent?: boolean
    readonly body?: PostPatch
  }[]
}

export interface PostBatchResults {
  /** One for each operation, in the same order. */
  readonly results: readonly BatchResult[]
}

/** A new post. Only `title` is required. */
export interface PostCreate {
  /** White space at both ends is removed. */
  readonly title: string
  readonly slug?: string
  /** Markdown, stored byte for byte. */
  readonly content?: string | null
  /** For listings, RSS and social cards. */
  readonly excerpt?: string | null
  readonly status?: 'draft' | 'scheduled' | 'published' | 'archived'
  /** Not in the future. Allowed with the status published or archived. */
  readonly publishedAt?: string | null
  /** In the future. Required with the status scheduled. */
  readonly scheduledFor?: string | null
  /** The id of an author. */
  readonly authorId?: string | null
  /** The id or slug of a category. */
  readonly categoryId?: string | null
  /** Names, in their spelling and order. Of two spellings of a tag, the first is kept. */
  readonly tags?: readonly string[] | null
  /** Paths of the site, beginning with one `/`, that lead to this post: its former URLs, with the query where it had one. A path belongs to one post of the project. */
  readonly aliases?: readonly string[] | null
  readonly seo?: {
    readonly title?: string | null
    readonly description?: string | null
    /** An absolute http or https URL: what `new URL` of the URL Standard reads. It is kept as sent. */
    readonly canonicalUrl?: string | null
    /** An absolute http or https URL: what `new URL` of the URL Standard reads. It is kept as sent. */
    readonly ogImage?: string | null
  } | null
}

export interface PostDiff {
  /** Opaque. */
  readonly id: string
  /** Counts the changes; 1 at first. */
  readonly version: number
  /** The version compared with; `null` for the first version, which has none before it. */
  readonly against: number | null
  readonly fields: readonly FieldChange[]
  /** Line by line; `null` if the content is the same. */
  readonly content: ContentDiff | null
}

export interface PostEvent {
  readonly type: 'post.created' | 'post.updated' | 'post.published' | 'post.scheduled' | 'post.unpublished' | 'post.archived' | 'post.deleted' | 'post.restored'
  /** When it happened. */
  readonly timestamp: string
  /** The slug of the project. */
  readonly project: string
  /** The revision of the project; 0 for a test. */
  readonly revision: number
  /** The resource, as a key with `posts:read_drafts` and without `authors:read_email` sees it; its `id` alone if it is gone. */
  readonly data: Post | GonePost
}

export interface PostList {
  readonly data: readonly Post[]
  readonly pagination: Pagination
}

/** The fields to change. Fields that are left out stay as they are; `null` empties a field. */
export interface PostPatch {
  /** White space at both ends is removed. */
  readonly title?: string
  readonly slug?: string
  /** Markdown, stored byte for byte. */
  readonly content?: string | null
  /** For listings, RSS and social cards. */
  readonly excerpt?: string | null
  readonly status?: 'draft' | 'scheduled' | 'published' | 'archived'
  /** Not in the future. Allowed with the status published or archived. */
  readonly publishedAt?: string | null
  /** In the future. Required with the status scheduled. */
  readonly scheduledFor?: string | null
  /** The id of an author. */
  readonly authorId?: string | null
  /** The id or slug of a category. */
  readonly categoryId?: string | null
  /** Names, in their spelling and order. Of two spellings of a tag, the first is kept. */
  readonly tags?: readonly string[] | null
  /** Paths of the site, beginning with one `/`, that lead to this post: its former URLs, with the query where it had one. A path belongs to one post of the project. */
  readonly aliases?: readonly string[] | null
  readonly seo?: {
    readonly title?: string | null
    readonly description?: string | null
    /** An absolute http or https URL: what `new URL` of the URL Standard reads. It is kept as sent. */
    readonly canonicalUrl?: string | null
    /** An absolute http or https URL: what `new URL` of the URL Standard reads. It is kept as sent. */
    readonly ogImage?: string | null
  } | null
}

/** Nothing, or another slug and other aliases. */
export interface PostRestore {
  readonly slug?: string
  /** Paths of the site, beginning with one `/`, that lead to this post: its former URLs, with the query where it had one. A path belongs to one post of the project. */
  readonly aliases?: readonly string[]
}

export interface PostRevision {
  /** Counts the changes; 1 at first. */
  readonly version: number
  /** UTC, with milliseconds. */
  readonly createdAt: string
  /** Who wrote it: the id of an API key or a person, `cli`, `import`, or `schedule` for a post that was published when it was due. */
  readonly actor: string
  /** The name of the API key or the person, also of one who was removed since; `null` where the actor is neither. */
  readonly actorName: string | null
  /** The program that was used, as it said itself in the header `Verso-Client`; `null` if it said nothing. */
  readonly client: string | null
  /** The fields that differ from the version before; `deletedAt` if the post went to the trash or came back. */
  readonly changed: readonly ('title' | 'slug' | 'content' | 'excerpt' | 'status' | 'publishedAt' | 'scheduledFor' | 'author' | 'category' | 'tags' | 'aliases' | 'seo' | 'deletedAt')[]
}

export interface PostRevisionList {
  readonly data: readonly PostRevision[]
  readonly pagination: Pagination
}

/** The resource as it is now, with the schema of its type. */
export interface PostUpsert {
  readonly action: 'upsert'
  readonly type: 'post'
  readonly id: string
  /** Who changed it last, as in revisions; `null` in the first walk, and without `posts:read_drafts`. */
  readonly actor: string | null
  /** The name of the API key or the person, also of one who was removed since; `null` where the actor is neither. */
  readonly actorName: string | null
  readonly data: Post
}

export interface PreviewToken {
  /** Opaque. */
  readonly id: string
  /** What the token is for. */
  readonly name: string | null
  /** UTC, with milliseconds. */
  readonly createdAt: string
  /** UTC, with milliseconds. */
  readonly expiresAt: string
}

/** Nothing, or a name and when the token ends: in 7 days by default, in 90 at most. */
export interface PreviewTokenCreate {
  /** What the token is for. */
  readonly name?: string | null
  /** RFC 3339, with `Z` or an offset. */
  readonly expiresAt?: string
  /** Seconds; 7 days by default. Excludes `expiresAt`. */
  readonly expiresIn?: number
}

export interface PreviewTokenList {
  readonly data: readonly PreviewToken[]
  readonly pagination: Pagination
}

/** What went wrong (RFC 9457). */
export interface ProblemDocument {
  /** The code as a URN. */
  readonly type: string
  /** The kind of problem; the same for every problem with this code. */
  readonly title: string
  /** The status of the response. */
  readonly status: number
  /** The kind of problem, for programs. */
  readonly code: 'malformed_request' | 'invalid_parameter' | 'unknown_parameter' | 'malformed_json' | 'invalid_cursor' | 'unauthenticated' | 'invalid_key' | 'insufficient_scope' | 'not_found' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'slug_conflict' | 'alias_conflict' | 'pending_conflict' | 'in_use' | 'idempotency_in_progress' | 'cursor_expired' | 'stale_version' | 'body_too_large' | 'uri_too_long' | 'unsupported_content_type' | 'validation_failed' | 'unsupported_media_type' | 'idempotency_key_reused' | 'rate_limited' | 'headers_too_large' | 'internal' | 'not_implemented' | 'overloaded' | 'storage_full' | 'database_unavailable' | 'outcome_unknown' | 'shutting_down'
  /** What is wrong this time, for people. */
  readonly detail: string
  /** Every fault, 100 at most; empty if `detail` says everything. */
  readonly errors: readonly Fault[]
  /** With `insufficient_scope`: the scope that is missing. */
  readonly scope?: 'posts:read' | 'posts:read_drafts' | 'posts:propose' | 'posts:write' | 'posts:publish' | 'posts:delete' | 'authors:read' | 'authors:read_email' | 'media:read' | 'media:write' | 'changes:read' | 'authors:write' | 'categories:write' | 'people:manage' | 'admin'
  /** With `slug_conflict`: a free slug. */
  readonly suggestion?: string
  /** With `alias_conflict`: the post that has the alias. */
  readonly postId?: string
  /** In a batch: the index of the operation that failed, from 0. */
  readonly operation?: number
  /** With `stale_version`: the current version. With `pending_conflict`: that of the post. */
  readonly version?: number
  /** With `pending_conflict`: the fields that both sides have changed. */
  readonly conflicts?: readonly FieldConflict[]
  /** The path of the request. */
  readonly instance: string
  /** The id of the request. The log has it, too. */
  readonly requestId: string
}

export interface Project {
  readonly slug: string
  /** The name that people see. */
  readonly name: string
  /** The public URL of the site. */
  readonly siteUrl: string | null
  /** The path of a post on the site, with `{slug}` or `{id}`, and perhaps `{year}`, `{month}`, `{day}` and `{category}`. */
  readonly permalink: string | null
  /** The time zone of the site: a name of the IANA database. Dates in answers and permalinks are in UTC all the same. */
  readonly timeZone: string
}

export interface ProjectEvent {
  readonly type: 'project.changed'
  /** When it happened. */
  readonly timestamp: string
  /** The slug of the project. */
  readonly project: string
  /** The revision of the project; 0 for a test. */
  readonly revision: number
  /** Empty. */
  readonly data: {

  }
}

/** The settings to change. What is left out stays as it is; `null` empties a setting. */
export interface ProjectPatch {
  /** The name that people see. */
  readonly name?: string
  /** The public URL of the site. */
  readonly siteUrl?: string | null
  /** The path of a post on the site, with `{slug}` or `{id}`, and perhaps `{year}`, `{month}`, `{day}` and `{category}`. */
  readonly permalink?: string | null
  /** What feeds have of each post: all of it, or its excerpt. */
  readonly feedContent?: 'html' | 'excerpt'
  /** Where the site serves its feeds itself. */
  readonly feedUrl?: string | null
  /** How people and agents write here, in Markdown. */
  readonly notes?: string | null
  /** The time zone of the site: a name of the IANA database. Dates in answers and permalinks are in UTC all the same. */
  readonly timeZone?: string
}

export interface ProjectSettings {
  /** Opaque. */
  readonly id: string
  readonly slug: string
  /** The name that people see. */
  readonly name: string
  /** The public URL of the site. */
  readonly siteUrl: string | null
  /** The path of a post on the site, with `{slug}` or `{id}`, and perhaps `{year}`, `{month}`, `{day}` and `{category}`. */
  readonly permalink: string | null
  /** What feeds have of each post: all of it, or its excerpt. */
  readonly feedContent: 'html' | 'excerpt'
  /** Where the site serves its feeds itself. */
  readonly feedUrl: string | null
  /** How people and agents write here, in Markdown. */
  readonly notes: string | null
  /** The time zone of the site: a name of the IANA database. Dates in answers and permalinks are in UTC all the same. */
  readonly timeZone: string
  /** UTC, with milliseconds. */
  readonly createdAt: string
  /** UTC, with milliseconds. */
  readonly updatedAt: string
}

export interface Readiness {
  readonly status: 'ready' | 'stopping' | 'unavailable'
  readonly checks: {
    readonly database: 'ok' | 'unavailable'
    /** `failing` while posts that are due cannot be published. */
    readonly scheduling: 'ok' | 'failing'
  }
}

export interface Redirect {
  /** A path of the site, escaped as in URLs, perhaps with a query. */
  readonly from: string
  /** The path of the post, by the permalink of the project. */
  readonly to: string
  /** Opaque. */
  readonly postId: string
  /** `alias`: an alias of the post. `slug`: its path with a former slug. */
  readonly kind: 'alias' | 'slug'
}

export interface RedirectList {
  readonly data: readonly Redirect[]
  readonly pagination: Pagination
}

export interface RelatedPosts {
  /** The most related post first. */
  readonly data: readonly Post[]
}

/** The resource is deleted, or the key may no longer see it. Delete your copy, if you have one. */
export interface Removal {
  readonly action: 'delete'
  readonly type: 'author' | 'category' | 'media' | 'post' | 'pending_edit'
  readonly id: string
  /** Who changed it last, as in revisions; `null` in the first walk, and without `posts:read_drafts`. */
  readonly actor: string | null
  /** The name of the API key or the person, also of one who was removed since; `null` where the actor is neither. */
  readonly actorName: string | null
}

/** The revision to begin after. */
export interface Replay {
  /** Events after this revision are sent again. 0 for everything that the log still has. */
  readonly since: number
}

/** Nothing, or the new secret and how long the old one also signs. */
export interface SecretRotate {
  /** `whsec_` and base64 of 24 to 64 random bytes. Generated if omitted. */
  readonly secret?: string
  /** How long the old secret also signs. Defaults to 24. */
  readonly graceHours?: number
}

export interface Tag {
  /** Opaque. */
  readonly id: string
  /** Spelled as in the first post with this tag that the key can see. */
  readonly name: string
  readonly slug: string
  readonly description: string | null
  /** The number of posts with this tag that the key can see. */
  readonly postCount: number
}

export interface TagList {
  readonly data: readonly Tag[]
  readonly pagination: Pagination
}

export interface ToldAuthor {
  /** Opaque. */
  readonly id: string
  /** White space at both ends is removed. */
  readonly name: string
  /** Made from the name unless it is given. */
  readonly slug: string
  /** `null` unless the key has the scope `authors:read_email`. */
  readonly email: string | null
  readonly bio: string | null
  /** An absolute http or https URL: what `new URL` of the URL Standard reads. It is kept as sent. */
  readonly avatarUrl: string | null
  /** UTC, with milliseconds. */
  readonly createdAt: string
  /** UTC, with milliseconds. */
  readonly updatedAt: string
  /** Counts the changes; 1 at first. */
  readonly version: number
}

export interface ToldCategory {
  /** Opaque. */
  readonly id: string
  /** White space at both ends is removed. */
  readonly name: string
  readonly slug: string
  readonly description: string | null
  /** UTC, with milliseconds. */
  readonly createdAt: string
  /** UTC, with milliseconds. */
  readonly updatedAt: string
  /** Counts the changes; 1 at first. */
  readonly version: number
}

export interface TriedPreviewToken {
  /** Opaque. */
  readonly id: string
  /** What the token is for. */
  readonly name: string | null
  /** UTC, with milliseconds. */
  readonly createdAt: string
  /** UTC, with milliseconds. */
  readonly expiresAt: string
  /** The link to share: the post on the project’s site, with the token. `null` unless the project has a `siteUrl` and a `permalink`. */
  readonly url?: string | null
}

/** The resource exists. Replace your copy of it. */
export type Upsert = AuthorUpsert | CategoryUpsert | MediaUpsert | PostUpsert | PendingEditUpsert

export interface Visibility {
  /** Opaque. */
  readonly id: string
  readonly visible: boolean
  readonly status: 'draft' | 'scheduled' | 'published' | 'archived'
  /** Since when; `null` if the log does not reach back that far. */
  readonly since: string | null
  /** When this will change by itself: when the post is due, or when the key expires. */
  readonly until: string | null
  /** The rule that decides: `published` and `read_drafts` show the post, all others hide it. */
  readonly rule: 'published' | 'read_drafts' | 'key_revoked' | 'key_expired' | 'scope_missing' | 'trashed' | 'draft' | 'scheduled' | 'archived'
  /** The reason in words. */
  readonly detail: string
}

export interface Webhook {
  /** Opaque. */
  readonly id: string
  /** What receives the events. Defaults to the host of the URL. */
  readonly name: string
  /** Absolute, http or https, without user and password. */
  readonly url: string
  /** `*` is every event of a post, author, category or media record. `project.changed` must be named. */
  readonly events: readonly ('*' | 'post.*' | 'author.*' | 'category.*' | 'media.*' | 'post.created' | 'post.updated' | 'post.published' | 'post.scheduled' | 'post.unpublished' | 'post.archived' | 'post.deleted' | 'post.restored' | 'author.created' | 'author.updated' | 'author.deleted' | 'category.created' | 'category.updated' | 'category.deleted' | 'media.created' | 'media.updated' | 'media.deleted' | 'project.changed')[]
  readonly enabled: boolean
  /** UTC, with milliseconds. */
  readonly disabledAt: string | null
  /** Why it is disabled. */
  readonly disabledReason: string | null
  /** When the first try failed after the last success, or after two days without a try. */
  readonly failingSince: string | null
  /** UTC, with milliseconds. */
  readonly createdAt: string
  /** UTC, with milliseconds. */
  readonly updatedAt: string
}

/** A new webhook. Only `url` is required; without `events` it gets every event. */
export interface WebhookCreate {
  /** Absolute, http or https, without user and password. */
  readonly url: string
  /** What receives the events. Defaults to the host of the URL. */
  readonly name?: string
  /** `*` is every event of a post, author, category or media record. `project.changed` must be named. */
  readonly events?: readonly ('*' | 'post.*' | 'author.*' | 'category.*' | 'media.*' | 'post.created' | 'post.updated' | 'post.published' | 'post.scheduled' | 'post.unpublished' | 'post.archived' | 'post.deleted' | 'post.restored' | 'author.created' | 'author.updated' | 'author.deleted' | 'category.created' | 'category.updated' | 'category.deleted' | 'media.created' | 'media.updated' | 'media.deleted' | 'project.changed')[]
  /** `whsec_` and base64 of 24 to 64 random bytes. Generated if omitted. */
  readonly secret?: string
}

export interface WebhookList {
  readonly data: readonly Webhook[]
  readonly pagination: Pagination
}

/** The fields to change. Fields that are left out stay as they are. */
export interface WebhookPatch {
  /** What receives the events. Defaults to the host of the URL. */
  readonly name?: string
  /** Absolute, http or https, without user and password. */
  readonly url?: string
  /** `*` is every event of a post, author, category or media record. `project.changed` must be named. */
  readonly events?: readonly ('*' | 'post.*' | 'author.*' | 'category.*' | 'media.*' | 'post.created' | 'post.updated' | 'post.published' | 'post.scheduled' | 'post.unpublished' | 'post.archived' | 'post.deleted' | 'post.restored' | 'author.created' | 'author.updated' | 'author.deleted' | 'category.created' | 'category.updated' | 'category.deleted' | 'media.created' | 'media.updated' | 'media.deleted' | 'project.changed')[]
  /** `true` sends the events that it missed while disabled. */
  readonly enabled?: boolean
}

/** What webhooks send. `type` tells events apart. */
export type WebhookEvent = PostEvent | AuthorEvent | CategoryEvent | MediaEvent | ProjectEvent | PingEvent

/** What each operation takes in its path and query, the body that it takes, and what it answers. */
export interface Operations {
  /** List authors */
  'GET /v1/authors': {
    params: {
      /** Fields to sort by, the most important first. A leading `-` sorts in descending order. Empty values always come last. Separate values with commas, or repeat the parameter. */
      sort?: 'name' | '-name' | 'created_at' | '-created_at' | readonly ('name' | '-name' | 'created_at' | '-created_at')[]
      /** The number of the page. A page past the end is empty. Not allowed together with `cursor`. */
      page?: number
      /** The number of resources on a page. */
      limit?: number
      /** A `nextCursor` of this list. Cursors neither skip nor repeat resources while others are added. A cursor belongs to the sort and the filters it was made with; `limit` may change. */
      cursor?: string
      /** With `false`, nothing is counted: `total` and `totalPages` are `null`. */
      total?: boolean
    }
    body: undefined
    answer: AuthorList
  }
  /** Read an author by id or slug */
  'GET /v1/authors/{idOrSlug}': {
    params: {
      /** The id or the slug. */
      idOrSlug: string
    }
    body: undefined
    answer: Author
  }
  /** List authors with their e-mail addresses */
  'GET /v1/admin/authors': {
    params: {
      /** Fields to sort by, the most important first. A leading `-` sorts in descending order. Empty values always come last. Separate values with commas, or repeat the parameter. */
      sort?: 'name' | '-name' | 'created_at' | '-created_at' | readonly ('name' | '-name' | 'created_at' | '-created_at')[]
      /** The number of the page. A page past the end is empty. Not allowed together with `cursor`. */
      page?: number
      /** The number of resources on a page. */
      limit?: number
      /** A `nextCursor` of this list. Cursors neither skip nor repeat resources while others are added. A cursor belongs to the sort and the filters it was made with; `limit` may change. */
      cursor?: string
      /** With `false`, nothing is counted: `total` and `totalPages` are `null`. */
      total?: boolean
    }
    body: undefined
    answer: AuthorList
  }
  /** Create an author */
  'POST /v1/admin/authors': {
    params: {
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: AuthorCreate
    answer: Author
  }
  /** Read an author with the e-mail address */
  'GET /v1/admin/authors/{idOrSlug}': {
    params: {
      /** The id or the slug. */
      idOrSlug: string
    }
    body: undefined
    answer: Author
  }
  /** Change an author */
  'PATCH /v1/admin/authors/{idOrSlug}': {
    params: {
      /** The id or the slug. */
      idOrSlug: string
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: AuthorPatch
    answer: Author
  }
  /** Delete an author */
  'DELETE /v1/admin/authors/{idOrSlug}': {
    params: {
      /** The id or the slug. */
      idOrSlug: string
      /** The id or slug of the author that the posts get instead. This changes each of those posts. */
      reassign_to?: string
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: undefined
    answer: undefined
  }
  /** List categories */
  'GET /v1/categories': {
    params: {
      /** Fields to sort by, the most important first. A leading `-` sorts in descending order. Empty values always come last. Separate values with commas, or repeat the parameter. */
      sort?: 'name' | '-name' | 'created_at' | '-created_at' | 'slug' | '-slug' | 'post_count' | '-post_count' | readonly ('name' | '-name' | 'created_at' | '-created_at' | 'slug' | '-slug' | 'post_count' | '-post_count')[]
      /** The number of the page. A page past the end is empty. Not allowed together with `cursor`. */
      page?: number
      /** The number of resources on a page. */
      limit?: number
      /** A `nextCursor` of this list. Cursors neither skip nor repeat resources while others are added. A cursor belongs to the sort and the filters it was made with; `limit` may change. */
      cursor?: string
      /** With `false`, nothing is counted: `total` and `totalPages` are `null`. */
      total?: boolean
    }
    body: undefined
    answer: CategoryList
  }
  /** Read a category by id or slug */
  'GET /v1/categories/{idOrSlug}': {
    params: {
      /** The id or the slug. */
      idOrSlug: string
    }
    body: undefined
    answer: Category
  }
  /** List categories for administration */
  'GET /v1/admin/categories': {
    params: {
      /** Fields to sort by, the most important first. A leading `-` sorts in descending order. Empty values always come last. Separate values with commas, or repeat the parameter. */
      sort?: 'name' | '-name' | 'created_at' | '-created_at' | 'slug' | '-slug' | 'post_count' | '-post_count' | readonly ('name' | '-name' | 'created_at' | '-created_at' | 'slug' | '-slug' | 'post_count' | '-post_count')[]
      /** The number of the page. A page past the end is empty. Not allowed together with `cursor`. */
      page?: number
      /** The number of resources on a page. */
      limit?: number
      /** A `nextCursor` of this list. Cursors neither skip nor repeat resources while others are added. A cursor belongs to the sort and the filters it was made with; `limit` may change. */
      cursor?: string
      /** With `false`, nothing is counted: `total` and `totalPages` are `null`. */
      total?: boolean
    }
    body: undefined
    answer: CategoryList
  }
  /** Create a category */
  'POST /v1/admin/categories': {
    params: {
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: CategoryCreate
    answer: Category
  }
  /** Read a category for administration */
  'GET /v1/admin/categories/{idOrSlug}': {
    params: {
      /** The id or the slug. */
      idOrSlug: string
    }
    body: undefined
    answer: Category
  }
  /** Change a category */
  'PATCH /v1/admin/categories/{idOrSlug}': {
    params: {
      /** The id or the slug. */
      idOrSlug: string
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: CategoryPatch
    answer: Category
  }
  /** Delete a category */
  'DELETE /v1/admin/categories/{idOrSlug}': {
    params: {
      /** The id or the slug. */
      idOrSlug: string
      /** The id or slug of the category that the posts get instead. This changes each of those posts. */
      reassign_to?: string
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: undefined
    answer: undefined
  }
  /** List media records */
  'GET /v1/media': {
    params: {
      /** Case-insensitive substring of the file name or the alternative text. */
      search?: string
      /** Any of image/jpeg, image/png, image/webp, image/gif, image/svg+xml. Separate values with commas, or repeat the parameter. */
      mime_type?: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif' | 'image/svg+xml' | readonly ('image/jpeg' | 'image/png' | 'image/webp' | 'image/gif' | 'image/svg+xml')[]
      /** Fields to sort by, the most important first. A leading `-` sorts in descending order. Empty values always come last. Separate values with commas, or repeat the parameter. */
      sort?: 'created_at' | '-created_at' | 'name' | '-name' | readonly ('created_at' | '-created_at' | 'name' | '-name')[]
      /** The number of the page. A page past the end is empty. Not allowed together with `cursor`. */
      page?: number
      /** The number of resources on a page. */
      limit?: number
      /** A `nextCursor` of this list. Cursors neither skip nor repeat resources while others are added. A cursor belongs to the sort and the filters it was made with; `limit` may change. */
      cursor?: string
      /** With `false`, nothing is counted: `total` and `totalPages` are `null`. */
      total?: boolean
    }
    body: undefined
    answer: MediaList
  }
  /** Register an asset that is stored elsewhere */
  'POST /v1/media': {
    params: {
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: MediaCreate
    answer: Media
  }
  /** Read a media record */
  'GET /v1/media/{id}': {
    params: {
      /** The id. */
      id: string
    }
    body: undefined
    answer: Media
  }
  /** Change a media record */
  'PATCH /v1/media/{id}': {
    params: {
      /** The id. */
      id: string
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: MediaPatch
    answer: Media
  }
  /** Delete a media record */
  'DELETE /v1/media/{id}': {
    params: {
      /** The id. */
      id: string
      /** Erase the record at once. */
      permanent?: boolean
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: undefined
    answer: undefined
  }
  /** List posts */
  'GET /v1/posts': {
    params: {
      /** Any of draft, scheduled, published, archived. Without it, every status that the key may see. Values other than published need the scope `posts:read_drafts`. Separate values with commas, or repeat the parameter. */
      status?: 'draft' | 'scheduled' | 'published' | 'archived' | readonly ('draft' | 'scheduled' | 'published' | 'archived')[]
      /** Category slugs: posts in any of them. Separate values with commas, or repeat the parameter. */
      category?: string | readonly string[]
      /** Tag slugs: posts with any of them. Separate values with commas, or repeat the parameter. */
      tag?: string | readonly string[]
      /** Author ids: posts by any of them. Separate values with commas, or repeat the parameter. */
      author?: string | readonly string[]
      /** Case-insensitive substring of the title. */
      search?: string
      /** Finds posts that have all of these words in title, excerpt or content. Posts with all words in the title come first, then those with all in the excerpt, then in the content, then the rest; within each group the newest first. A `sort` replaces this order. */
      q?: string
      /** Published at this instant or after it. */
      published_after?: string
      /** Published before this instant. */
      published_before?: string
      /** Changed at this instant or after it. */
      updated_after?: string
      /** Lists the trash instead. It needs the scope `posts:read_drafts`. */
      trashed?: boolean
      /** Fields to sort by, the most important first. A leading `-` sorts in descending order. Empty values always come last. With `q` and without `sort`, the best matches come first. Separate values with commas, or repeat the parameter. */
      sort?: 'published_at' | '-published_at' | 'created_at' | '-created_at' | 'updated_at' | '-updated_at' | 'scheduled_for' | '-scheduled_for' | 'title' | '-title' | 'slug' | '-slug' | 'status' | '-status' | readonly ('published_at' | '-published_at' | 'created_at' | '-created_at' | 'updated_at' | '-updated_at' | 'scheduled_for' | '-scheduled_for' | 'title' | '-title' | 'slug' | '-slug' | 'status' | '-status')[]
      /** The number of the page. A page past the end is empty. Not allowed together with `cursor`. */
      page?: number
      /** The number of resources on a page. */
      limit?: number
      /** A `nextCursor` of this list. Cursors neither skip nor repeat resources while others are added. A cursor belongs to the sort and the filters it was made with; `limit` may change. */
      cursor?: string
      /** With `false`, nothing is counted: `total` and `totalPages` are `null`. */
      total?: boolean
      /** Only these fields, and `id`. The response lacks all others, also those that its schema requires. Separate values with commas, or repeat the parameter. */
      fields?: 'id' | 'title' | 'slug' | 'content' | 'excerpt' | 'status' | 'publishedAt' | 'scheduledFor' | 'author' | 'category' | 'hasPendingEdit' | 'tags' | 'tagSlugs' | 'aliases' | 'seo' | 'createdAt' | 'updatedAt' | 'version' | readonly ('id' | 'title' | 'slug' | 'content' | 'excerpt' | 'status' | 'publishedAt' | 'scheduledFor' | 'author' | 'category' | 'hasPendingEdit' | 'tags' | 'tagSlugs' | 'aliases' | 'seo' | 'createdAt' | 'updatedAt' | 'version')[]
      /** All fields except these. Not allowed together with `fields`. Separate values with commas, or repeat the parameter. */
      exclude?: 'id' | 'title' | 'slug' | 'content' | 'excerpt' | 'status' | 'publishedAt' | 'scheduledFor' | 'author' | 'category' | 'hasPendingEdit' | 'tags' | 'tagSlugs' | 'aliases' | 'seo' | 'createdAt' | 'updatedAt' | 'version' | readonly ('id' | 'title' | 'slug' | 'content' | 'excerpt' | 'status' | 'publishedAt' | 'scheduledFor' | 'author' | 'category' | 'hasPendingEdit' | 'tags' | 'tagSlugs' | 'aliases' | 'seo' | 'createdAt' | 'updatedAt' | 'version')[]
      /** What to add to each resource. `html`: `contentHtml`, the content as HTML that is safe in any page. `toc`: `toc`, the headings of `contentHtml`. `reading_time`: `readingTimeMinutes` and `wordCount`. `media`: `media`, the media records whose URL the post shows. It needs the scope `media:read`. Separate values with commas, or repeat the parameter. */
      include?: 'html' | 'toc' | 'reading_time' | 'media' | readonly ('html' | 'toc' | 'reading_time' | 'media')[]
    }
    body: undefined
    answer: PostList
  }
  /** Create a post */
  'POST /v1/posts': {
    params: {
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: PostCreate
    answer: Post
  }
  /** Read a post by id or slug */
  'GET /v1/posts/{idOrSlug}': {
    params: {
      /** The id or the slug. */
      idOrSlug: string
      /** Only these fields, and `id`. The response lacks all others, also those that its schema requires. Separate values with commas, or repeat the parameter. */
      fields?: 'id' | 'title' | 'slug' | 'content' | 'excerpt' | 'status' | 'publishedAt' | 'scheduledFor' | 'author' | 'category' | 'hasPendingEdit' | 'tags' | 'tagSlugs' | 'aliases' | 'seo' | 'createdAt' | 'updatedAt' | 'version' | readonly ('id' | 'title' | 'slug' | 'content' | 'excerpt' | 'status' | 'publishedAt' | 'scheduledFor' | 'author' | 'category' | 'hasPendingEdit' | 'tags' | 'tagSlugs' | 'aliases' | 'seo' | 'createdAt' | 'updatedAt' | 'version')[]
      /** All fields except these. Not allowed together with `fields`. Separate values with commas, or repeat the parameter. */
      exclude?: 'id' | 'title' | 'slug' | 'content' | 'excerpt' | 'status' | 'publishedAt' | 'scheduledFor' | 'author' | 'category' | 'hasPendingEdit' | 'tags' | 'tagSlugs' | 'aliases' | 'seo' | 'createdAt' | 'updatedAt' | 'version' | readonly ('id' | 'title' | 'slug' | 'content' | 'excerpt' | 'status' | 'publishedAt' | 'scheduledFor' | 'author' | 'category' | 'hasPendingEdit' | 'tags' | 'tagSlugs' | 'aliases' | 'seo' | 'createdAt' | 'updatedAt' | 'version')[]
      /** What to add to each resource. `html`: `contentHtml`, the content as HTML that is safe in any page. `toc`: `toc`, the headings of `contentHtml`. `reading_time`: `readingTimeMinutes` and `wordCount`. `media`: `media`, the media records whose URL the post shows. It needs the scope `media:read`. Separate values with commas, or repeat the parameter. */
      include?: 'html' | 'toc' | 'reading_time' | 'media' | readonly ('html' | 'toc' | 'reading_time' | 'media')[]
      /** A preview token of this post. If the token does not open this post, the answer is 404, even with a key that may read it. */
      preview_token?: string
    }
    body: undefined
    answer: Post
  }
  /** Change a post */
  'PATCH /v1/posts/{idOrSlug}': {
    params: {
      /** The id or the slug. */
      idOrSlug: string
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: PostPatch
    answer: Post
  }
  /** Delete a post */
  'DELETE /v1/posts/{idOrSlug}': {
    params: {
      /** The id or the slug. */
      idOrSlug: string
      /** Erase the post, its revisions and everything else that belongs to it alone. */
      permanent?: boolean
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: undefined
    answer: undefined
  }
  /** Restore a post from the trash */
  'POST /v1/posts/{id}/restore': {
    params: {
      /** The id. */
      id: string
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: PostRestore | undefined
    answer: Post
  }
  /** Write several posts at once */
  'POST /v1/posts/batch': {
    params: {
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: PostBatch
    answer: PostBatchResults
  }
  /** Explain why a post is visible or hidden */
  'GET /v1/posts/{idOrSlug}/visibility': {
    params: {
      /** The id or the slug. */
      idOrSlug: string
      /** The id of a key of this project. */
      key?: string
    }
    body: undefined
    answer: Visibility
  }
  /** List related posts */
  'GET /v1/posts/{idOrSlug}/related': {
    params: {
      /** The id or the slug. */
      idOrSlug: string
      /** Only these fields, and `id`. The response lacks all others, also those that its schema requires. Separate values with commas, or repeat the parameter. */
      fields?: 'id' | 'title' | 'slug' | 'content' | 'excerpt' | 'status' | 'publishedAt' | 'scheduledFor' | 'author' | 'category' | 'hasPendingEdit' | 'tags' | 'tagSlugs' | 'aliases' | 'seo' | 'createdAt' | 'updatedAt' | 'version' | readonly ('id' | 'title' | 'slug' | 'content' | 'excerpt' | 'status' | 'publishedAt' | 'scheduledFor' | 'author' | 'category' | 'hasPendingEdit' | 'tags' | 'tagSlugs' | 'aliases' | 'seo' | 'createdAt' | 'updatedAt' | 'version')[]
      /** All fields except these. Not allowed together with `fields`. Separate values with commas, or repeat the parameter. */
      exclude?: 'id' | 'title' | 'slug' | 'content' | 'excerpt' | 'status' | 'publishedAt' | 'scheduledFor' | 'author' | 'category' | 'hasPendingEdit' | 'tags' | 'tagSlugs' | 'aliases' | 'seo' | 'createdAt' | 'updatedAt' | 'version' | readonly ('id' | 'title' | 'slug' | 'content' | 'excerpt' | 'status' | 'publishedAt' | 'scheduledFor' | 'author' | 'category' | 'hasPendingEdit' | 'tags' | 'tagSlugs' | 'aliases' | 'seo' | 'createdAt' | 'updatedAt' | 'version')[]
      /** The number of posts. */
      limit?: number
    }
    body: undefined
    answer: RelatedPosts
  }
  /** List the revisions of a post */
  'GET /v1/posts/{idOrSlug}/revisions': {
    params: {
      /** The id or the slug. */
      idOrSlug: string
      /** Fields to sort by, the most important first. A leading `-` sorts in descending order. Empty values always come last. Separate values with commas, or repeat the parameter. */
      sort?: 'version' | '-version' | readonly ('version' | '-version')[]
      /** The number of the page. A page past the end is empty. Not allowed together with `cursor`. */
      page?: number
      /** The number of resources on a page. */
      limit?: number
      /** A `nextCursor` of this list. Cursors neither skip nor repeat resources while others are added. A cursor belongs to the sort and the filters it was made with; `limit` may change. */
      cursor?: string
      /** With `false`, nothing is counted: `total` and `totalPages` are `null`. */
      total?: boolean
    }
    body: undefined
    answer: PostRevisionList
  }
  /** Read a revision of a post */
  'GET /v1/posts/{idOrSlug}/revisions/{version}': {
    params: {
      /** The id or the slug. */
      idOrSlug: string
      /** The version. */
      version: string
    }
    body: undefined
    answer: Post
  }
  /** Compare two revisions of a post */
  'GET /v1/posts/{idOrSlug}/revisions/{version}/diff': {
    params: {
      /** The id or the slug. */
      idOrSlug: string
      /** The version. */
      version: string
      /** The version to compare with. Default: the version before. */
      against?: string
    }
    body: undefined
    answer: PostDiff
  }
  /** Restore a revision */
  'POST /v1/posts/{idOrSlug}/revisions/{version}/restore': {
    params: {
      /** The id or the slug. */
      idOrSlug: string
      /** The version. */
      version: string
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: undefined
    answer: Post
  }
  /** Read the pending edit of a post */
  'GET /v1/posts/{idOrSlug}/pending': {
    params: {
      /** The id or the slug. */
      idOrSlug: string
      /** What to add to each resource. `html`: `contentHtml`, the content as HTML that is safe in any page. `toc`: `toc`, the headings of `contentHtml`. `reading_time`: `readingTimeMinutes` and `wordCount`. `media`: `media`, the media records whose URL the post shows. It needs the scope `media:read`. Separate values with commas, or repeat the parameter. */
      include?: 'html' | 'toc' | 'reading_time' | 'media' | readonly ('html' | 'toc' | 'reading_time' | 'media')[]
    }
    body: undefined
    answer: PendingEdit
  }
  /** Save a pending edit */
  'PATCH /v1/posts/{idOrSlug}/pending': {
    params: {
      /** The id or the slug. */
      idOrSlug: string
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: PendingEditPatch
    answer: PendingEdit
  }
  /** Discard a pending edit */
  'DELETE /v1/posts/{idOrSlug}/pending': {
    params: {
      /** The id or the slug. */
      idOrSlug: string
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: undefined
    answer: undefined
  }
  /** Take back the last save of a pending edit */
  'POST /v1/posts/{idOrSlug}/pending/undo': {
    params: {
      /** The id or the slug. */
      idOrSlug: string
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: undefined
    answer: undefined
  }
  /** Apply a pending edit */
  'POST /v1/posts/{idOrSlug}/pending/apply': {
    params: {
      /** The id or the slug. */
      idOrSlug: string
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: PendingEditApplication | undefined
    answer: PendingEdit | Post
  }
  /** Read the project of the key */
  'GET /v1/project': {
    params: Record<never, never>
    body: undefined
    answer: Project
  }
  /** Read who is asking */
  'GET /v1/whoami': {
    params: Record<never, never>
    body: undefined
    answer: Asker
  }
  /** Read the settings of the project */
  'GET /v1/admin/project': {
    params: Record<never, never>
    body: undefined
    answer: ProjectSettings
  }
  /** Change the settings of the project */
  'PATCH /v1/admin/project': {
    params: {
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: ProjectPatch
    answer: ProjectSettings
  }
  /** List redirects */
  'GET /v1/redirects': {
    params: {
      /** Fields to sort by, the most important first. A leading `-` sorts in descending order. Empty values always come last. Separate values with commas, or repeat the parameter. */
      sort?: 'from' | '-from' | readonly ('from' | '-from')[]
      /** The number of the page. A page past the end is empty. Not allowed together with `cursor`. */
      page?: number
      /** The number of resources on a page. */
      limit?: number
      /** A `nextCursor` of this list. Cursors neither skip nor repeat resources while others are added. A cursor belongs to the sort and the filters it was made with; `limit` may change. */
      cursor?: string
      /** With `false`, nothing is counted: `total` and `totalPages` are `null`. */
      total?: boolean
    }
    body: undefined
    answer: RedirectList
  }
  /** List the preview tokens of a post */
  'GET /v1/posts/{idOrSlug}/preview-tokens': {
    params: {
      /** The id or the slug. */
      idOrSlug: string
      /** Fields to sort by, the most important first. A leading `-` sorts in descending order. Empty values always come last. Separate values with commas, or repeat the parameter. */
      sort?: 'created_at' | '-created_at' | 'expires_at' | '-expires_at' | readonly ('created_at' | '-created_at' | 'expires_at' | '-expires_at')[]
      /** The number of the page. A page past the end is empty. Not allowed together with `cursor`. */
      page?: number
      /** The number of resources on a page. */
      limit?: number
      /** A `nextCursor` of this list. Cursors neither skip nor repeat resources while others are added. A cursor belongs to the sort and the filters it was made with; `limit` may change. */
      cursor?: string
      /** With `false`, nothing is counted: `total` and `totalPages` are `null`. */
      total?: boolean
    }
    body: undefined
    answer: PreviewTokenList
  }
  /** Create a preview token */
  'POST /v1/posts/{idOrSlug}/preview-tokens': {
    params: {
      /** The id or the slug. */
      idOrSlug: string
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: PreviewTokenCreate | undefined
    answer: TriedPreviewToken | NewPreviewToken
  }
  /** Revoke a preview token */
  'DELETE /v1/posts/{idOrSlug}/preview-tokens/{tokenId}': {
    params: {
      /** The id or the slug. */
      idOrSlug: string
      /** The id of the preview token. */
      tokenId: string
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: undefined
    answer: undefined
  }
  /** List tags */
  'GET /v1/tags': {
    params: {
      /** Fields to sort by, the most important first. A leading `-` sorts in descending order. Empty values always come last. Separate values with commas, or repeat the parameter. */
      sort?: 'name' | '-name' | 'created_at' | '-created_at' | 'slug' | '-slug' | 'post_count' | '-post_count' | readonly ('name' | '-name' | 'created_at' | '-created_at' | 'slug' | '-slug' | 'post_count' | '-post_count')[]
      /** The number of the page. A page past the end is empty. Not allowed together with `cursor`. */
      page?: number
      /** The number of resources on a page. */
      limit?: number
      /** A `nextCursor` of this list. Cursors neither skip nor repeat resources while others are added. A cursor belongs to the sort and the filters it was made with; `limit` may change. */
      cursor?: string
      /** With `false`, nothing is counted: `total` and `totalPages` are `null`. */
      total?: boolean
    }
    body: undefined
    answer: TagList
  }
  /** Read a tag by id or slug */
  'GET /v1/tags/{idOrSlug}': {
    params: {
      /** The id or the slug. */
      idOrSlug: string
    }
    body: undefined
    answer: Tag
  }
  /** Read the RSS feed of a project */
  'GET /v1/feeds/{project}/rss.xml': {
    params: {
      /** The slug of the project. */
      project: string
    }
    body: undefined
    answer: string
  }
  /** Read the RSS feed of a tag, category or author */
  'GET /v1/feeds/{project}/{subject}/{idOrSlug}/rss.xml': {
    params: {
      /** The slug of the project. */
      project: string
      /** `tags`, `categories` or `authors`. */
      subject: 'tags' | 'categories' | 'authors'
      /** The id or the slug. */
      idOrSlug: string
    }
    body: undefined
    answer: string
  }
  /** Read the Atom feed of a project */
  'GET /v1/feeds/{project}/atom.xml': {
    params: {
      /** The slug of the project. */
      project: string
    }
    body: undefined
    answer: string
  }
  /** Read the Atom feed of a tag, category or author */
  'GET /v1/feeds/{project}/{subject}/{idOrSlug}/atom.xml': {
    params: {
      /** The slug of the project. */
      project: string
      /** `tags`, `categories` or `authors`. */
      subject: 'tags' | 'categories' | 'authors'
      /** The id or the slug. */
      idOrSlug: string
    }
    body: undefined
    answer: string
  }
  /** Read the JSON feed of a project */
  'GET /v1/feeds/{project}/feed.json': {
    params: {
      /** The slug of the project. */
      project: string
    }
    body: undefined
    answer: JsonFeed
  }
  /** Read the JSON feed of a tag, category or author */
  'GET /v1/feeds/{project}/{subject}/{idOrSlug}/feed.json': {
    params: {
      /** The slug of the project. */
      project: string
      /** `tags`, `categories` or `authors`. */
      subject: 'tags' | 'categories' | 'authors'
      /** The id or the slug. */
      idOrSlug: string
    }
    body: undefined
    answer: JsonFeed
  }
  /** Read the sitemap of a project */
  'GET /v1/feeds/{project}/sitemap.xml': {
    params: {
      /** The slug of the project. */
      project: string
      /** The number of a file of the index. */
      page?: number
    }
    body: undefined
    answer: string
  }
  /** Read the sitemap of a tag, category or author */
  'GET /v1/feeds/{project}/{subject}/{idOrSlug}/sitemap.xml': {
    params: {
      /** The slug of the project. */
      project: string
      /** `tags`, `categories` or `authors`. */
      subject: 'tags' | 'categories' | 'authors'
      /** The id or the slug. */
      idOrSlug: string
      /** The number of a file of the index. */
      page?: number
    }
    body: undefined
    answer: string
  }
  /** Follow changes */
  'GET /v1/changes': {
    params: {
      /** Only resources of these types; without it, of all that the key may read. Separate values with commas, or repeat the parameter. */
      types?: 'author' | 'category' | 'media' | 'post' | 'pending_edit' | readonly ('author' | 'category' | 'media' | 'post' | 'pending_edit')[]
      /** The `nextCursor` of the previous response. Other keys that may see the same resources can use it, with the same `types`. It expires after 90 days. */
      since?: string
      /** The maximum number of resources. */
      limit?: number
      /** How many seconds to wait for a change if there is none yet; 0 does not wait. */
      wait?: number
    }
    body: undefined
    answer: ChangePage
  }
  /** List API keys */
  'GET /v1/admin/keys': {
    params: {
      /** Fields to sort by, the most important first. A leading `-` sorts in descending order. Empty values always come last. Separate values with commas, or repeat the parameter. */
      sort?: 'created_at' | '-created_at' | 'name' | '-name' | readonly ('created_at' | '-created_at' | 'name' | '-name')[]
      /** The number of the page. A page past the end is empty. Not allowed together with `cursor`. */
      page?: number
      /** The number of resources on a page. */
      limit?: number
      /** A `nextCursor` of this list. Cursors neither skip nor repeat resources while others are added. A cursor belongs to the sort and the filters it was made with; `limit` may change. */
      cursor?: string
      /** With `false`, nothing is counted: `total` and `totalPages` are `null`. */
      total?: boolean
    }
    body: undefined
    answer: ApiKeyList
  }
  /** Create an API key */
  'POST /v1/admin/keys': {
    params: {
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: KeyCreate
    answer: ApiKey | NewApiKey
  }
  /** Read an API key */
  'GET /v1/admin/keys/{id}': {
    params: {
      /** The id. */
      id: string
    }
    body: undefined
    answer: ApiKey
  }
  /** Revoke an API key */
  'DELETE /v1/admin/keys/{id}': {
    params: {
      /** The id. */
      id: string
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: undefined
    answer: undefined
  }
  /** Replace an API key */
  'POST /v1/admin/keys/{id}/rotate': {
    params: {
      /** The id. */
      id: string
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: KeyRotate | undefined
    answer: ApiKey | NewApiKey
  }
  /** List the people of the project */
  'GET /v1/admin/people': {
    params: {
      /** Fields to sort by, the most important first. A leading `-` sorts in descending order. Empty values always come last. Separate values with commas, or repeat the parameter. */
      sort?: 'name' | '-name' | 'created_at' | '-created_at' | readonly ('name' | '-name' | 'created_at' | '-created_at')[]
      /** The number of the page. A page past the end is empty. Not allowed together with `cursor`. */
      page?: number
      /** The number of resources on a page. */
      limit?: number
      /** A `nextCursor` of this list. Cursors neither skip nor repeat resources while others are added. A cursor belongs to the sort and the filters it was made with; `limit` may change. */
      cursor?: string
      /** With `false`, nothing is counted: `total` and `totalPages` are `null`. */
      total?: boolean
    }
    body: undefined
    answer: PersonList
  }
  /** Invite a person */
  'POST /v1/admin/people': {
    params: {
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: PersonInvite
    answer: Person | PersonWithLink
  }
  /** Read a person */
  'GET /v1/admin/people/{id}': {
    params: {
      /** The id. */
      id: string
    }
    body: undefined
    answer: Person
  }
  /** Change a name or a role */
  'PATCH /v1/admin/people/{id}': {
    params: {
      /** The id. */
      id: string
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: PersonPatch
    answer: Person
  }
  /** Take the role of a person away */
  'DELETE /v1/admin/people/{id}': {
    params: {
      /** The id. */
      id: string
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: undefined
    answer: undefined
  }
  /** Make a new one-time link */
  'POST /v1/admin/people/{id}/link': {
    params: {
      /** The id. */
      id: string
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: undefined
    answer: Person | PersonWithLink
  }
  /** Sign a person out */
  'DELETE /v1/admin/people/{id}/sessions': {
    params: {
      /** The id. */
      id: string
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: undefined
    answer: undefined
  }
  /** List webhooks */
  'GET /v1/admin/webhooks': {
    params: {
      /** Fields to sort by, the most important first. A leading `-` sorts in descending order. Empty values always come last. Separate values with commas, or repeat the parameter. */
      sort?: 'name' | '-name' | 'created_at' | '-created_at' | readonly ('name' | '-name' | 'created_at' | '-created_at')[]
      /** The number of the page. A page past the end is empty. Not allowed together with `cursor`. */
      page?: number
      /** The number of resources on a page. */
      limit?: number
      /** A `nextCursor` of this list. Cursors neither skip nor repeat resources while others are added. A cursor belongs to the sort and the filters it was made with; `limit` may change. */
      cursor?: string
      /** With `false`, nothing is counted: `total` and `totalPages` are `null`. */
      total?: boolean
    }
    body: undefined
    answer: WebhookList
  }
  /** Create a webhook */
  'POST /v1/admin/webhooks': {
    params: {
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: WebhookCreate
    answer: Webhook | NewWebhook
  }
  /** Read a webhook */
  'GET /v1/admin/webhooks/{id}': {
    params: {
      /** The id. */
      id: string
    }
    body: undefined
    answer: Webhook
  }
  /** Update, enable or disable a webhook */
  'PATCH /v1/admin/webhooks/{id}': {
    params: {
      /** The id. */
      id: string
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: WebhookPatch
    answer: Webhook
  }
  /** Delete a webhook and its deliveries */
  'DELETE /v1/admin/webhooks/{id}': {
    params: {
      /** The id. */
      id: string
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: undefined
    answer: undefined
  }
  /** Replace the secret of a webhook */
  'POST /v1/admin/webhooks/{id}/rotate-secret': {
    params: {
      /** The id. */
      id: string
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: SecretRotate | undefined
    answer: Webhook | NewWebhook
  }
  /** Replay events after a revision */
  'POST /v1/admin/webhooks/{id}/replay': {
    params: {
      /** The id. */
      id: string
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: Replay
    answer: Webhook
  }
  /** List the deliveries of a webhook */
  'GET /v1/admin/webhooks/{id}/deliveries': {
    params: {
      /** The id. */
      id: string
      /** Any of waiting, sending, delivered, failed. Separate values with commas, or repeat the parameter. */
      status?: 'waiting' | 'sending' | 'delivered' | 'failed' | readonly ('waiting' | 'sending' | 'delivered' | 'failed')[]
      /** Events, any of them. Separate values with commas, or repeat the parameter. */
      type?: 'post.created' | 'post.updated' | 'post.published' | 'post.scheduled' | 'post.unpublished' | 'post.archived' | 'post.deleted' | 'post.restored' | 'author.created' | 'author.updated' | 'author.deleted' | 'category.created' | 'category.updated' | 'category.deleted' | 'media.created' | 'media.updated' | 'media.deleted' | 'project.changed' | 'webhook.ping' | readonly ('post.created' | 'post.updated' | 'post.published' | 'post.scheduled' | 'post.unpublished' | 'post.archived' | 'post.deleted' | 'post.restored' | 'author.created' | 'author.updated' | 'author.deleted' | 'category.created' | 'category.updated' | 'category.deleted' | 'media.created' | 'media.updated' | 'media.deleted' | 'project.changed' | 'webhook.ping')[]
      /** Fields to sort by, the most important first. A leading `-` sorts in descending order. Empty values always come last. Separate values with commas, or repeat the parameter. */
      sort?: 'created_at' | '-created_at' | readonly ('created_at' | '-created_at')[]
      /** The number of the page. A page past the end is empty. Not allowed together with `cursor`. */
      page?: number
      /** The number of resources on a page. */
      limit?: number
      /** A `nextCursor` of this list. Cursors neither skip nor repeat resources while others are added. A cursor belongs to the sort and the filters it was made with; `limit` may change. */
      cursor?: string
      /** With `false`, nothing is counted: `total` and `totalPages` are `null`. */
      total?: boolean
    }
    body: undefined
    answer: DeliveryList
  }
  /** Read a delivery */
  'GET /v1/admin/webhooks/{id}/deliveries/{deliveryId}': {
    params: {
      /** The id. */
      id: string
      /** The id of the delivery. */
      deliveryId: string
    }
    body: undefined
    answer: Delivery
  }
  /** Send a delivery again */
  'POST /v1/admin/webhooks/{id}/deliveries/{deliveryId}/redeliver': {
    params: {
      /** The id. */
      id: string
      /** The id of the delivery. */
      deliveryId: string
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: undefined
    answer: Delivery
  }
  /** Send a test event */
  'POST /v1/admin/webhooks/{id}/test': {
    params: {
      /** The id. */
      id: string
      /** Checks the request without storing anything. Scopes, rules and problems are the same, and the response shows the result. */
      dry_run?: boolean
    }
    body: undefined
    answer: Delivery
  }
}
