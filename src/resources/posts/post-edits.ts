import { type Checked, isFaulty, readable } from '../../actions/validation/validated.ts'
import type { Db } from '../../database/engine.ts'
import type { ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import type { Fault } from '../../values/problems.ts'
import { isDue, type PostEdits, type Status } from './post.ts'
import { plainEdits } from './post-fields.ts'
import type { PostPatch } from './post-schema.ts'
import { findAuthorId, findCategoryId } from './post-store.ts'

export interface ReadEdits {
  readonly edits: PostEdits
  /** What is wrong with their meaning: unknown references, dates that do not fit the status. */
  readonly faults: readonly Fault[]
}

/** Turns what a body says into edits: titles trimmed, dates read, author and category found. `before` is the status that the post has now. */
export async function readEdits(
  db: Db,
  projectId: ProjectId,
  body: Checked<PostPatch>,
  at: { readonly before: Status | undefined; readonly now: Instant },
): Promise<ReadEdits> {
  const asked = readable(body)
  const author = await reference(asked.authorId, (id) => findAuthorId(db, projectId, id))
  const category = await reference(asked.categoryId, (idOrSlug) => findCategoryId(db, projectId, idOrSlug))
  const edits: PostEdits = {
    ...plainEdits(asked),
    ...(author.found !== undefined && { authorId: author.found }),
    ...(category.found !== undefined && { categoryId: category.found }),
  }
  const faults = [
    ...(author.missing ? [missing('/authorId', 'author')] : []),
    ...(category.missing ? [missing('/categoryId', 'category')] : []),
    ...(isFaulty(body, 'status') ? [] : dateFaults(at.before, edits, at.now)),
  ]
  return { edits, faults }
}

async function reference<I>(value: string | null | undefined, find: (value: string) => Promise<I | undefined>) {
  if (value === undefined || value === null) return { found: value, missing: false }
  const found = await find(value)
  return { found, missing: found === undefined }
}

function missing(pointer: string, what: string): Fault {
  return { pointer, code: 'not_found', detail: `There is no such ${what}.` }
}

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
