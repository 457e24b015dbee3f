import { sql } from 'kysely'
import type { Db, Tx } from '../../database/engine.ts'
import type { PostId, ProjectId } from '../../values/ids.ts'

/** Whether the log of a project has a gap, or does not end at its counter. */
export async function isLogBroken(db: Db, projectId: ProjectId): Promise<boolean> {
  const row = await db
    .selectFrom('project_state')
    .leftJoin('changes', (join) => join.on('changes.project_id', '=', projectId))
    .where('project_state.project_id', '=', projectId)
    .groupBy('project_state.revision')
    .select('project_state.revision')
    .select((eb) => [
      eb.fn.count<number | string>('changes.seq').as('rows'),
      eb.fn.min('changes.seq').as('first'),
      eb.fn.max('changes.seq').as('last'),
    ])
    .executeTakeFirst()
  if (!row) return false
  if (row.last === null) return Number(row.revision) !== 0
  return Number(row.last) !== Number(row.revision) || Number(row.rows) !== Number(row.last) - Number(row.first) + 1
}

/** Whether the public changes of a project are not numbered 1, 2, 3 …, or do not end at their counter. */
export async function isPublicLogBroken(db: Db, projectId: ProjectId): Promise<boolean> {
  const state = await db.selectFrom('project_state').select('public_revision').where('project_id', '=', projectId).executeTakeFirst()
  if (!state) return false
  const { rows } = await sql`
    select 1 from changes where project_id = ${projectId} and (public_seq is null) = (public_before = 1 or public_after = 1)
    union all
    select 1 from (
      select public_seq, lead(public_seq, 1, cast(${state.public_revision} as bigint) + 1) over (order by seq) as following
      from changes where project_id = ${projectId} and public_seq is not null
    ) as numbered where following <> public_seq + 1
    limit 1
  `.execute(db)
  return rows.length > 0
}

/** Posts that are missing or out of date in `search_posts` or the title index. None on engines without that table. */
export async function listMisnumberedPosts(db: Db, most: number): Promise<readonly PostId[]> {
  if (db.engine.invertedIndex !== 'fts5') return []
  const { rows } = await sql<{ id: PostId }>`
    select posts.id from posts left join search_posts as numbered on numbered.project_id = posts.project_id and numbered.id = posts.id
    left join search_titles_docsize as title on title.id = numbered.number
    where title.id is null or (numbered.status, numbered.published_at, numbered.deleted_at) is not (posts.status, posts.published_at, posts.deleted_at)
    union all
    select search_posts.id from search_posts left join posts on posts.project_id = search_posts.project_id and posts.id = search_posts.id
    where posts.id is null
    limit ${most}
  `.execute(db)
  return rows.map((row) => row.id)
}

/** A post's title, tags and aliases, and what is derived from them. */
export interface DerivedPost {
  readonly id: PostId
  readonly title: string
  readonly titleFolded: string
  /** JSON, as it is stored: a bit of it may have changed on the disk. */
  readonly tags: string
  /** The folded name and the spelling of each of its rows in `post_tags`, on two lines. */
  readonly indexed: readonly string[]
  /** JSON of what its rows in `post_aliases` should be; none in the trash. */
  readonly aliases: string
  /** The paths of its rows in `post_aliases`. */
  readonly paths: readonly string[]
}

/** The next `most` posts after an id, ordered by id. */
export async function listDerivedPosts(db: Db, projectId: ProjectId, after: string, most: number): Promise<readonly DerivedPost[]> {
  const rows = await db
    .selectFrom('posts')
    .select(['id', 'title', 'title_folded', 'tags', 'aliases', 'deleted_at'])
    .where('project_id', '=', projectId)
    .where(sql<boolean>`id > ${after}`)
    .orderBy('id')
    .limit(most)
    .execute()
  const last = rows.at(-1)
  if (!last) return []
  const indexed = await db
    .selectFrom('post_tags')
    .innerJoin('tags', (join) => join.on('tags.project_id', '=', projectId).onRef('tags.id', '=', 'post_tags.tag_id'))
    .select(['post_tags.post_id', 'post_tags.name', 'tags.folded'])
    .where('post_tags.project_id', '=', projectId)
    .where(sql<boolean>`post_tags.post_id > ${after}`)
    .where('post_tags.post_id', '<=', last.id)
    .execute()
  const held = await db
    .selectFrom('post_aliases')
    .select(['post_id', 'path'])
    .where('project_id', '=', projectId)
    .where(sql<boolean>`post_id > ${after}`)
    .where('post_id', '<=', last.id)
    .execute()
  const byPost = new Map<PostId, string[]>()
  const pathsOf = new Map<PostId, string[]>()
  for (const row of held) pathsOf.set(row.post_id, [...(pathsOf.get(row.post_id) ?? []), row.path])
  for (const row of indexed) byPost.set(row.post_id, [...(byPost.get(row.post_id) ?? []), `${row.folded}\n${row.name}`])
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    titleFolded: row.title_folded,
    tags: row.tags,
    indexed: byPost.get(row.id) ?? [],
    aliases: row.deleted_at === null ? row.aliases : '[]',
    paths: pathsOf.get(row.id) ?? [],
  }))
}

/** The tags whose status or date differs from that of their post. */
const differs = sql<boolean>`
  (post_tags.status <> case when posts.deleted_at is null then posts.status else 'trashed' end or post_tags.published_at <> posts.published_at)
`

/** Posts whose tags have another status or date than the post. */
export async function listWrongTagCopies(db: Db, projectId: ProjectId, most: number): Promise<readonly PostId[]> {
  const rows = await db
    .selectFrom('post_tags')
    .innerJoin('posts', (join) => join.on('posts.project_id', '=', projectId).onRef('posts.id', '=', 'post_tags.post_id'))
    .select('posts.id')
    .distinct()
    .where('post_tags.project_id', '=', projectId)
    .where(differs)
    .limit(most)
    .execute()
  return rows.map((row) => row.id)
}

/** Corrects the tags of at most `most` posts. Returns how many tags were wrong. */
export async function repairTagCopies(tx: Tx, projectId: ProjectId, most: number): Promise<number> {
  const ids = await listWrongTagCopies(tx, projectId, most)
  if (ids.length === 0) return 0
  const { numAffectedRows } = await sql`
    update post_tags set status = case when posts.deleted_at is null then posts.status else 'trashed' end, published_at = posts.published_at
    from posts where posts.project_id = ${projectId} and posts.id = post_tags.post_id
      and post_tags.project_id = ${projectId} and post_tags.post_id in (${sql.join(ids)}) and ${differs}
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}
