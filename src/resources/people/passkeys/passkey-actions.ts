import type { Action } from '../../../actions/action.ts'
import type { Tx } from '../../../database/engine.ts'
import type { PersonId } from '../../../values/ids.ts'
import { type Instant, later } from '../../../values/instant.ts'
import { notFound, Problem, refuseFaults } from '../../../values/problems.ts'
import { tokenHash } from '../../../values/token.ts'
import { forgetSignIn, takeLink } from '../person-store.ts'
import type { Session } from '../sessions/session.ts'
import { type NewSession, openSession, refuseLink, refuseSession } from '../sessions/session-actions.ts'
import { hasSession, holdPassword } from '../sessions/session-store.ts'
import {
  deletePasskey,
  insertChallenge,
  insertPasskey,
  listPasskeyIds,
  type Passkey,
  savePasskeyUse,
  takeChallenge,
} from './passkey-store.ts'

/** How long a person may take to touch their key. */
export const challengeMinutes = 5
const challengeBytes = 32
/** Challenges that are open at the same moment: all to sign in, which anybody may ask for, and those of one person to add a passkey. */
const maxChallenges = { signIn: 10_000, person: 20 } as const
const maxPasskeys = 20

/** A random challenge, base64url. */
export const askForPasskey: Action<{ readonly personId: PersonId | null }, string> = {
  name: 'passkeys.challenge',
  async run(tx, { now }, { personId }, random) {
    const challenge = Buffer.from(random(challengeBytes)).toString('base64url')
    const expiresAt = later(now, challengeMinutes * 60_000)
    const most = personId === null ? maxChallenges.signIn : maxChallenges.person
    await insertChallenge(tx, { hash: tokenHash(challenge), personId, expiresAt }, now, most)
    return challenge
  },
}

/** Whom the challenge was made for: undefined if it never was, is used up or has expired. */
export const useChallenge: Action<{ readonly challenge: string }, { readonly personId: PersonId | null } | undefined> = {
  name: 'passkeys.use-challenge',
  run: (tx, { now }, { challenge }) => takeChallenge(tx, tokenHash(challenge), now),
}

type NewPasskey = Omit<Passkey, 'createdAt'>

/** Adds a passkey for who is signed in, unless their session has ended meanwhile. */
export const addPasskey: Action<{ readonly session: Session; readonly passkey: NewPasskey }, void> = {
  name: 'passkeys.add',
  async run(tx, { now }, { session, passkey }) {
    await holdPassword(tx, session.personId)
    if (!(await hasSession(tx, session))) refuseSession()
    await insertNew(tx, passkey, now)
  },
}

async function insertNew(tx: Tx, passkey: NewPasskey, now: Instant): Promise<void> {
  if ((await listPasskeyIds(tx, passkey.personId)).length >= maxPasskeys)
    refuseFaults([{ pointer: '', code: 'too_many', detail: `A person has at most ${maxPasskeys} passkeys; delete one first.` }])
  if (!(await insertPasskey(tx, { ...passkey, createdAt: now })))
    refuseFaults([{ pointer: '/response/id', code: 'taken', detail: 'This passkey is here already.' }])
}

/** Sets a passkey by a one-time link, in place of all that the person signed in with, and signs in. */
export const usePasskeyLink: Action<{ readonly link: string; readonly passkey: NewPasskey }, NewSession> = {
  name: 'passkeys.add-by-link',
  async run(tx, { now }, { link, passkey }, random) {
    const personId = await takeLink(tx, tokenHash(link), now)
    if (personId === undefined || personId !== passkey.personId) refuseLink()
    await forgetSignIn(tx, personId)
    await insertNew(tx, passkey, now)
    return openSession(tx, personId, now, random)
  },
}

/** 401 if the passkey was deleted while it was checked. */
export const signInByPasskey: Action<{ readonly passkey: Passkey; readonly counter: number }, NewSession> = {
  name: 'passkeys.sign-in',
  async run(tx, { now }, { passkey, counter }, random) {
    await holdPassword(tx, passkey.personId)
    if (!(await savePasskeyUse(tx, passkey.id, counter, now))) throw unknownPasskey()
    return openSession(tx, passkey.personId, now, random)
  },
}

/** A person without a password keeps a passkey: they could not sign in again. */
export const removePasskey: Action<{ readonly session: Session; readonly id: string }, void> = {
  name: 'passkeys.remove',
  async run(tx, _, { session: { personId }, id }) {
    // Of two that are deleted at the same moment, the later one sees what is left.
    const password = await holdPassword(tx, personId)
    if (!(await deletePasskey(tx, personId, id))) throw notFound('passkey')
    if (password !== null || (await listPasskeyIds(tx, personId)).length > 0) return
    refuseFaults([
      { pointer: '', code: 'not_allowed', detail: 'This is all that you sign in with; set a password or add a passkey first.' },
    ])
  },
}

export function unknownPasskey(): Problem {
  return new Problem('unauthenticated', 'This passkey is not known here, or took too long; try again, or sign in with a password.')
}
