import { type Selectable, sql } from 'kysely'
import { askEveryProject } from '../../actions/every-project.ts'
import type { Db } from '../../database/engine.ts'
import type { PostTable, Tables } from '../../database/tables.ts'
import type { PostId, ProjectId } from '../../values/ids.ts'

export type PostRow = Selectable<PostTable>
export type RevisionRow = Selectable<Tables['post_revisions']>

/** Every project that the projects or their counters know. */
export async function listProjectIds(db: Db): Promise<readonly ProjectId[]> {
  const projects = await db.selectFrom('projects').select('id').execute()
  const { found: counters } = await askEveryProject(db, (projectId) =>
    db
      .selectFrom('project_state')
      .select('project_id as id')
      .$if(projectId !== undefined, (query) => query.where('project_id', '=', projectId as ProjectId))
      .execute(),
  )
  return [...new Set([...projects, ...counters].map(({ id }) => id))].sort()
}

/** Every post that the table of posts or that of revisions knows; reads only their indexes. */
export async function listPostIds(db: Db, projectId: ProjectId): Promise<readonly PostId[]> {
  const { rows } = await sql<{ id: PostId }>`
    select id from posts where project_id = ${projectId} union select post_id from post_revisions where project_id = ${projectId} order by id
  `.execute(db)
  return rows.map((row) => row.id)
}

export async function listPostRows(db: Db, projectId: ProjectId, ids: readonly PostId[]): Promise<readonly PostRow[]> {
  return db.selectFrom('posts').selectAll().where('project_id', '=', projectId).where('id', 'in', ids).execute()
}

export async function listRevisionRows(db: Db, projectId: ProjectId, ids: readonly PostId[]): Promise<readonly RevisionRow[]> {
  return db
    .selectFrom('post_revisions')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('post_id', 'in', ids)
    .orderBy('post_id')
    .orderBy('version')
    .execute()
}

export async function listContentSizes(db: Db, projectId: ProjectId, ids: readonly PostId[]) {
  return db
    .selectFrom('contents')
    .select(['post_id', 'hash', sql<number>`octet_length(body)`.as('size')])
    .where('project_id', '=', projectId)
    .where('post_id', 'in', ids)
    .execute()
}

export async function listContents(db: Db, projectId: ProjectId, wanted: readonly { readonly postId: PostId; readonly hash: string }[]) {
  return db
    .selectFrom('contents')
    .select(['post_id', 'hash', 'body'])
    .where('project_id', '=', projectId)
    .where((eb) => eb.or(wanted.map(({ postId, hash }) => eb.and([eb('post_id', '=', postId), eb('hash', '=', hash)]))))
    .execute()
}
