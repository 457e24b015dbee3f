import { createHash } from 'node:crypto'
import type { Instant } from '../../../values/instant.ts'

/** What failures are counted for: an account from one address, everything from an address, and an account from everywhere. */
export interface SignInAttempt {
  readonly both: string
  readonly address: string
  readonly account: string
}

interface FailureCount {
  readonly failures: number
  readonly lastAt: Instant
}

export type FailureCounts = { readonly [K in keyof SignInAttempt]?: FailureCount }

/** Failures are forgotten this long after the last one. */
export const forgottenAfterMs = 15 * 60_000
/** Nobody waits longer than this for the next try. */
const longestWaitMs = 60_000

/** Tries without waiting. An address can be that of an office. */
const freeTries = { both: 5, address: 50 } as const
/** From this many failures on, wherever they came from, each address has one free try at the account. */
const underAttack = 20

/** The names under which failures are stored. They are hashed: what was typed as a name may have been a password. */
export function attemptOf(foldedName: string, address: string): SignInAttempt {
  const hashOf = (...parts: readonly string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  return { both: hashOf(foldedName, address), address: hashOf(address), account: hashOf(foldedName) }
}

/**
 * How long this attempt has to wait. An address that has not failed at an account always has a try, however many others fail: a right
 * password from elsewhere never waits for them (docs/decisions/0059-sessions.md).
 */
export function waitMs({ both, address, account }: FailureCounts, now: Instant): number {
  const isAttacked = (current(account, now)?.failures ?? 0) >= underAttack
  return Math.max(
    0,
    waitFor(current(both, now), isAttacked ? 1 : freeTries.both, now, isAttacked),
    waitFor(current(address, now), freeTries.address, now, false),
  )
}

function waitFor(count: FailureCount | undefined, free: number, now: Instant, isAttacked: boolean): number {
  if (count === undefined || count.failures < free) return 0
  const wait = isAttacked ? longestWaitMs : Math.min(longestWaitMs, 1_000 * 2 ** (count.failures - free))
  return Date.parse(count.lastAt) + wait - Date.parse(now)
}

function current(count: FailureCount | undefined, now: Instant): FailureCount | undefined {
  return count && Date.parse(count.lastAt) + forgottenAfterMs > Date.parse(now) ? count : undefined
}
