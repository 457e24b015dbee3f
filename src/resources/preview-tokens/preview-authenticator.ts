import { type Authenticated, type Caller, operator } from '../../actions/caller.ts'
import type { Db } from '../../database/engine.ts'
import { notFound } from '../../values/problems.ts'
import { isToken, tokenHash } from '../../values/token.ts'
import { previewPrefix } from './preview.ts'
import { lookUpPreview } from './preview-store.ts'

interface PreviewAuthenticatorParts {
  readonly db: Db
  /** Publishes what is due in the project. */
  publishDue(caller: Caller): Promise<boolean>
}

/**
 * Makes the look-up of preview tokens: an `Authenticated` that sees one post and nothing else. 404 where the token is nobody's, expired or revoked, in
 * the words for a post that is not there: whoever guesses learns nothing.
 */
export function openPreviewAuthenticator({ db, publishDue }: PreviewAuthenticatorParts): (token: string) => Promise<Authenticated> {
  return async (token) => {
    const found = isToken(token, [previewPrefix]) ? await lookUpPreview(db, tokenHash(token)) : undefined
    if (!found || found.expiresAt <= found.now) throw notFound('post')
    const { id, projectId, postId, now, nextDueAt } = found
    if (nextDueAt !== null && nextDueAt <= now) await publishDue(operator(projectId, 'schedule', now))
    const caller: Caller = { projectId, actor: id, kind: 'preview', scopes: ['posts:read'], now, onlyPost: postId }
    return { caller, revision: 0, view: id, state: undefined }
  }
}
