import type { Id, PersonId } from '../../../values/ids.ts'
import { type Instant, later } from '../../../values/instant.ts'

/** A signed-in browser. */
export interface Session {
  readonly id: Id<'sess'>
  readonly personId: PersonId
  readonly createdAt: Instant
  /** It ends then, used or not. */
  readonly expiresAt: Instant
  readonly lastUsedAt: Instant
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** How long a session lasts. */
const sessionDays = 30
/** … and how long if nobody uses it. */
export const idleDays = 7
/** How long a bearer token works that a session has bought. */
const sessionTokenMinutes = 15
/** The use of a session is stored no more often than this. */
const useMs = 5 * minuteMs

export function sessionEnd(now: Instant): Instant {
  return later(now, sessionDays * dayMs)
}

/** When a session ends unless it is used. */
export function endOf({ expiresAt, lastUsedAt }: Session): Instant {
  const idle = later(lastUsedAt, idleDays * dayMs)
  return idle < expiresAt ? idle : expiresAt
}

/** When a bearer token expires that the session buys now. */
export function tokenEnd(session: Session, now: Instant): Instant {
  const end = later(now, sessionTokenMinutes * minuteMs)
  return end < session.expiresAt ? end : session.expiresAt
}

/** Whether it is time to store that the session is in use. */
export function isUseNews({ lastUsedAt }: Session, now: Instant): boolean {
  return later(lastUsedAt, useMs) <= now
}
