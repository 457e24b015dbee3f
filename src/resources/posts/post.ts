import type { News } from '../../actions/change-log/change.ts'
import type { AuthorId, CategoryId, PostId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import { fold } from '../../values/letters/case-fold.ts'
import type { Fault } from '../../values/problems.ts'
import { byPath } from '../site/alias.ts'

export const statuses = ['draft', 'scheduled', 'published', 'archived'] as const
export type Status = (typeof statuses)[number]

interface Seo {
  readonly title: string | null
  readonly description: string | null
  readonly canonicalUrl: string | null
  readonly ogImage: string | null
}

export interface Post {
  readonly id: PostId
  readonly title: string
  readonly slug: string
  /** Markdown. */
  readonly content: string
  readonly excerpt: string | null
  readonly status: Status
  readonly publishedAt: Instant | null
  readonly scheduledFor: Instant | null
  /** When it was first published. A later publication without a date uses this one. */
  readonly firstPublishedAt: Instant | null
  readonly authorId: AuthorId | null
  readonly categoryId: CategoryId | null
  /** Whether there is an edit that is saved but not applied. */
  readonly hasPendingEdit: boolean
  readonly tags: readonly string[]
  /** Of these tags, in the same order. */
  readonly tagSlugs: readonly string[]
  /** Site paths that lead to the post, as given. */
  readonly aliases: readonly string[]
  readonly seo: Seo
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly version: number
  /** When it was moved to the trash. */
  readonly deletedAt: Instant | null
}

/** A tag of a post. */
export interface NamedTag {
  /** In the spelling of the post. */
  readonly name: string
  readonly slug: string
}

type Editable = 'title' | 'slug' | 'content' | 'excerpt' | 'status' | 'publishedAt' | 'scheduledFor' | 'authorId' | 'categoryId' | 'aliases'

/** What a create or an update changes, with dates parsed and references looked up. A missing field stays as it is; `null` clears it. */
export type PostEdits = Partial<Pick<Post, Editable>> & {
  /** Each tag once (`byFolded`). */
  readonly tags?: readonly NamedTag[]
  readonly seo?: Partial<Seo>
}

/** The result of a rule: the new state and its events. Without news, nothing has changed and nothing is written. */
export interface PostChange {
  readonly post: Post
  readonly news: readonly News<'post'>[]
}

export const noSeo: Seo = { title: null, description: null, canonicalUrl: null, ogImage: null }

/** A new post: a draft with the edits applied, in one version. */
export function createPost(id: PostId, edits: PostEdits & { readonly title: string; readonly slug: string }, now: Instant): PostChange {
  const blank: Post = {
    id,
    title: edits.title,
    slug: edits.slug,
    content: '',
    excerpt: null,
    status: 'draft',
    publishedAt: null,
    scheduledFor: null,
    firstPublishedAt: null,
    authorId: null,
    categoryId: null,
    hasPendingEdit: false,
    tags: [],
    tagSlugs: [],
    aliases: [],
    seo: noSeo,
    createdAt: now,
    updatedAt: now,
    version: 1,
    deletedAt: null,
  }
  const post = edited(blank, edits, now)
  return { post, news: ['post.created', ...statusNews(blank, post)] }
}

/** Changes a post. If the edits change nothing, its version and times stay. */
export function editPost(post: Post, edits: PostEdits, now: Instant): PostChange {
  const after = edited(post, edits, now)
  if (isSame(post, after)) return { post, news: [] }
  const news = statusNews(post, after)
  const more: News<'post'>[] = news.length === 0 || !isSame({ ...post, ...statusFields(after) }, after) ? ['post.updated'] : []
  return { post: nextVersion(after, now), news: [...news, ...more] }
}

/** Publishes a due post as of the time for which it was scheduled. */
export function publishScheduled(post: Post): PostChange {
  if (post.status !== 'scheduled' || post.scheduledFor === null) return { post, news: [] }
  const due = post.scheduledFor
  return { post: nextVersion(edited(post, { status: 'published', publishedAt: due }, due), due), news: ['post.published'] }
}

export function trashPost(post: Post, now: Instant): PostChange {
  if (post.deletedAt !== null) return { post, news: [] }
  return { post: nextVersion({ ...post, deletedAt: now }, now), news: ['post.deleted'] }
}

/** Restores a post from the trash. If its scheduled time has passed, it comes back as a draft. */
export function restorePost(post: Post, asked: Partial<Pick<Post, 'slug' | 'aliases'>>, now: Instant): PostChange {
  if (post.deletedAt === null) return { post, news: [] }
  const missed = post.scheduledFor !== null && isDue(post.scheduledFor, now)
  const back = edited({ ...post, deletedAt: null }, { ...asked, ...(missed && { status: 'draft' }) }, now)
  return { post: nextVersion(back, now), news: ['post.restored'] }
}

export function isPublic(post: Post): boolean {
  return post.status === 'published' && post.deletedAt === null
}

/** Published and scheduled posts go out. To bring a post into or out of such a status needs `posts:publish`. */
export function goesOut(status: Status): boolean {
  return status === 'published' || status === 'scheduled'
}

function isDue(scheduledFor: Instant, now: Instant): boolean {
  return scheduledFor <= now
}

/** Dates that do not fit the status. `before` is the status that the post has now; a new post has none. */
export function dateFaults(before: Status | undefined, edits: PostEdits, now: Instant): readonly Fault[] {
  const after = edits.status ?? before ?? 'draft'
  return [...publishedAtFaults(before, after, edits.publishedAt, now), ...scheduledForFaults(before, after, edits.scheduledFor, now)]
}

function publishedAtFaults(
  before: Status | undefined,
  after: Status,
  publishedAt: Instant | null | undefined,
  now: Instant,
): readonly Fault[] {
  if (publishedAt === undefined) return []
  if (publishedAt === null) {
    const cleared = after === 'published' && before === 'published'
    return cleared ? [fault('/publishedAt', 'required', 'A published post has a publishedAt; it cannot be cleared.')] : []
  }
  if (after !== 'published' && after !== 'archived') {
    return [fault('/publishedAt', 'not_allowed', `publishedAt goes with the status published or archived, not with ${after}.`)]
  }
  return publishedAt > now ? [fault('/publishedAt', 'in_the_future', 'publishedAt lies in the future; schedule the post instead.')] : []
}

function scheduledForFaults(
  before: Status | undefined,
  after: Status,
  scheduledFor: Instant | null | undefined,
  now: Instant,
): readonly Fault[] {
  if (after !== 'scheduled') {
    return scheduledFor ? [fault('/scheduledFor', 'not_allowed', `scheduledFor goes with the status scheduled, not with ${after}.`)] : []
  }
  if (scheduledFor) return isDue(scheduledFor, now) ? [fault('/scheduledFor', 'in_the_past', 'scheduledFor must lie in the future.')] : []
  const keeps = before === 'scheduled' && scheduledFor === undefined
  return keeps ? [] : [fault('/scheduledFor', 'required', 'The status scheduled needs a scheduledFor in the future.')]
}

function fault(pointer: string, code: string, detail: string): Fault {
  return { pointer, code, detail }
}

/** Tag names by their folded form, which tells whether two are the same tag. The first spelling is kept. */
export function byFolded(names: readonly string[]): ReadonlyMap<string, string> {
  const byForm = new Map<string, string>()
  for (const name of names) {
    const folded = fold(name.trim())
    if (!byForm.has(folded)) byForm.set(folded, name)
  }
  return byForm
}

function edited(post: Post, { seo, tags, aliases, status = post.status, ...fields }: PostEdits, now: Instant): Post {
  const plain = {
    ...post,
    ...fields,
    ...(tags && { tags: tags.map(({ name }) => name), tagSlugs: tags.map(({ slug }) => slug) }),
    ...(aliases && { aliases: [...byPath(aliases).values()] }),
    seo: { ...post.seo, ...seo },
  }
  const dates = datesIn(status, post, fields, now)
  return { ...plain, status, ...dates, firstPublishedAt: post.firstPublishedAt ?? dates.publishedAt }
}

/** The dates of each status: docs/reference/api.md#status. */
function datesIn(status: Status, post: Post, asked: Pick<PostEdits, 'publishedAt' | 'scheduledFor'>, now: Instant) {
  const { publishedAt, scheduledFor } = asked
  switch (status) {
    case 'draft':
      return { publishedAt: null, scheduledFor: null }
    case 'scheduled':
      return { publishedAt: null, scheduledFor: scheduledFor ?? post.scheduledFor }
    case 'published':
      return {
        publishedAt: publishedAt ?? (post.status === 'published' ? post.publishedAt : null) ?? post.firstPublishedAt ?? now,
        scheduledFor: null,
      }
    case 'archived':
      return { publishedAt: publishedAt === undefined ? post.publishedAt : publishedAt, scheduledFor: null }
  }
}

function statusNews(before: Post, after: Post): readonly News<'post'>[] {
  const news: News<'post'>[] = []
  if (before.status !== after.status) {
    if (before.status === 'published') news.push('post.unpublished')
    if (after.status === 'published') news.push('post.published')
    if (after.status === 'archived') news.push('post.archived')
  }
  if (after.status === 'scheduled' && before.scheduledFor !== after.scheduledFor) news.push('post.scheduled')
  return news
}

function statusFields({ status, publishedAt, scheduledFor, firstPublishedAt }: Post) {
  return { status, publishedAt, scheduledFor, firstPublishedAt }
}

function nextVersion(post: Post, now: Instant): Post {
  return { ...post, version: post.version + 1, updatedAt: now }
}

function isSame(a: Post, b: Post): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
