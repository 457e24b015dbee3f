import type { Action } from '../../actions/action.ts'
import { type Caller, requireScope, sightOf } from '../../actions/caller.ts'
import { isInLog, recordChange } from '../../actions/change-log/change-log-store.ts'
import { eraseResponsesWith } from '../../actions/idempotency/stored-response-store.ts'
import { requireVersion, type VersionCheck } from '../../actions/if-match.ts'
import { trashHorizon } from '../../actions/retention.ts'
import { accepted, readable, type Validated } from '../../actions/validation/validated.ts'
import type { Tx } from '../../database/engine.ts'
import { countChanges } from '../../lists/post-count.ts'
import { changePostCounts } from '../../lists/post-count-store.ts'
import { isId } from '../../values/ids.ts'
import { type Fault, notFound } from '../../values/problems.ts'
import { logPendingGone, takeUpPending } from './pending/pending-edit-actions.ts'
import { goesOut, isPublic, type Post, restorePost, trashPost } from './post.ts'
import { erasePost, savePost } from './post-save-store.ts'
import type { Post as PostBody, PostRestore } from './post-schema.ts'
import { keepFreeSlug, wasPublicAs } from './post-slug-store.ts'
import { findPost, findPostOrTrash, listExpiredPosts } from './post-store.ts'
import { finishWrite, logPostChange, requireFreeSlug } from './post-write.ts'
import { findFirstActor } from './revisions/post-revision-store.ts'

interface Deletion {
  readonly idOrSlug: string
  readonly ifMatch: VersionCheck
  /** Erases the post instead of moving it to the trash. */
  readonly permanent: boolean
}

/** Moves a post to the trash, or erases it. Deleting a deleted post by its id changes nothing. */
export const deletePost: Action<Deletion, void> = {
  name: 'posts.delete',
  async run(tx, caller, { idOrSlug, ifMatch, permanent }) {
    const post = await findForDeletion(tx, caller, idOrSlug)
    if (!post) return requirePast(tx, caller, idOrSlug)
    const inTrash = post.deletedAt !== null
    if (inTrash && !permanent) return
    if (!inTrash && goesOut(post.status)) requireScope(caller, 'posts:publish')
    if (!permanent && !caller.scopes.includes('posts:write')) await requireOwnDraft(tx, caller, post)
    requireVersion('post', post.version, ifMatch)
    if (permanent) return erase(tx, caller, post)
    const change = trashPost(post, caller.now)
    await savePost(tx, caller.projectId, post, change.post)
    await logPostChange(tx, caller, post, change)
    await logPendingGone(tx, caller, post)
  },
}

/** Restores a post from the trash; 409 if another post has taken its slug and no new one is given. */
export const restoreTrashed: Action<
  { readonly id: string; readonly ifMatch: VersionCheck; readonly body: Validated<PostRestore> },
  PostBody
> = {
  name: 'posts.restore',
  async run(tx, caller, { id, ifMatch, body }) {
    const post = isId('post', id) ? await findPostOrTrash(tx, sightOf(caller), id, caller.now) : undefined
    if (!post) throw notFound('post')
    if (goesOut(post.status)) requireScope(caller, 'posts:publish')
    requireVersion('post', post.version, ifMatch)
    const change = restorePost(post, accepted(body, idleFaults(post, body)), caller.now)
    if (change.news.length > 0) await putBack(tx, caller, post, change.post)
    if (change.news.length > 0) await takeUpPending(tx, caller, post)
    return finishWrite(tx, caller, post, change)
  },
}

/** Erases expired posts in the trash, and returns their number. No key could see them any more, so the log has no change. */
export const purgeTrash: Action<{ readonly most: number }, number> = {
  name: 'posts.purge',
  async run(tx, caller, { most }) {
    const ids = await listExpiredPosts(tx, caller.projectId, trashHorizon(caller.now), most)
    for (const id of ids) await erasePost(tx, caller.projectId, id)
    return ids.length
  },
}

/** What is asked for a post that is not in the trash would be dropped, unless the post has it: then the request was sent again. */
function idleFaults(post: Post, body: Validated<PostRestore>): readonly Fault[] {
  if (post.deletedAt !== null) return []
  const asked = Object.entries(readable(body)).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(post[field as keyof Post]),
  )
  const detail = (field: string) => `The post is not in the trash, and restoring it changes nothing; change its ${field} with PATCH.`
  return asked.map(([field]) => ({ pointer: `/${field}`, code: 'not_allowed', detail: detail(field) }))
}

/** An id also finds a post in the trash. A slug does not: the slugs of deleted posts are free. */
async function findForDeletion(tx: Tx, caller: Caller, idOrSlug: string): Promise<Post | undefined> {
  const sight = sightOf(caller)
  return isId('post', idOrSlug) ? findPostOrTrash(tx, sight, idOrSlug, caller.now) : findPost(tx, sight, idOrSlug)
}

/** 404, unless this is the id of a post that was deleted. */
async function requirePast(tx: Tx, caller: Caller, idOrSlug: string): Promise<void> {
  if (!isId('post', idOrSlug) || !(await isInLog(tx, caller.projectId, idOrSlug))) throw notFound('post')
}

/** A caller who may only propose can take back a new draft. */
async function requireOwnDraft(tx: Tx, caller: Caller, post: Post): Promise<void> {
  const isNew = post.status === 'draft' && post.version === 1 && !post.hasPendingEdit
  if (!isNew || (await findFirstActor(tx, caller.projectId, post.id)) !== caller.actor) requireScope(caller, 'posts:write')
}

async function erase(tx: Tx, caller: Caller, post: Post): Promise<void> {
  await logPendingGone(tx, caller, post)
  const erased = await erasePost(tx, caller.projectId, post.id)
  await eraseResponsesWith(tx, caller.projectId, post.id)
  await recordChange(tx, caller, {
    kind: 'post',
    id: post.id,
    version: post.version + 1,
    news: post.deletedAt === null ? ['post.deleted'] : [],
    publicBefore: isPublic(post),
    publicAfter: false,
  })
  await changePostCounts(tx, caller.projectId, countChanges([{ before: erased, after: undefined }]))
}

/** A post that comes back with a new slug leaves a redirect from the one that the public knew it by, unless a public post has that by now. */
async function putBack(tx: Tx, caller: Caller, before: Post, after: Post): Promise<void> {
  const { projectId } = caller
  await requireFreeSlug(tx, caller, after.slug)
  await savePost(tx, projectId, before, after)
  if (after.slug === before.slug || !(await wasPublicAs(tx, projectId, before))) return
  await keepFreeSlug(tx, projectId, before.slug, before.id)
}
