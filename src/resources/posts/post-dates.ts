import type { Instant } from '../../values/instant.ts'
import type { Fault } from '../../values/problems.ts'
import { isDue, type PostEdits, type Status } from './post.ts'

/** What is wrong with the dates that an edit asks for, given the status that the post had (none before it exists). Contract §4.1, §4.5. */
export function dateFaults(before: Status | undefined, edits: PostEdits, now: Instant): readonly Fault[] {
  const after = edits.status ?? before ?? 'draft'
  return [...publishedAtFaults(before, after, edits.publishedAt, now), ...scheduledForFaults(before, after, edits.scheduledFor, now)]
}

function publishedAtFaults(
  before: Status | undefined,
  after: Status,
  publishedAt: Instant | null | undefined,
  now: Instant,
): readonly Fault[] {
  if (publishedAt === undefined) return []
  if (publishedAt === null) {
    const cleared = after === 'published' && before === 'published'
    return cleared ? [fault('/publishedAt', 'required', 'A published post has a publishedAt; it cannot be cleared.')] : []
  }
  if (after !== 'published' && after !== 'archived') {
    return [fault('/publishedAt', 'not_allowed', `publishedAt goes with the status published or archived, not with ${after}.`)]
  }
  return publishedAt > now ? [fault('/publishedAt', 'in_the_future', 'publishedAt lies in the future; schedule the post instead.')] : []
}

function scheduledForFaults(
  before: Status | undefined,
  after: Status,
  scheduledFor: Instant | null | undefined,
  now: Instant,
): readonly Fault[] {
  if (after !== 'scheduled') {
    return scheduledFor ? [fault('/scheduledFor', 'not_allowed', `scheduledFor goes with the status scheduled, not with ${after}.`)] : []
  }
  if (scheduledFor) return isDue(scheduledFor, now) ? [fault('/scheduledFor', 'in_the_past', 'scheduledFor must lie in the future.')] : []
  const keeps = before === 'scheduled' && scheduledFor === undefined
  return keeps ? [] : [fault('/scheduledFor', 'required', 'The status scheduled needs a scheduledFor in the future.')]
}

function fault(pointer: string, code: string, detail: string): Fault {
  return { pointer, code, detail }
}
