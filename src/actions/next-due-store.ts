import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database/engine.ts'
import type { ProjectId } from '../values/ids.ts'
import type { Instant } from '../values/instant.ts'

/** When the first scheduled post or pending edit of the project is or was due. `project` is a column of the statement around it. */
export function nextDue(project: string): RawBuilder<Instant | null> {
  return earliest(scheduledPosts(sql.ref(project)), scheduledEdits(sql.ref(project)))
}

/** The same for a project that is known, so that a sharded database asks one server alone. */
export function nextDueIn(projectId: ProjectId): RawBuilder<Instant | null> {
  return earliest(scheduledPosts(sql`${projectId}`), scheduledEdits(sql`${projectId}`))
}

/** The first one of a project, or of all projects. */
export function firstDue(db: Db, projectId?: ProjectId): RawBuilder<Instant | null> {
  return earliest(postsOf(db, projectId), scheduledEdits(projectId && sql`${projectId}`))
}

/** The projects in which something is due: of all, or of one. */
export function projectsWithDue(db: Db, now: Instant, projectId?: ProjectId): RawBuilder<{ readonly project_id: ProjectId }> {
  const edits = scheduledEdits(projectId && sql`${projectId}`)
  return sql`
    select distinct project_id from (
      select posts.project_id from ${postsOf(db, projectId)} and posts.scheduled_for <= ${now}
      union all select pending_edits.project_id from ${edits} and pending_edits.scheduled_for <= ${now}
    ) as due
  `
}

function earliest(posts: RawBuilder<unknown>, edits: RawBuilder<unknown>): RawBuilder<Instant | null> {
  return sql`(select min(due) from (
    select min(posts.scheduled_for) as due from ${posts}
    union all select min(pending_edits.scheduled_for) from ${edits}
  ) as next_due)`
}

/** Scheduled posts of a project, or of all. For all, SQLite is told to use the index that has no other posts: it would go through every post. */
function postsOf({ engine }: Db, projectId: ProjectId | undefined): RawBuilder<unknown> {
  if (projectId !== undefined) return scheduledPosts(sql`${projectId}`)
  return scheduledPosts(undefined, engine.invertedIndex === 'fts5' ? sql`posts indexed by posts_due` : sql`posts`)
}

/** Scheduled posts, outside the trash. */
function scheduledPosts(project: RawBuilder<unknown> | undefined, posts = sql`posts`): RawBuilder<unknown> {
  const ofProject = project ? sql` and posts.project_id = ${project}` : sql``
  return sql`${posts} where posts.status = 'scheduled' and posts.deleted_at is null${ofProject}`
}

/** Scheduled pending edits of posts outside the trash. */
function scheduledEdits(project: RawBuilder<unknown> | undefined): RawBuilder<unknown> {
  const owner = project ?? sql`pending_edits.project_id`
  return sql`pending_edits
    inner join posts on posts.project_id = ${owner} and posts.id = pending_edits.post_id
    where pending_edits.scheduled_for <> '' and posts.deleted_at is null${project ? sql` and pending_edits.project_id = ${project}` : sql``}`
}
