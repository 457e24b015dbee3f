import type { Action } from '../../../actions/action.ts'
import type { Tx } from '../../../database/engine.ts'
import { newId, type PersonId, type Random } from '../../../values/ids.ts'
import { type Instant, later } from '../../../values/instant.ts'
import { notFound, Problem, refuseFaults } from '../../../values/problems.ts'
import { newToken, tokenHash } from '../../../values/token.ts'
import { type Role, roleScopes } from '../person.ts'
import { deleteSessions, forgetSignIn, savePassword, takeLink } from '../person-store.ts'
import type { SignInAttempt } from '../sign-in/failed-sign-in.ts'
import { addFailure, deleteOldFailures, forgetFailures } from '../sign-in/failed-sign-in-store.ts'
import { idleDays, isUseNews, type Session, sessionEnd, tokenEnd } from './session.ts'
import {
  deleteExpired,
  deleteSession,
  hasSession,
  holdPassword,
  holdRole,
  holdSession,
  insertSession,
  insertSessionToken,
  saveSessionUse,
} from './session-store.ts'

/** A new session with the token of its cookie, which is shown only once. */
export interface NewSession {
  readonly session: Session
  readonly token: string
}

/** Whose password was right, the hash that it was compared with, and from where. */
export interface Proof {
  readonly personId: PersonId
  readonly password: string
  readonly attempt: SignInAttempt
}

/** Signs in who has shown the right password. 401 if another was set while it was compared. */
export const signIn: Action<Proof, NewSession> = {
  name: 'sessions.sign-in',
  async run(tx, { now }, { personId, password, attempt }, random) {
    if ((await holdPassword(tx, personId)) !== password) throw wrongPassword()
    await forgetFailures(tx, attempt)
    return openSession(tx, personId, now, random)
  },
}

export const noteFailure: Action<SignInAttempt, void> = {
  name: 'sessions.fail',
  run: (tx, { now }, attempt) => addFailure(tx, attempt, now),
}

export const signOut: Action<{ readonly cookie: string }, void> = {
  name: 'sessions.sign-out',
  run: (tx, _, { cookie }) => deleteSession(tx, tokenHash(cookie)),
}

/** Sets a password by a one-time link, in place of all that the person signed in with, and signs in. */
export const usePasswordLink: Action<{ readonly link: string; readonly hash: string }, NewSession> = {
  name: 'sessions.password-by-link',
  async run(tx, { now }, { link, hash }, random) {
    const personId = (await takeLink(tx, tokenHash(link), now)) ?? refuseLink()
    await forgetSignIn(tx, personId)
    await savePassword(tx, personId, hash)
    return openSession(tx, personId, now, random)
  },
}

interface PasswordChange {
  readonly session: Session
  /** The hash that the password until now was compared with; null if there was none. */
  readonly before: string | null
  readonly hash: string
}

/** Sets another password, and ends every other session. Neither for a session that has ended meanwhile, nor over a password set meanwhile. */
export const changePassword: Action<PasswordChange, void> = {
  name: 'sessions.change-password',
  async run(tx, _, { session, before, hash }) {
    const password = await holdPassword(tx, session.personId)
    if (!(await hasSession(tx, session))) refuseSession()
    if (password !== before) refuseCurrent()
    await savePassword(tx, session.personId, hash)
    await deleteSessions(tx, session.personId, session.id)
  },
}

interface SessionToken {
  readonly token: string
  readonly expiresAt: Instant
  readonly scopes: (typeof roleScopes)[Role]
  readonly role: Role
}

/** A bearer token for one project. */
export const buyToken: Action<{ readonly cookie: string; readonly projectId: string }, SessionToken> = {
  name: 'sessions.buy-token',
  async run(tx, { now }, { cookie, projectId }, random) {
    const session = (await holdSession(tx, tokenHash(cookie), now)) ?? refuseSession()
    const found = await holdRole(tx, projectId, session.personId)
    if (!found) throw notFound('project')
    const token = newToken('verso_sess_', random)
    const expiresAt = tokenEnd(session, now)
    await insertSessionToken(tx, { hash: tokenHash(token), session, projectId: found.projectId, expiresAt })
    if (isUseNews(session, now)) await saveSessionUse(tx, session, now)
    return { token, expiresAt, scopes: roleScopes[found.role], role: found.role }
  },
}

/** Deletes sessions, tokens, links and failures that nobody needs any more. */
export const pruneSessions: Action<null, void> = {
  name: 'sessions.prune',
  async run(tx, { now }) {
    await deleteExpired(tx, now, later(now, -idleDays * 24 * 3_600_000))
    await deleteOldFailures(tx, now)
  },
}

export async function openSession(tx: Tx, personId: PersonId, now: Instant, random: Random): Promise<NewSession> {
  const token = newToken('verso_studio_', random)
  const session: Session = { id: newId('sess', now, random), personId, createdAt: now, expiresAt: sessionEnd(now), lastUsedAt: now }
  await insertSession(tx, session, tokenHash(token))
  return { session, token }
}

/** 401: nobody is signed in, or no longer. */
export function refuseSession(): never {
  throw new Problem('unauthenticated', 'Nobody is signed in here, or no longer; sign in.')
}

/** The same for an unknown name as for a wrong password. */
export function wrongPassword(): Problem {
  return new Problem('unauthenticated', 'The name or the password is not right.')
}

/** 422: what was given as the password until now is not. */
export function refuseCurrent(): never {
  refuseFaults([{ pointer: '/currentPassword', code: 'wrong', detail: 'This is not your password until now.' }])
  throw new Error('a fault was not refused')
}

/** 404 for a link that never was, was used or has expired, all alike. */
export function refuseLink(): never {
  throw new Problem('not_found', 'This link does not work any more. Ask an owner of the project for a new one.')
}
