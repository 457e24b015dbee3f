import type { Perform } from '../../../actions/action.ts'
import type { Caller } from '../../../actions/caller.ts'
import type { Db } from '../../../database/engine.ts'
import { Problem } from '../../../values/problems.ts'
import type { Session } from '../sessions/session.ts'
import { noteFailure, type Proof, refuseCurrent } from '../sessions/session-actions.ts'
import { type Credentials, findPassword } from '../sessions/session-store.ts'
import { attemptOf, waitMs } from './failed-sign-in.ts'
import { findFailures } from './failed-sign-in-store.ts'
import type { Passwords } from './password.ts'

interface CheckParts {
  readonly db: Db
  readonly perform: Perform
  readonly passwords: Passwords
  act(): Promise<Caller>
}

/** A password, and whose it is said to be. */
interface Claim {
  /** Where it comes from. */
  readonly address: string
  /** What its failures are counted for. */
  readonly account: string
  readonly password: string
  /** Finds the password that is stored. */
  find(): Promise<Credentials | undefined>
}

/** Compares passwords with those that are stored. After failures, those who go on have to wait: 429. */
export interface PasswordCheck {
  /** Undefined if the password is not right. */
  prove(claim: Claim): Promise<Proof | undefined>
  /** The hash of the password of who is signed in, once they have typed it again, else 422; null where they have none. */
  requireCurrent(address: string, session: Session, typed: string): Promise<string | null>
}

export function openPasswordCheck({ db, perform, passwords, act }: CheckParts): PasswordCheck {
  const prove: PasswordCheck['prove'] = async ({ address, account, password, find }) => {
    const attempt = attemptOf(account, address)
    const refuseEarly = async () => requirePatience(waitMs(await findFailures(db, attempt), (await act()).now))
    await refuseEarly()
    // Failures are counted before the next password has its turn, so that no burst of tries gets through.
    return passwords.inTurn(address, async (matches) => {
      await refuseEarly()
      // Read in the turn: another may have been set while this one waited.
      const found = await find()
      const stored = found?.password ?? null
      const isRight = await matches(password, stored)
      if (isRight && found && stored !== null) return { personId: found.personId, password: stored, attempt }
      await perform(noteFailure, await act(), attempt)
      return undefined
    })
  }
  return {
    prove,
    async requireCurrent(address, { personId }, typed) {
      const find = async () => ({ personId, password: await findPassword(db, personId) })
      if ((await find()).password === null) return null
      return ((await prove({ address, account: personId, password: typed, find })) ?? refuseCurrent()).password
    },
  }
}

function requirePatience(ms: number): void {
  if (ms <= 0) return
  const seconds = Math.ceil(ms / 1_000)
  throw new Problem('rate_limited', `Too many sign-ins have failed; try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })
}
