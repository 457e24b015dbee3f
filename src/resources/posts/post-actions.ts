import type { Action } from '../../actions/action.ts'
import { requireScope, sightOf } from '../../actions/caller.ts'
import { requireVersion, type VersionCheck } from '../../actions/if-match.ts'
import { accepted, type Checked, readable } from '../../actions/validation/validated.ts'
import { notFound } from '../../values/problems.ts'
import { editPost, goesOut } from './post.ts'
import { readEdits } from './post-edits.ts'
import type { Post as PostBody, PostCreate, PostPatch } from './post-schema.ts'
import { findPost } from './post-store.ts'
import { finishNew, finishWrite, insertNewPost, saveEdited } from './post-write.ts'

/** Creates a post. Its slug is the one given (409 where it is taken) or made from the title. */
export const createPost: Action<{ readonly body: Checked<PostCreate> }, PostBody> = {
  name: 'posts.create',
  async run(tx, caller, { body }, random) {
    const asked = readable(body)
    if (asked.status && goesOut(asked.status)) requireScope(caller, 'posts:publish')
    const { edits, faults } = await readEdits(tx, caller.projectId, body, { before: undefined, now: caller.now })
    const { title } = accepted(body, faults)
    const change = await insertNewPost(tx, caller, { ...edits, title: title.trim() }, random)
    return finishNew(tx, caller, change)
  },
}

/** Changes a post by a merge patch (RFC 7396): 404, 412, 422 and 409 are judged in this order. */
export const patchPost: Action<{ readonly idOrSlug: string; readonly ifMatch: VersionCheck; readonly body: Checked<PostPatch> }, PostBody> =
  {
    name: 'posts.patch',
    async run(tx, caller, { idOrSlug, ifMatch, body }, random) {
      const asked = readable(body)
      if (asked.status && goesOut(asked.status)) requireScope(caller, 'posts:publish')
      const post = await findPost(tx, sightOf(caller), idOrSlug)
      if (!post) throw notFound('post')
      if (goesOut(post.status)) requireScope(caller, 'posts:publish')
      requireVersion('post', post.version, ifMatch)
      const { edits, faults } = await readEdits(tx, caller.projectId, body, { before: post.status, now: caller.now })
      accepted(body, faults)
      const change = editPost(post, edits, caller.now)
      if (change.news.length > 0) await saveEdited(tx, caller, post, change.post, random)
      return finishWrite(tx, caller, post, change)
    },
  }
