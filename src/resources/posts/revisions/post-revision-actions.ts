import type { Action } from '../../../actions/action.ts'
import { requireScope, sightOf } from '../../../actions/caller.ts'
import { requireVersion, type VersionCheck } from '../../../actions/if-match.ts'
import { notFound } from '../../../values/problems.ts'
import { editPost, goesOut } from '../post.ts'
import type { Post as PostBody } from '../post-schema.ts'
import { findPost } from '../post-store.ts'
import { finishWrite, saveEdited } from '../post-write.ts'
import { restoringEdits } from './post-revision.ts'
import { findReferences, findRevision } from './post-revision-read-store.ts'

interface Restoration {
  readonly idOrSlug: string
  readonly version: number
  readonly ifMatch: VersionCheck
}

/** Brings back what a post said in one of its versions, as a new version (contract §4.9). */
export const restoreRevision: Action<Restoration, PostBody> = {
  name: 'posts.restoreRevision',
  async run(tx, caller, { idOrSlug, version, ifMatch }, random) {
    const sight = sightOf(caller)
    const post = await findPost(tx, sight, idOrSlug)
    if (!post) throw notFound('post')
    if (goesOut(post.status)) requireScope(caller, 'posts:publish')
    const revision = await findRevision(tx, sight, post.id, version)
    if (!revision) throw notFound('revision')
    requireVersion('post', post.version, ifMatch)
    const { author, category } = await findReferences(tx, sight, revision.snapshot)
    const references = { authorId: author?.id ?? null, categoryId: category?.id ?? null }
    const change = editPost(post, restoringEdits(revision.snapshot, revision.content, references), caller.now)
    if (change.news.length > 0) await saveEdited(tx, caller, post, change.post, random)
    return finishWrite(tx, caller, post, change)
  },
}
