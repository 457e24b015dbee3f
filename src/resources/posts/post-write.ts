import { type Caller, sightOf } from '../../actions/caller.ts'
import type { Change } from '../../actions/change-log/change.ts'
import { recordChanges } from '../../actions/change-log/change-log-store.ts'
import type { Tx } from '../../database/engine.ts'
import { countChanges, type Recounted } from '../../lists/post-count.ts'
import { changePostCounts } from '../../lists/post-count-store.ts'
import { newId, type PostId, type Random } from '../../values/ids.ts'
import { Problem } from '../../values/problems.ts'
import { randomSlug, slugBase } from '../../values/slug.ts'
import { createPost, isPublic, type Post, type PostChange, type PostEdits } from './post.ts'
import { findPostBody, toBodyAlone } from './post-body-store.ts'
import { insertFreshPost, insertPost } from './post-insert-store.ts'
import { savePost } from './post-save-store.ts'
import type { Post as PostBody } from './post-schema.ts'
import { claimFreeSlug, findFreeSlug, isSlugTaken, keepOldSlug } from './post-slug-store.ts'
import { keepRevisions } from './revisions/post-revision-store.ts'

/** How often a made slug is made again when somebody else takes it first; a hundred at once need a hundred at most. */
const maxSlugTries = 1_000

/** Puts a new post and its first revision in their places, under the slug given (409 where it is taken) or one made from the title. */
export async function insertNewPost(
  tx: Tx,
  caller: Caller,
  edits: PostEdits & { readonly title: string },
  random: Random,
): Promise<PostChange> {
  const id = newId('post', caller.now, random)
  const named = (slug: string) => createPost(id, { ...edits, slug }, caller.now)
  if (edits.slug !== undefined) {
    const change = named(edits.slug)
    if (!(await insertPost(tx, caller, change.post, random))) throw await slugConflict(tx, caller, edits.slug)
    return change
  }
  const base = slugBase(edits.title) || randomSlug('post', random)
  const first = named(base)
  if (await insertFreshPost(tx, caller, first.post, random)) return first
  for (let tries = 0; tries < maxSlugTries; tries++) {
    const change = named(await claimFreeSlug(tx, caller.projectId, base))
    if (await insertPost(tx, caller, change.post, random)) return change
  }
  throw new Problem('overloaded', 'Too many posts of this title are being created at once.', { headers: { 'retry-after': '1' } })
}

/** Writes an edited post; the slug it had redirects from now on, if the post was ever published. */
export async function saveEdited(tx: Tx, caller: Caller, before: Post, after: Post, random: Random): Promise<void> {
  const { projectId } = caller
  if (after.slug !== before.slug) {
    await requireFreeSlug(tx, caller, after.slug)
    if (before.firstPublishedAt !== null) await keepOldSlug(tx, projectId, before.slug, before.id)
  }
  await savePost(tx, projectId, before, after, random)
}

/** 409 `slug_conflict` where another post has the slug. */
export async function requireFreeSlug(tx: Tx, caller: Caller, slug: string): Promise<void> {
  if (await isSlugTaken(tx, sightOf(caller), slug)) throw await slugConflict(tx, caller, slug)
}

/** 409 with a slug that is free. */
async function slugConflict(tx: Tx, caller: Caller, slug: string): Promise<Problem> {
  const suggestion = await findFreeSlug(tx, caller.projectId, slug)
  return new Problem('slug_conflict', `The slug ${slug} belongs to another post; ${suggestion} is free.`, {
    errors: [{ pointer: '/slug', code: 'taken', detail: `${suggestion} is free.` }],
    members: { suggestion },
  })
}

/** What the making of a post ends with: its row in the log and its representation. */
export async function finishNew(tx: Tx, caller: Caller, change: PostChange): Promise<PostBody> {
  const body = toBodyAlone(change.post) ?? (await readBack(tx, caller, change.post.id))
  await logNews(tx, caller, [{ before: undefined, change }])
  return body
}

/** What every change of a post ends with: its revision, its row in the log and, of the post as it now is, the representation. */
export async function finishWrite(tx: Tx, caller: Caller, before: Post, change: PostChange): Promise<PostBody> {
  const body = toBodyAlone(change.post) ?? (await readBack(tx, caller, change.post.id))
  await logPostChange(tx, caller, before, change)
  return body
}

export async function logPostChange(tx: Tx, caller: Caller, before: Post | undefined, change: PostChange): Promise<void> {
  await logPostChanges(tx, caller, [{ before, change }])
}

/** A post as it was, if it was there, and what has become of it. */
export interface WrittenPost {
  readonly before: Post | undefined
  readonly change: PostChange
}

/** The same for several posts, in their order. */
export async function logPostChanges(tx: Tx, caller: Caller, written: readonly WrittenPost[]): Promise<void> {
  const heard = written.filter(({ change }) => change.news.length > 0)
  if (heard.length === 0) return
  const posts = heard.map(({ change }) => change.post)
  await keepRevisions(tx, caller, posts)
  await logNews(tx, caller, heard)
}

async function logNews(tx: Tx, caller: Caller, heard: readonly WrittenPost[]): Promise<void> {
  await recordChanges(tx, caller, heard.map(toLogEntry))
  await changePostCounts(tx, caller.projectId, countChanges(heard.map(toRecounted)))
}

export function toRecounted({ before, change }: WrittenPost): Recounted {
  return { before, after: change.post }
}

/** What the log says of a written post. */
export function toLogEntry({ before, change: { post, news } }: WrittenPost): Change {
  return {
    kind: 'post',
    id: post.id,
    version: post.version,
    news,
    publicBefore: before !== undefined && isPublic(before),
    publicAfter: isPublic(post),
  }
}

async function readBack(tx: Tx, caller: Caller, id: PostId): Promise<PostBody> {
  const body = await findPostBody(tx, sightOf(caller), id)
  if (!body) throw new Error('a post that was just written is not there')
  return body
}
