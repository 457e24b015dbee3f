import { type Instant, later } from '../values/instant.ts'

/** How long a deleted resource stays in the trash. */
const trashDays = 30
const dayMs = 24 * 60 * 60 * 1000

/** Resources deleted at this instant or before are erased. */
export function trashHorizon(now: Instant): Instant {
  return later(now, -trashDays * dayMs)
}
