import type { Action } from '../../actions/action.ts'
import { type Caller, requireScope, sightOf } from '../../actions/caller.ts'
import { recordChange, wasEver } from '../../actions/change-log/change-log-store.ts'
import { eraseResponsesOf } from '../../actions/idempotency/stored-response-store.ts'
import { requireVersion, type VersionCheck } from '../../actions/if-match.ts'
import { trashHorizon } from '../../actions/retention.ts'
import { accepted, type Validated } from '../../actions/validation/validated.ts'
import type { Tx } from '../../database/engine.ts'
import { countChanges } from '../../lists/post-count.ts'
import { changePostCounts } from '../../lists/post-count-store.ts'
import { isId, type Random } from '../../values/ids.ts'
import { notFound } from '../../values/problems.ts'
import { goesOut, isPublic, type Post, restorePost, trashPost } from './post.ts'
import { erasePost, savePost } from './post-save-store.ts'
import type { Post as PostBody, PostRestore } from './post-schema.ts'
import { isSlugTaken, keepOldSlug } from './post-slug-store.ts'
import { findPost, findPostOrTrash, listExpiredPosts } from './post-store.ts'
import { finishWrite, logPostChange, requireFreeSlug } from './post-write.ts'

interface Deletion {
  readonly idOrSlug: string
  readonly ifMatch: VersionCheck
  /** Erased with all that only it has, instead of going into the trash. */
  readonly permanent: boolean
}

/** Puts a post into the trash, or erases it. Deleting by id what is gone already is no mistake. */
export const deletePost: Action<Deletion, void> = {
  name: 'posts.delete',
  async run(tx, caller, { idOrSlug, ifMatch, permanent }, random) {
    const post = await findForDeletion(tx, caller, idOrSlug)
    if (!post) return requirePast(tx, caller, idOrSlug)
    const inTrash = post.deletedAt !== null
    if (inTrash && !permanent) return
    if (!inTrash && goesOut(post.status)) requireScope(caller, 'posts:publish')
    requireVersion('post', post.version, ifMatch)
    if (permanent) return erase(tx, caller, post)
    const change = trashPost(post, caller.now)
    await savePost(tx, caller.projectId, post, change.post, random)
    await logPostChange(tx, caller, post, change)
  },
}

/** Brings a post back from the trash as it was; 409 where its slug is another's by now and no new one is given. */
export const restoreTrashed: Action<
  { readonly id: string; readonly ifMatch: VersionCheck; readonly body: Validated<PostRestore> },
  PostBody
> = {
  name: 'posts.restore',
  async run(tx, caller, { id, ifMatch, body }, random) {
    const post = isId('post', id) ? await findPostOrTrash(tx, sightOf(caller), id, caller.now) : undefined
    if (!post) throw notFound('post')
    if (goesOut(post.status)) requireScope(caller, 'posts:publish')
    requireVersion('post', post.version, ifMatch)
    const slug = accepted(body).slug ?? post.slug
    const change = restorePost(post, slug, caller.now)
    if (change.news.length > 0) await putBack(tx, caller, post, change.post, random)
    return finishWrite(tx, caller, post, change)
  },
}

/** Erases what has lain in the trash for its time. Nobody could see it any more, so it is no change to anybody. Returns how many there were. */
export const purgeTrash: Action<{ readonly most: number }, number> = {
  name: 'posts.purge',
  async run(tx, caller, { most }) {
    const ids = await listExpiredPosts(tx, caller.projectId, trashHorizon(caller.now), most)
    for (const id of ids) await erasePost(tx, caller.projectId, id)
    return ids.length
  },
}

/** By id a post is found in the trash too; a slug in there is free and leads to nothing. */
async function findForDeletion(tx: Tx, caller: Caller, idOrSlug: string): Promise<Post | undefined> {
  const sight = sightOf(caller)
  return isId('post', idOrSlug) ? findPostOrTrash(tx, sight, idOrSlug, caller.now) : findPost(tx, sight, idOrSlug)
}

/** 404 for what never was; what was, and is gone, is deleted as asked. */
async function requirePast(tx: Tx, caller: Caller, idOrSlug: string): Promise<void> {
  if (!isId('post', idOrSlug) || !(await wasEver(tx, caller.projectId, idOrSlug))) throw notFound('post')
}

async function erase(tx: Tx, caller: Caller, post: Post): Promise<void> {
  const erased = await erasePost(tx, caller.projectId, post.id)
  await eraseResponsesOf(tx, caller.projectId, post.id)
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

/** A once-published post that comes back under another slug leaves a redirect, where no post that all can see has the old one by now. */
async function putBack(tx: Tx, caller: Caller, before: Post, after: Post, random: Random): Promise<void> {
  const { projectId } = caller
  await requireFreeSlug(tx, caller, after.slug)
  await savePost(tx, projectId, before, after, random)
  if (after.slug === before.slug || before.firstPublishedAt === null) return
  const isPublicly = await isSlugTaken(tx, { projectId, drafts: false, emails: false }, before.slug)
  if (!isPublicly) await keepOldSlug(tx, projectId, before.slug, before.id)
}
