import type { Action } from '../../actions/action.ts'
import { type Caller, sightOf } from '../../actions/caller.ts'
import { erasedWith } from '../../actions/idempotency/stored-response.ts'
import { accepted, readable, type Validated } from '../../actions/validation/validated.ts'
import type { Tx } from '../../database/engine.ts'
import { isId, newId, type PostId } from '../../values/ids.ts'
import { parseInstant } from '../../values/instant.ts'
import { type Fault, notFound, refuseFaults } from '../../values/problems.ts'
import { newToken, tokenHash } from '../../values/token.ts'
import { findSite } from '../site/site-store.ts'
import { expiryFaults, expiryOf, maxPreviews, type Preview, previewPrefix, previewUrl } from './preview.ts'
import type { PreviewCreate } from './preview-schema.ts'
import { countPreviews, deleteExpiredPreviews, deletePreview, findLinkedPost, insertPreview } from './preview-store.ts'

/** A preview token with its text, which can be shown only once. */
type NewPreview = Preview & { readonly token: string; readonly url: string | null; readonly [erasedWith]: PostId }

/** Creates a token that gives access to one post, whatever its status. This is no change of content. */
export const createPreview: Action<{ readonly idOrSlug: string; readonly body: Validated<PreviewCreate> }, NewPreview> = {
  name: 'previews.create',
  async run(tx, caller, { idOrSlug, body }, random) {
    const { projectId, now } = caller
    const post = await requirePost(tx, caller, idOrSlug)
    const { name, expiresAt } = validate(body, caller)
    const target = { projectId, postId: post.id, now }
    await deleteExpiredPreviews(tx, target)
    if ((await countPreviews(tx, target)) >= maxPreviews)
      refuseFaults([fault('', 'too_many', `A post has at most ${maxPreviews} preview tokens; revoke one first.`)])
    const token = newToken(previewPrefix, random)
    const preview: Preview = { id: newId('prev', now, random), name, createdAt: now, expiresAt }
    await insertPreview(tx, target, preview, tokenHash(token))
    const url = previewUrl(await findSite(tx, projectId), post, token)
    return { ...preview, token, url, [erasedWith]: post.id }
  },
}

/** Takes effect with the next request. */
export const revokePreview: Action<{ readonly idOrSlug: string; readonly id: string }, void> = {
  name: 'previews.revoke',
  async run(tx, caller, { idOrSlug, id }) {
    const { id: postId } = await requirePost(tx, caller, idOrSlug)
    const target = { projectId: caller.projectId, postId, now: caller.now }
    if (!isId('prev', id) || !(await deletePreview(tx, target, id))) throw notFound('preview token')
  },
}

async function requirePost(tx: Tx, caller: Caller, idOrSlug: string) {
  const post = await findLinkedPost(tx, sightOf(caller), idOrSlug)
  if (!post) throw notFound('post')
  return post
}

function validate(body: Validated<PreviewCreate>, { now }: Caller): Pick<Preview, 'name' | 'expiresAt'> {
  const request = readable(body)
  const expiresAt = expiryOf(
    { expiresAt: request.expiresAt ? parseInstant(request.expiresAt) : undefined, expiresIn: request.expiresIn },
    now,
  )
  const both = request.expiresAt !== undefined && request.expiresIn !== undefined
  const { name } = accepted(body, [
    ...expiryFaults(expiresAt, now),
    ...(both ? [fault('/expiresIn', 'conflict', 'expiresAt and expiresIn exclude each other.')] : []),
  ])
  return { name: name?.trim() ?? null, expiresAt }
}

function fault(pointer: string, code: string, detail: string): Fault {
  return { pointer, code, detail }
}
