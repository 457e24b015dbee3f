import { type Authenticated, type Caller, operator } from '../../actions/caller.ts'
import type { Db } from '../../database/engine.ts'
import { notFound } from '../../values/problems.ts'
import { isToken, tokenHash } from '../../values/token.ts'
import { previewPrefix } from './preview.ts'
import { lookUpPreview } from './preview-store.ts'

interface PreviewAuthenticatorParts {
  readonly db: Db
  /** Publishes the due posts of the project, unless that takes too long. */
  publishDueInTime(caller: Caller): Promise<boolean>
}

/**
 * Authenticates preview tokens. A token gives access to one post only. An unknown, expired or revoked token gets the same 404 as a post that
 * does not exist, so that guessing reveals nothing.
 */
export function openPreviewAuthenticator({ db, publishDueInTime }: PreviewAuthenticatorParts): (token: string) => Promise<Authenticated> {
  return async (token) => {
    const found = isToken(token, [previewPrefix]) ? await lookUpPreview(db, tokenHash(token)) : undefined
    if (!found || found.expiresAt <= found.now) throw notFound('post')
    const { id, projectId, postId, now, nextDueAt } = found
    if (nextDueAt !== null && nextDueAt <= now) await publishDueInTime(operator(projectId, 'schedule', now))
    const caller: Caller = { projectId, actor: id, kind: 'preview', scopes: ['posts:read'], now, onlyPost: postId }
    return { caller, revision: 0, view: id, state: undefined }
  }
}
