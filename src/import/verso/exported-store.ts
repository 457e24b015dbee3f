import type { Db, Tx } from '../../database/engine.ts'
import { insertRows } from '../../database/insert-rows.ts'
import { withHash } from '../../database/row-hash.ts'
import type { ExportedTag } from '../../maintenance/export/export-format.ts'
import { findTagSlugs } from '../../resources/posts/post-tag-store.ts'
import { idFromName, type MediaId, type PostId, type ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'

/** Inserts tags under their slugs. A tag that exists stays, and one whose slug is taken is made later, under another. */
export async function insertTags(tx: Tx, projectId: ProjectId, tags: readonly ExportedTag[], now: Instant): Promise<number> {
  const known = await findTagSlugs(
    tx,
    projectId,
    tags.map(({ name }) => name),
  )
  const taken = await findTagsBySlug(
    tx,
    projectId,
    tags.map(({ slug }) => slug),
  )
  const added = tags.filter(({ name, slug }) => !known.has(name) && !taken.has(slug))
  const rows = added.map(({ name, slug }) =>
    withHash('tags', {
      project_id: projectId,
      id: idFromName('tag', projectId, name),
      folded: name,
      slug,
      description: null,
      created_at: now,
    }),
  )
  await insertRows(tx, 'tags', rows)
  return rows.length
}

async function findTagsBySlug(db: Db, projectId: ProjectId, slugs: readonly string[]): Promise<ReadonlySet<string>> {
  if (slugs.length === 0) return new Set()
  const rows = await db.selectFrom('tags').select('slug').where('project_id', '=', projectId).where('slug', 'in', slugs).execute()
  return new Set(rows.map(({ slug }) => slug))
}

/** Those of these posts or media records that are in the trash. */
export async function findTrashed(
  db: Db,
  projectId: ProjectId,
  { table, ids }: { readonly table: 'posts' | 'media'; readonly ids: readonly string[] },
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom(table)
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', 'in', ids as readonly (PostId & MediaId)[])
    .where('deleted_at', 'is not', null)
    .execute()
  return new Set<string>(rows.map(({ id }) => id))
}

/** The posts that have or had these slugs, by slug. */
export async function findSlugHolders(db: Db, projectId: ProjectId, slugs: readonly string[]): Promise<ReadonlyMap<string, PostId>> {
  if (slugs.length === 0) return new Map()
  const rows = await db
    .selectFrom('posts')
    .select(['slug', 'id'])
    .where('project_id', '=', projectId)
    .where('deleted_at', 'is', null)
    .where('slug', 'in', slugs)
    .execute()
  return new Map(rows.map(({ slug, id }) => [slug, id]))
}
