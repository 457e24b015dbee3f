import type { Action } from '../../actions/action.ts'
import { requireScope, sightOf } from '../../actions/caller.ts'
import { requireVersion, type VersionCheck } from '../../actions/if-match.ts'
import { accepted, isFaulty, readable, type Validated } from '../../actions/validation/validated.ts'
import type { Db, Tx } from '../../database/engine.ts'
import type { ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import { type Fault, notFound } from '../../values/problems.ts'
import { dateFaults, editPost, goesOut, type PostEdits, type Status } from './post.ts'
import { plainEdits } from './post-fields.ts'
import type { Post as PostBody, PostCreate, PostPatch } from './post-schema.ts'
import { findAuthorId, findCategoryId, findPost } from './post-store.ts'
import { tagsNamed } from './post-tag-store.ts'
import { finishNew, finishWrite, insertNewPost, saveEdited } from './post-write.ts'

/** Creates a post. Its slug is the given one (409 if it is taken) or made from the title. */
export const createPost: Action<{ readonly body: Validated<PostCreate> }, PostBody> = {
  name: 'posts.create',
  async run(tx, caller, { body }, random) {
    const asked = readable(body)
    if (asked.status !== undefined && asked.status !== 'draft') requireScope(caller, 'posts:write')
    if (asked.status && goesOut(asked.status)) requireScope(caller, 'posts:publish')
    const { edits, faults } = await readEdits(tx, caller.projectId, body, { before: undefined, now: caller.now })
    const { title } = accepted(body, faults)
    const change = await insertNewPost(tx, caller, { ...edits, title: title.trim() }, random)
    return finishNew(tx, caller, change)
  },
}

/** Changes a post by a merge patch (RFC 7396). Problems come in the order 404, 412, 422, 409. */
export const patchPost: Action<
  { readonly idOrSlug: string; readonly ifMatch: VersionCheck; readonly body: Validated<PostPatch> },
  PostBody
> = {
  name: 'posts.patch',
  async run(tx, caller, { idOrSlug, ifMatch, body }) {
    const asked = readable(body)
    if (asked.status && goesOut(asked.status)) requireScope(caller, 'posts:publish')
    const post = await findPost(tx, sightOf(caller), idOrSlug)
    if (!post) throw notFound('post')
    if (goesOut(post.status)) requireScope(caller, 'posts:publish')
    requireVersion('post', post.version, ifMatch)
    const { edits, faults } = await readEdits(tx, caller.projectId, body, { before: post.status, now: caller.now })
    accepted(body, faults)
    const change = editPost(post, edits, caller.now)
    if (change.news.length > 0) await saveEdited(tx, caller, post, change.post)
    return finishWrite(tx, caller, post, change)
  },
}

interface ReadEdits {
  readonly edits: PostEdits
  /** Faults that no schema finds: unknown references, dates that do not fit the status. */
  readonly faults: readonly Fault[]
}

/** Turns a body into edits and looks up its author, category and tags. `before` is the status that the post has now. */
async function readEdits(
  tx: Tx,
  projectId: ProjectId,
  body: Validated<PostPatch>,
  at: { readonly before: Status | undefined; readonly now: Instant },
): Promise<ReadEdits> {
  const asked = readable(body)
  const references = await findReferenceEdits(tx, projectId, asked)
  const edits: PostEdits = {
    ...plainEdits(asked),
    ...references.edits,
    ...(asked.tags !== undefined && { tags: await tagsNamed(tx, projectId, asked.tags ?? [], at.now) }),
  }
  return { edits, faults: [...references.faults, ...(isFaulty(body, 'status') ? [] : dateFaults(at.before, edits, at.now))] }
}

/** Looks up the author and the category that a body names. */
export async function findReferenceEdits(
  db: Db,
  projectId: ProjectId,
  asked: Pick<PostPatch, 'authorId' | 'categoryId'>,
): Promise<ReadEdits> {
  const author = await reference(asked.authorId, (id) => findAuthorId(db, projectId, id))
  const category = await reference(asked.categoryId, (idOrSlug) => findCategoryId(db, projectId, idOrSlug))
  return {
    edits: {
      ...(author.found !== undefined && { authorId: author.found }),
      ...(category.found !== undefined && { categoryId: category.found }),
    },
    faults: [
      ...(author.missing ? [missing('/authorId', 'author')] : []),
      ...(category.missing ? [missing('/categoryId', 'category')] : []),
    ],
  }
}

async function reference<I>(value: string | null | undefined, find: (value: string) => Promise<I | undefined>) {
  if (value === undefined || value === null) return { found: value, missing: false }
  const found = await find(value)
  return { found, missing: found === undefined }
}

function missing(pointer: string, what: string): Fault {
  return { pointer, code: 'not_found', detail: `There is no such ${what}.` }
}
