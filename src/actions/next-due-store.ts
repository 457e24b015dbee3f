import { type RawBuilder, sql } from 'kysely'
import type { ProjectId } from '../values/ids.ts'
import type { Instant } from '../values/instant.ts'

/** When the first scheduled post or pending edit of the project is or was due. `project` is a column of the statement around it. */
export function nextDue(project: string): RawBuilder<Instant | null> {
  return firstDue(sql.ref(project))
}

/** The same for a project that is known, so that a sharded database asks one server alone. */
export function nextDueIn(projectId: ProjectId): RawBuilder<Instant | null> {
  return firstDue(sql`${projectId}`)
}

/** The first one of the project, or of all projects. */
export function firstDue(project?: RawBuilder<unknown>): RawBuilder<Instant | null> {
  return sql`(select min(due) from (
    select min(posts.scheduled_for) as due from ${scheduledPosts(project)}
    union all select min(pending_edits.scheduled_for) from ${scheduledEdits(project)}
  ) as next_due)`
}

/** The projects in which something is due: of all, or of one. */
export function projectsWithDue(now: Instant, project?: RawBuilder<unknown>): RawBuilder<{ readonly project_id: ProjectId }> {
  return sql`
    select posts.project_id from ${scheduledPosts(project)} and posts.scheduled_for <= ${now}
    union select pending_edits.project_id from ${scheduledEdits(project)} and pending_edits.scheduled_for <= ${now}
  `
}

/** Scheduled posts, outside the trash. */
function scheduledPosts(project: RawBuilder<unknown> | undefined): RawBuilder<unknown> {
  return sql`posts where posts.status = 'scheduled' and posts.deleted_at is null${project ? sql` and posts.project_id = ${project}` : sql``}`
}

/** Scheduled pending edits of posts outside the trash. */
function scheduledEdits(project: RawBuilder<unknown> | undefined): RawBuilder<unknown> {
  const owner = project ?? sql`pending_edits.project_id`
  return sql`pending_edits
    inner join posts on posts.project_id = ${owner} and posts.id = pending_edits.post_id
    where pending_edits.scheduled_for <> '' and posts.deleted_at is null${project ? sql` and pending_edits.project_id = ${project}` : sql``}`
}
