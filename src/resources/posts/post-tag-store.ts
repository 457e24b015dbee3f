import type { Db, Tx } from '../../database/engine.ts'
import { insertRows } from '../../database/insert-rows.ts'
import { prepared } from '../../database/prepared.ts'
import { withHash } from '../../database/row-hash.ts'
import { bytesFrom, idFromName, type ProjectId, type TagId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import { firstFreeSlug, randomSlug, slugBase, slugNeighbours } from '../../values/slug.ts'
import { byFolded, type Post } from './post.ts'

/** Replaces the tags of a changed post. */
export async function retagPost(tx: Tx, projectId: ProjectId, post: Post): Promise<void> {
  await tx.deleteFrom('post_tags').where('project_id', '=', projectId).where('post_id', '=', post.id).execute()
  await tagPost(tx, projectId, post)
}

/** Updates the columns that the rows of a post's unchanged tags copy from it. */
export async function restampTags(tx: Tx, projectId: ProjectId, post: Post): Promise<void> {
  await tx.updateTable('post_tags').set(copiedFields(post)).where('project_id', '=', projectId).where('post_id', '=', post.id).execute()
}

/** The columns that `post_tags` copies from posts, so that lists by tag need no other table. */
function copiedFields({ status, publishedAt, deletedAt }: Post) {
  return { status: deletedAt === null ? status : ('trashed' as const), published_at: publishedAt ?? ('' as const) }
}

/** Writes the tags of a post that has none yet. New names become new tags. */
export async function tagPost(tx: Tx, projectId: ProjectId, post: Post): Promise<void> {
  await tagPosts(tx, projectId, [post])
}

/** Writes the tags of several new posts. */
export async function tagPosts(tx: Tx, projectId: ProjectId, posts: readonly Post[]): Promise<void> {
  const [first] = posts
  const names = byFolded(posts.flatMap((post) => post.tags))
  if (!first || names.size === 0) return
  const ids = await findOrMakeTags(tx, projectId, [...names.keys()], first.updatedAt)
  const rows = posts.flatMap((post) =>
    [...byFolded(post.tags)].map(([folded, name]) => ({
      project_id: projectId,
      post_id: post.id,
      tag_id: tagOf(ids, folded),
      name: name.trim(),
      ...copiedFields(post),
    })),
  )
  await insertRows(tx, 'post_tags', rows)
}

function tagOf(ids: ReadonlyMap<string, TagId>, folded: string): TagId {
  const id = ids.get(folded)
  if (id === undefined) throw new Error('a tag that was just created is missing')
  return id
}

/** Repeats until all tags exist: another request may create the same tag, or take its slug, at the same time. */
async function findOrMakeTags(tx: Tx, projectId: ProjectId, folded: readonly string[], now: Instant) {
  let known = await findTags(tx, projectId, folded)
  while (known.size < folded.length) {
    for (const name of folded) {
      if (!known.has(name)) await makeTag(tx, projectId, name, now)
    }
    known = await findTags(tx, projectId, folded)
  }
  return known
}

/** The existing tags among these folded names. */
export async function findTags(db: Db, projectId: ProjectId, folded: readonly string[]): Promise<ReadonlyMap<string, TagId>> {
  const rows = await tagsNamed(db, { projectId, folded })
  return new Map(rows.map((row) => [row.folded, row.id]))
}

const tagsNamed = prepared((db, { projectId, folded }: { readonly projectId: ProjectId; readonly folded: readonly string[] }) =>
  db.selectFrom('tags').select(['folded', 'id']).where('project_id', '=', projectId).where('folded', 'in', folded),
)

/** Everything of a tag comes from its name, so that it does not tell whether a hidden post had it first (docs/decisions/0045). */
async function makeTag(tx: Tx, projectId: ProjectId, folded: string, now: Instant): Promise<void> {
  const base = slugBase(folded) || randomSlug('tag', bytesFrom(projectId, folded))
  const [from, to] = slugNeighbours(base)
  const slugs = tx.selectFrom('tags').select('slug').where('project_id', '=', projectId)
  // With `or`, SQLite would read all slugs of the project.
  const taken = await slugs
    .where('slug', '=', base)
    .unionAll(slugs.where('slug', '>=', from).where('slug', '<', to))
    .execute()
  const slug = firstFreeSlug(base, new Set(taken.map((row) => row.slug)))
  await tx
    .insertInto('tags')
    .values(
      withHash('tags', {
        project_id: projectId,
        id: idFromName('tag', projectId, folded),
        folded,
        slug,
        description: null,
        created_at: now,
      }),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
