import type { Action } from '../../../actions/action.ts'
import { requireScope, sightOf } from '../../../actions/caller.ts'
import { requireVersion, type VersionCheck } from '../../../actions/if-match.ts'
import { notFound } from '../../../values/problems.ts'
import { editPost, goesOut } from '../post.ts'
import { restoredFields } from '../post-fields.ts'
import type { Post as PostBody } from '../post-schema.ts'
import { findPost } from '../post-store.ts'
import { tagsNamed } from '../post-tag-store.ts'
import { finishWrite, saveEdited } from '../post-write.ts'
import { findReferences, findRevision } from './post-revision-store.ts'

interface Restoration {
  readonly idOrSlug: string
  readonly version: number
  readonly ifMatch: VersionCheck
}

/** Restores a revision of a post as a new version (docs/reference/api.md#revisions). */
export const restoreRevision: Action<Restoration, PostBody> = {
  name: 'posts.restoreRevision',
  async run(tx, caller, { idOrSlug, version, ifMatch }) {
    const sight = sightOf(caller)
    const post = await findPost(tx, sight, idOrSlug)
    if (!post) throw notFound('post')
    if (goesOut(post.status)) requireScope(caller, 'posts:publish')
    const revision = await findRevision(tx, sight, post, version)
    if (!revision) throw notFound('revision')
    requireVersion('post', post.version, ifMatch)
    const { author, category } = await findReferences(tx, sight, revision)
    const tags = await tagsNamed(tx, caller.projectId, revision.tags, caller.now)
    const references = { authorId: author?.id ?? null, categoryId: category?.id ?? null }
    const change = editPost(post, { ...restoredFields(revision), ...references, tags }, caller.now)
    if (change.news.length > 0) await saveEdited(tx, caller, post, change.post)
    return finishWrite(tx, caller, post, change)
  },
}
