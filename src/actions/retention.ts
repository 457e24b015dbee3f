import { type Instant, later } from '../values/instant.ts'

/** How long deleted resources stay in the trash: docs/reference/api.md#trash. */
const trashDays = 30
const dayMs = 24 * 60 * 60 * 1000

/** What was deleted at this moment or before it is gone for good. */
export function trashHorizon(now: Instant): Instant {
  return later(now, -trashDays * dayMs)
}
