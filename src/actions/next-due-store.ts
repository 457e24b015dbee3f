import { type RawBuilder, sql } from 'kysely'
import type { Instant } from '../values/instant.ts'

/** Scheduled posts, outside the trash. */
const scheduledPosts = sql`posts where posts.status = 'scheduled' and posts.deleted_at is null`
/** Scheduled pending edits of posts outside the trash. */
const scheduledEdits = sql`pending_edits
  inner join posts on posts.project_id = pending_edits.project_id and posts.id = pending_edits.post_id
  where pending_edits.scheduled_for <> '' and posts.deleted_at is null`

/** When the first scheduled post or pending edit of the project is or was due. `project` is a column of the statement around it. */
export function nextDue(project: string): RawBuilder<Instant | null> {
  const id = sql.ref(project)
  return firstOf(sql`and posts.project_id = ${id}`, sql`and pending_edits.project_id = ${id}`)
}

/** The same for all projects together. */
export function firstDue(): RawBuilder<Instant | null> {
  return firstOf(sql``, sql``)
}

/** Whether something is due in a project. `project` is a column of the statement around it. */
export function hasDue(project: string, now: Instant): RawBuilder<boolean> {
  return sql`${sql.ref(project)} in (
    select posts.project_id from ${scheduledPosts} and posts.scheduled_for <= ${now}
    union select pending_edits.project_id from ${scheduledEdits} and pending_edits.scheduled_for <= ${now}
  )`
}

function firstOf(inPosts: RawBuilder<unknown>, inEdits: RawBuilder<unknown>): RawBuilder<Instant | null> {
  return sql`(select min(due) from (
    select min(posts.scheduled_for) as due from ${scheduledPosts} ${inPosts}
    union all select min(pending_edits.scheduled_for) from ${scheduledEdits} ${inEdits}
  ) as next_due)`
}
