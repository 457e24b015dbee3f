import type { Action } from '../../actions/action.ts'
import { type Caller, sightOf } from '../../actions/caller.ts'
import { accepted, readable, type Validated } from '../../actions/validation/validated.ts'
import type { Tx } from '../../database/engine.ts'
import { isId, newId } from '../../values/ids.ts'
import { parseInstant } from '../../values/instant.ts'
import { type Fault, notFound, refuseFaults } from '../../values/problems.ts'
import { newToken, tokenHash } from '../../values/token.ts'
import { endFaults, endOf, maxPreviews, type Preview, previewPrefix, previewUrl } from './preview.ts'
import type { PreviewCreate } from './preview-schema.ts'
import {
  countPreviews,
  deleteExpiredPreviews,
  deletePreview,
  findLinkedPost,
  findSite,
  insertPreview,
  type LinkedPost,
} from './preview-store.ts'

/** A preview with its token, for the one moment in which it can be shown. */
type NewPreview = Preview & { readonly token: string; readonly url: string | null }

/** Makes a token that shows one post, whatever its status, to whoever has it. No change of content. */
export const createPreview: Action<{ readonly idOrSlug: string; readonly body: Validated<PreviewCreate> }, NewPreview> = {
  name: 'previews.create',
  async run(tx, caller, { idOrSlug, body }, random) {
    const { projectId, now } = caller
    const post = await requirePost(tx, caller, idOrSlug)
    const { name, expiresAt } = judged(body, caller)
    const shelf = { projectId, postId: post.id, now }
    await deleteExpiredPreviews(tx, shelf)
    if ((await countPreviews(tx, shelf)) >= maxPreviews)
      refuseFaults([fault('', 'too_many', `A post has at most ${maxPreviews} preview tokens; revoke one first.`)])
    const token = newToken(previewPrefix, random)
    const preview: Preview = { id: newId('prev', now, random), name, createdAt: now, expiresAt }
    await insertPreview(tx, shelf, preview, tokenHash(token))
    return { ...preview, token, url: previewUrl(await findSite(tx, projectId), post, token) }
  },
}

/** The token stops with the next request. */
export const revokePreview: Action<{ readonly idOrSlug: string; readonly id: string }, void> = {
  name: 'previews.revoke',
  async run(tx, caller, { idOrSlug, id }) {
    const { id: postId } = await requirePost(tx, caller, idOrSlug)
    const shelf = { projectId: caller.projectId, postId, now: caller.now }
    if (!isId('prev', id) || !(await deletePreview(tx, shelf, id))) throw notFound('preview token')
  },
}

async function requirePost(tx: Tx, caller: Caller, idOrSlug: string): Promise<LinkedPost> {
  const post = await findLinkedPost(tx, sightOf(caller), idOrSlug)
  if (!post) throw notFound('post')
  return post
}

/** What is asked for, or 422 naming all that is wrong with it. */
function judged(body: Validated<PreviewCreate>, { now }: Caller): Pick<Preview, 'name' | 'expiresAt'> {
  const asked = readable(body)
  const expiresAt = endOf({ expiresAt: asked.expiresAt ? parseInstant(asked.expiresAt) : undefined, expiresIn: asked.expiresIn }, now)
  const both = asked.expiresAt !== undefined && asked.expiresIn !== undefined
  const { name } = accepted(body, [
    ...endFaults(expiresAt, now),
    ...(both ? [fault('/expiresIn', 'conflict', 'expiresAt and expiresIn exclude each other.')] : []),
  ])
  return { name: name?.trim() ?? null, expiresAt }
}

function fault(pointer: string, code: string, detail: string): Fault {
  return { pointer, code, detail }
}
