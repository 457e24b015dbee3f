import { sql } from 'kysely'
import type { Sight } from '../actions/caller.ts'
import { defer, runDeferred } from '../database/deferred-writes.ts'
import type { Db, Tx } from '../database/engine.ts'
import { prepared, type Values } from '../database/prepared.ts'
import type { ProjectId } from '../values/ids.ts'
import { type CountChange, type CountKey, summed } from './post-count.ts'
import { statusesInSight } from './visible-posts.ts'

/** Rows of one statement. Each number of rows is compiled once and kept. */
const batch = 100

/**
 * Changes the counts of a project. It is deferred until after the revision counter of the project is locked, so writers never wait for each
 * other's counts and cannot deadlock.
 */
export async function changePostCounts(tx: Tx, projectId: ProjectId, changes: readonly CountChange[]): Promise<void> {
  await defer(tx, writeCounts, { projectId, changes })
}

async function writeCounts(tx: Tx, counted: readonly { readonly projectId: ProjectId; readonly changes: readonly CountChange[] }[]) {
  for (const projectId of new Set(counted.map((each) => each.projectId))) {
    const changes = summed(counted.flatMap((each) => (each.projectId === projectId ? each.changes : [])))
    await writeCountsOf(tx, projectId, changes)
  }
}

async function writeCountsOf(tx: Tx, projectId: ProjectId, changes: readonly CountChange[]): Promise<void> {
  for (let start = 0; start < changes.length; start += batch) {
    const rows = changes.slice(start, start + batch)
    await counted(tx, {
      projectId,
      dimensions: rows.map(({ dimension }) => dimension),
      refs: rows.map(({ ref }) => ref),
      statuses: rows.map(({ status }) => status),
      changes: rows.map(({ by }) => by),
    })
  }
}

/** The columns of several counts, one list for each column. */
interface Counted extends Values {
  readonly projectId: ProjectId
  readonly dimensions: readonly CountKey['dimension'][]
  readonly refs: readonly string[]
  readonly statuses: readonly CountKey['status'][]
  readonly changes: readonly number[]
}

const counted = prepared((tx: Tx, { projectId, dimensions, refs, statuses, changes }: Counted) =>
  tx
    .insertInto('post_counts')
    .values(
      dimensions.map((dimension, i) => ({
        project_id: projectId,
        dimension,
        ref: refs[i] as string,
        status: statuses[i] as CountKey['status'],
        posts: changes[i] as number,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'dimension', 'ref', 'status'])
        .doUpdateSet((eb) => ({ posts: eb('post_counts.posts', '+', eb.ref('excluded.posts')) })),
    ),
)

/** A subquery: how many posts the caller sees of the author, category or tag in a column. */
export function countOf(
  db: Db,
  sight: Sight,
  { dimension, column }: { readonly dimension: CountKey['dimension']; readonly column: string },
) {
  return db
    .selectFrom('post_counts')
    .select((eb) => eb.cast<number>(eb.fn.coalesce(eb.fn.sum('post_counts.posts'), eb.lit(0)), 'integer').as('posts'))
    .where('post_counts.project_id', '=', sight.projectId)
    .where('post_counts.dimension', '=', dimension)
    .where('post_counts.ref', '=', sql.ref<string>(column))
    .where('post_counts.status', 'in', statusesInSight(sight))
}

/** What has to be added to each wrong count. Empty if all are right. */
export async function listWrongCounts(db: Db, projectId: ProjectId): Promise<readonly CountChange[]> {
  await runDeferred(db)
  const { rows } = await sql<CountKey & { off: number | string }>`
    select dimension, ref, status, sum(posts) as off from (
      select dimension, ref, status, -posts as posts from post_counts where project_id = ${projectId}
      union all
      select 'all', '', status, count(*) from posts where project_id = ${projectId} and deleted_at is null group by status
      union all
      select 'author', author_id, status, count(*) from posts
      where project_id = ${projectId} and deleted_at is null and author_id is not null group by author_id, status
      union all
      select 'category', category_id, status, count(*) from posts
      where project_id = ${projectId} and deleted_at is null and category_id is not null group by category_id, status
      union all
      select 'day', substr(published_at, 1, 10), status, count(*) from posts
      where project_id = ${projectId} and deleted_at is null and published_at <> '' group by substr(published_at, 1, 10), status
      union all
      select 'tag', tags.folded, posts.status, count(*) from posts
      join post_tags on post_tags.project_id = ${projectId} and post_tags.post_id = posts.id
      join tags on tags.project_id = ${projectId} and tags.id = post_tags.tag_id
      where posts.project_id = ${projectId} and posts.deleted_at is null group by tags.folded, posts.status
    ) as counted
    group by dimension, ref, status having sum(posts) <> 0 order by dimension, ref, status
  `.execute(db)
  return rows.map(({ dimension, ref, status, off }) => ({ dimension, ref, status, by: Number(off) }))
}
