import type { Fault } from './fault.ts'

const walls = { caughtBy: 'projects-are-walls' } as const
const drafts = { caughtBy: 'drafts-do-not-exist' } as const
const scopes = { caughtBy: 'scopes-are-exact' } as const

export const accessFaults: readonly Fault[] = [
  {
    name: 'authors-of-any-project',
    file: 'src/resources/authors/author-store.ts',
    replace: ["db.selectFrom('authors').selectAll().where('authors.project_id', '=', projectId)", "db.selectFrom('authors').selectAll()"],
    ...walls,
  },
  {
    name: 'media-of-any-project',
    file: 'src/resources/media/media-store.ts',
    replace: [
      "db.selectFrom('media').where('project_id', '=', projectId).where('deleted_at', 'is', null)",
      "db.selectFrom('media').where('deleted_at', 'is', null)",
    ],
    ...walls,
  },
  {
    name: 'visibility-for-a-key-of-any-project',
    file: 'src/resources/posts/visibility/post-visibility-store.ts',
    replace: ["    .where('project_id', '=', projectId)\n    .where('id', '=', id)\n", "    .where('id', '=', id)\n"],
    ...walls,
  },
  {
    name: 'idempotency-over-all-keys',
    file: 'src/actions/idempotency/stored-response-store.ts',
    replace: ["    .where('key_id', '=', actor)\n", ''],
    ...walls,
  },
  {
    name: 'slugs-taken-in-any-project',
    file: 'src/resources/posts/post-slug-store.ts',
    replace: [
      "db.selectFrom('posts').select('slug').where('project_id', '=', projectId).where('deleted_at', 'is', null)",
      "db.selectFrom('posts').select('slug').where('deleted_at', 'is', null)",
    ],
    ...walls,
  },
  {
    name: 'revoked-key-in-the-cache',
    file: 'src/resources/projects/keys/authentication-cache.ts',
    replace: ['entries.get(token)?.find((each) => each.state === state)', 'entries.get(token)?.find((each) => each.state <= (state ?? 0))'],
    ...walls,
  },
  {
    name: 'response-cache-without-rights',
    file: 'src/http/cache/response-cache.ts',
    replace: ['nameOf({ view, url }: ResponseKey)', 'nameOf({ view: [view], url }: ResponseKey)'],
    ...drafts,
  },
  {
    name: 'response-cache-one-revision-too-long',
    file: 'src/http/cache/response-cache.ts',
    replace: ['if (entry?.revision !== revision) return undefined', 'if (!entry || entry.revision < revision - 1) return undefined'],
    ...drafts,
  },
  {
    name: 'counts-of-every-status',
    file: 'src/lists/post-count-store.ts',
    replace: ["    .where('post_counts.status', 'in', statusesInSight(sight))\n", ''],
    ...drafts,
  },
  {
    name: 'tags-spelled-by-drafts',
    file: 'src/resources/tags/tag-store.ts',
    replace: ["    .where('post_tags.status', 'in', statusesInSight(sight))\n", ''],
    ...drafts,
  },
  {
    name: 'search-totals-with-hidden-titles',
    file: 'src/resources/posts/list/plan-query.ts',
    replace: ['showsPublishedAlone(plan, sight) ? \'"HID"\' : \'"TRA"\'', '\'"TRA"\''],
    ...drafts,
  },
  {
    name: 'totals-with-drafts',
    file: 'src/resources/posts/list/post-list-store.ts',
    replace: [
      'names, statuses: statusesInSight(sight, status) }',
      'names, statuses: statusesInSight({ ...sight, drafts: true }, status) }',
    ],
    ...drafts,
  },
  {
    name: 'lists-by-tag-with-drafts',
    file: 'src/resources/posts/list/index-merge-store.ts',
    replace: ['?? statusesInSight(sight)', '?? statusesInSight({ ...sight, drafts: true })'],
    ...drafts,
  },
  {
    name: 'etag-of-the-secret-revision',
    file: 'src/resources/projects/keys/authenticator.ts',
    replace: ['revision: seesAll ? revision : publicRevision', 'revision'],
    ...drafts,
  },
  {
    name: 'feed-of-the-secret-revision',
    file: 'src/resources/changes/feed-store.ts',
    replace: ["drafts ? 'changes.seq' : 'changes.public_seq'", "drafts ? 'changes.seq' : 'changes.seq'"],
    ...drafts,
  },
  {
    name: 'redirects-to-drafts',
    file: 'src/resources/posts/post-slug-store.ts',
    replace: [
      "visiblePosts(db, sight)\n    .innerJoin('old_slugs'",
      "visiblePosts(db, { ...sight, drafts: true })\n    .innerJoin('old_slugs'",
    ],
    ...drafts,
  },
  {
    name: 'slugs-of-a-hidden-time-redirect',
    file: 'src/resources/posts/post-slug-store.ts',
    replace: ["past.slug === slug && past.status === 'published'", "past.slug !== '' && past.status === 'published'"],
    ...drafts,
  },
  {
    name: 'tag-slugs-of-their-first-use',
    file: 'src/resources/posts/post-tag-store.ts',
    replace: ['projectId, folded, new Set())', 'projectId, folded + now, new Set())'],
    ...drafts,
  },
  {
    name: 'revisions-without-read-drafts',
    file: 'src/resources/posts/revisions/post-revision-routes.ts',
    replace: ["reads('GET /v1/posts/:idOrSlug/revisions', 'posts:read_drafts'", "reads('GET /v1/posts/:idOrSlug/revisions', 'posts:read'"],
    ...scopes,
  },
  {
    name: 'scheduling-without-publish',
    file: 'src/resources/posts/post.ts',
    replace: ["return status === 'published' || status === 'scheduled'", "return status === 'published'"],
    ...scopes,
  },
  {
    name: 'erasing-without-delete',
    file: 'src/resources/posts/post-routes.ts',
    replace: ["'posts:delete' : 'posts:propose'", "'posts:write' : 'posts:propose'"],
    ...scopes,
  },
  {
    name: 'e-mail-for-all-readers',
    file: 'src/actions/caller.ts',
    replace: ["emails: caller.scopes.includes('authors:read_email')", "emails: caller.scopes.includes('authors:read')"],
    ...scopes,
  },
]
