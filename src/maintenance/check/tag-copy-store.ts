import { sql } from 'kysely'
import type { Db, Tx } from '../../database/engine.ts'
import type { PostId, ProjectId } from '../../values/ids.ts'

/** Where tags repeat something else than their post says. */
const differs = sql<boolean>`
  (post_tags.status <> case when posts.deleted_at is null then posts.status else 'trashed' end or post_tags.published_at <> posts.published_at)
`

/** Posts of which tags repeat something wrong. */
export async function listWrongTagCopies(db: Db, projectId: ProjectId, most: number): Promise<readonly PostId[]> {
  const rows = await db
    .selectFrom('post_tags')
    .innerJoin('posts', (join) => join.onRef('posts.project_id', '=', 'post_tags.project_id').onRef('posts.id', '=', 'post_tags.post_id'))
    .select('posts.id')
    .distinct()
    .where('post_tags.project_id', '=', projectId)
    .where(differs)
    .limit(most)
    .execute()
  return rows.map((row) => row.id)
}

/** Makes what tags repeat of their posts what these say. Returns how many were wrong. */
export async function repairTagCopies(tx: Tx, projectId: ProjectId): Promise<number> {
  const { numAffectedRows } = await sql`
    update post_tags set status = case when posts.deleted_at is null then posts.status else 'trashed' end, published_at = posts.published_at
    from posts where posts.project_id = post_tags.project_id and posts.id = post_tags.post_id
      and post_tags.project_id = ${projectId} and ${differs}
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}
