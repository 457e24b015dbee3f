import type { Scope } from '../../../actions/caller.ts'
import type { Instant } from '../../../values/instant.ts'
import type { Post } from '../post.ts'

/** The rules that decide whether a key sees a post: the first two show it, the others hide it. */
export const visibilityRules = [
  'published',
  'read_drafts',
  'key_revoked',
  'key_expired',
  'scope_missing',
  'trashed',
  'draft',
  'scheduled',
  'archived',
] as const
type VisibilityRule = (typeof visibilityRules)[number]

/** What decides which posts a key sees. */
export interface Reader {
  /** Closed under inclusion. */
  readonly scopes: readonly Scope[]
  readonly createdAt: Instant
  readonly expiresAt: Instant | null
  readonly revokedAt: Instant | null
}

/** What the log says about a post; `null` if it never happened, or too long ago. */
export interface PostPast {
  readonly appearedAt: Instant | null
  readonly vanishedAt: Instant | null
  readonly restoredAt: Instant | null
  readonly createdAt: Instant | null
}

interface Visibility {
  readonly visible: boolean
  readonly status: Post['status']
  /** Since when; `null` if the log does not reach back that far. */
  readonly since: Instant | null
  /** When this will change by itself, if it will. */
  readonly until: Instant | null
  readonly rule: VisibilityRule
  readonly detail: string
}

/** Whether a key sees a post, since when, until when, and why. Without a reader: the public. */
export function visibilityOf(post: Post, past: PostPast, reader: Reader | undefined, now: Instant): Visibility {
  const rule = ruleFor(post, reader, now)
  return {
    visible: rule === 'published' || rule === 'read_drafts',
    status: post.status,
    since: since(rule, post, past, reader),
    until: until(rule, post, reader),
    rule,
    detail: details[rule],
  }
}

const details: Record<VisibilityRule, string> = {
  published: 'The post is published: every key that may read posts sees it.',
  read_drafts: 'The post is not published, but the key has posts:read_drafts.',
  key_revoked: 'The key is revoked.',
  key_expired: 'The key has expired.',
  scope_missing: 'The key lacks the scope posts:read.',
  trashed: 'The post is in the trash.',
  draft: 'The post is a draft: only keys with posts:read_drafts see it.',
  scheduled: 'The post is scheduled: until it is published, only keys with posts:read_drafts see it.',
  archived: 'The post is archived: only keys with posts:read_drafts see it.',
}

function ruleFor(post: Post, reader: Reader | undefined, now: Instant): VisibilityRule {
  if (reader && reader.revokedAt !== null && reader.revokedAt <= now) return 'key_revoked'
  if (reader && reader.expiresAt !== null && reader.expiresAt <= now) return 'key_expired'
  if (reader && !reader.scopes.includes('posts:read')) return 'scope_missing'
  if (post.deletedAt !== null) return 'trashed'
  if (post.status === 'published') return 'published'
  return seesDrafts(reader) ? 'read_drafts' : post.status
}

function since(rule: VisibilityRule, post: Post, past: PostPast, reader: Reader | undefined): Instant | null {
  if (rule === 'key_revoked') return reader?.revokedAt ?? null
  if (rule === 'key_expired') return reader?.expiresAt ?? null
  if (rule === 'scope_missing') return reader?.createdAt ?? null
  const so = seesDrafts(reader) ? (post.deletedAt ?? past.restoredAt ?? post.createdAt) : publiclySo(rule, post, past)
  return so !== null && reader && reader.createdAt > so ? reader.createdAt : so
}

/** Since when the post has been public, or hidden. */
function publiclySo(rule: VisibilityRule, post: Post, past: PostPast): Instant | null {
  if (rule === 'published') return past.appearedAt ?? post.publishedAt
  // One that was archived when it was created has a date of publication and was never public.
  const wasNeverPublic = post.firstPublishedAt === null || past.createdAt !== null
  return past.vanishedAt ?? (wasNeverPublic ? post.createdAt : null)
}

function until(rule: VisibilityRule, { scheduledFor }: Post, reader: Reader | undefined): Instant | null {
  const end = endOf(reader)
  if (rule === 'published' || rule === 'read_drafts') return end
  if (rule !== 'scheduled' || scheduledFor === null) return null
  return end !== null && end <= scheduledFor ? null : scheduledFor
}

/** When the key stops working, if that is known. */
function endOf(reader: Reader | undefined): Instant | null {
  const ends = [reader?.expiresAt, reader?.revokedAt].filter((end) => end !== null && end !== undefined)
  return ends.sort()[0] ?? null
}

function seesDrafts(reader: Reader | undefined): boolean {
  return reader?.scopes.includes('posts:read_drafts') ?? false
}
