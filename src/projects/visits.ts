import { type Caller, operator, type Visit, withIncluded } from '../caller.ts'
import type { Db } from '../database/engine.ts'
import type { KeyId } from '../ids.ts'
import type { Instant } from '../instant.ts'
import { Problem } from '../problems.ts'
import { isToken, isValid, tokenHash } from './api-key.ts'
import { findKeyVisit, type KeyVisit } from './key-store.ts'

export interface VisitParts {
  readonly db: Db
  /** Publishes what is due in the project; false where that could not be kept. */
  settle(caller: Caller): Promise<boolean>
  noteUse(id: KeyId, at: Instant): void
}

/**
 * Makes the authentication of requests: one look-up tells whose key it is, how far the log is and whether posts are due. Due posts are
 * published first, so that nothing else in the program knows of them.
 */
export function authenticating({ db, settle, noteUse }: VisitParts): (token: string) => Promise<Visit> {
  return async (token) => {
    if (!isToken(token)) throw invalidKey()
    const hash = tokenHash(token)
    const found = await findKeyVisit(db, hash)
    if (!found || !isValid(found.key, found.now)) throw invalidKey()
    const { now } = found
    noteUse(found.key.id, now)
    if (found.nextDueAt === null || found.nextDueAt > now) return toVisit(found, now)
    const settled = await settle(operator(found.projectId, 'schedule', now))
    return toVisit((settled ? await findKeyVisit(db, hash) : undefined) ?? found, now)
  }
}

function toVisit({ key, projectId, revision, publicRevision }: KeyVisit, now: Instant): Visit {
  const caller: Caller = { projectId, actor: key.id, kind: key.kind, scopes: withIncluded(key.scopes), now }
  const seesAll = caller.scopes.includes('posts:read_drafts')
  return { caller, revision: seesAll ? revision : publicRevision }
}

function invalidKey(): Problem {
  const detail = 'The API key is unknown, revoked or expired.'
  return new Problem('invalid_key', detail, { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } })
}
