import { type Instant, later } from '../values/instant.ts'

/** How long a deleted resource stays in the trash. */
const trashDays = 30
const dayMs = 24 * 60 * 60 * 1000

/** What was deleted at this instant or before it is erased for good. */
export function trashHorizon(now: Instant): Instant {
  return later(now, -trashDays * dayMs)
}
