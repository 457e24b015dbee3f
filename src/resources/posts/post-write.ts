import { type Caller, sightOf } from '../../actions/caller.ts'
import type { Change } from '../../actions/change-log/change.ts'
import { recordChanges } from '../../actions/change-log/change-log-store.ts'
import { claimSlug, type SlugClaim, slugConflict } from '../../actions/claim-slug.ts'
import type { Tx } from '../../database/engine.ts'
import { countChanges, type Recounted } from '../../lists/post-count.ts'
import { changePostCounts } from '../../lists/post-count-store.ts'
import { newId, type PostId, type ProjectId, type Random } from '../../values/ids.ts'
import { createPost, isPublic, type Post, type PostChange, type PostEdits } from './post.ts'
import { findPostBody, toBodyAlone } from './post-body-store.ts'
import { insertFreshPost, insertPost } from './post-insert-store.ts'
import { keepRevisions, savePost } from './post-save-store.ts'
import type { Post as PostBody } from './post-schema.ts'
import { claimFreeSlug, findFreeSlug, isSlugTaken, keepOldSlug, wasPublicAs } from './post-slug-store.ts'

/** Inserts a new post and its first revision, under the given slug (409 if it is taken) or one made from the title. */
export async function insertNewPost(
  tx: Tx,
  caller: Caller,
  edits: PostEdits & { readonly title: string },
  random: Random,
): Promise<PostChange> {
  const { projectId, now } = caller
  const id = newId('post', now, random)
  const insertAs = async (slug: string, insert: typeof insertPost) => {
    const change = createPost(id, { ...edits, slug }, now)
    return (await insert(tx, caller, change.post)) ? change : undefined
  }
  const claim: SlugClaim<PostChange> = {
    ...slugsOf(tx, projectId),
    slug: edits.slug,
    name: edits.title,
    insert: (slug) => insertAs(slug, insertPost),
    insertFree: async (base, tries) =>
      tries === 0 ? insertAs(base, insertFreshPost) : insertAs(await claimFreeSlug(tx, projectId, base), insertPost),
  }
  return claimSlug(claim, random)
}

function slugsOf(tx: Tx, projectId: ProjectId) {
  return { noun: 'post', findFree: (base: string) => findFreeSlug(tx, projectId, base) }
}

/** Saves an edited post. If the public ever saw it under its old slug, that becomes a redirect. */
export async function saveEdited(tx: Tx, caller: Caller, before: Post, after: Post): Promise<void> {
  const { projectId } = caller
  if (after.slug !== before.slug) {
    await requireFreeSlug(tx, caller, after.slug)
    if (isPublic(before) || (await wasPublicAs(tx, projectId, before))) await keepOldSlug(tx, projectId, before.slug, before.id)
  }
  await savePost(tx, projectId, before, after)
}

/** 409 `slug_conflict` if another post has the slug. */
export async function requireFreeSlug(tx: Tx, caller: Caller, slug: string): Promise<void> {
  if (await isSlugTaken(tx, sightOf(caller), slug)) throw await slugConflict(slugsOf(tx, caller.projectId), slug)
}

/** Logs a new post and returns its representation. */
export async function finishNew(tx: Tx, caller: Caller, change: PostChange): Promise<PostBody> {
  const body = toBodyAlone(change.post) ?? (await readBack(tx, caller, change.post.id))
  await logNews(tx, caller, [{ before: undefined, change }])
  return body
}

/** Stores the revision of a changed post, logs the change and returns the new representation. */
export async function finishWrite(tx: Tx, caller: Caller, before: Post, change: PostChange): Promise<PostBody> {
  const body = toBodyAlone(change.post) ?? (await readBack(tx, caller, change.post.id))
  await logPostChange(tx, caller, before, change)
  return body
}

export async function logPostChange(tx: Tx, caller: Caller, before: Post | undefined, change: PostChange): Promise<void> {
  await logPostChanges(tx, caller, [{ before, change }])
}

/** A post before it was written, unless it is new, and its change. */
export interface WrittenPost {
  readonly before: Post | undefined
  readonly change: PostChange
}

/** Logs several changes in this order. */
export async function logPostChanges(tx: Tx, caller: Caller, written: readonly WrittenPost[]): Promise<void> {
  const changed = written.filter(({ change }) => change.news.length > 0)
  if (changed.length === 0) return
  const posts = changed.map(({ change }) => change.post)
  await keepRevisions(tx, caller, posts)
  await logNews(tx, caller, changed)
}

async function logNews(tx: Tx, caller: Caller, changed: readonly WrittenPost[]): Promise<void> {
  await recordChanges(tx, caller, changed.map(toLogEntry))
  await changePostCounts(tx, caller.projectId, countChanges(changed.map(toRecounted)))
}

export function toRecounted({ before, change }: WrittenPost): Recounted {
  return { before, after: change.post }
}

/** The row in the log for a written post. */
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
  if (!body) throw new Error('a post that was just written is missing')
  return body
}
