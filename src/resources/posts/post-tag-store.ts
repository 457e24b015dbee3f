import type { Db, Tx } from '../../database/engine.ts'
import { insertRows } from '../../database/insert-rows.ts'
import { prepared } from '../../database/prepared.ts'
import { withHash } from '../../database/row-hash.ts'
import { bytesFrom, idFromName, type ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import { firstFreeSlug, randomSlug, slugBase, slugNeighbours } from '../../values/slug.ts'
import { byFolded, type NamedTag, type Post } from './post.ts'

/** Replaces the tags of a changed post. */
export async function retagPost(tx: Tx, projectId: ProjectId, post: Post): Promise<void> {
  await tx.deleteFrom('post_tags').where('project_id', '=', projectId).where('post_id', '=', post.id).execute()
  await tagPosts(tx, projectId, [post])
}

/** Updates the columns that the rows of a post's unchanged tags copy from it. */
export async function restampTags(tx: Tx, projectId: ProjectId, post: Post): Promise<void> {
  await tx.updateTable('post_tags').set(copiedFields(post)).where('project_id', '=', projectId).where('post_id', '=', post.id).execute()
}

/** The columns that `post_tags` copies from posts, so that lists by tag need no other table. */
function copiedFields({ status, publishedAt, deletedAt }: Post) {
  return { status: deletedAt === null ? status : ('trashed' as const), published_at: publishedAt ?? ('' as const) }
}

/** The tags with these names, each once, in the first spelling. New names become new tags. */
export async function tagsNamed(tx: Tx, projectId: ProjectId, names: readonly string[], now: Instant): Promise<readonly NamedTag[]> {
  const spellings = byFolded(names)
  const slugs = await slugsOfTags(tx, projectId, [...spellings.keys()], now)
  return [...spellings].map(([folded, name]) => ({ name, slug: slugs.get(folded) ?? '' }))
}

/** The slugs of tags, by folded name. New names become new tags. Repeats until all exist: another request may create one, or take its slug. */
export async function slugsOfTags(
  tx: Tx,
  projectId: ProjectId,
  folded: readonly string[],
  now: Instant,
): Promise<ReadonlyMap<string, string>> {
  let known = await findTagSlugs(tx, projectId, folded)
  while (known.size < folded.length) {
    for (const name of folded) {
      if (!known.has(name)) await makeTag(tx, projectId, name, now)
    }
    known = await findTagSlugs(tx, projectId, folded)
  }
  return known
}

/** Writes the tags of posts that have none yet. The tags exist: their slugs were looked up. */
export async function tagPosts(tx: Tx, projectId: ProjectId, posts: readonly Post[]): Promise<void> {
  const rows = posts.flatMap((post) =>
    [...byFolded(post.tags)].map(([folded, name]) => ({
      project_id: projectId,
      post_id: post.id,
      tag_id: idFromName('tag', projectId, folded),
      name: name.trim(),
      ...copiedFields(post),
    })),
  )
  await insertRows(tx, 'post_tags', rows)
}

/** The slugs of those of these tags that exist, by folded name. */
export async function findTagSlugs(db: Db, projectId: ProjectId, folded: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (folded.length === 0) return new Map()
  const rows = await existingTags(db, { projectId, folded })
  return new Map(rows.map((row) => [row.folded, row.slug]))
}

const existingTags = prepared((db, { projectId, folded }: { readonly projectId: ProjectId; readonly folded: readonly string[] }) =>
  db.selectFrom('tags').select(['folded', 'slug']).where('project_id', '=', projectId).where('folded', 'in', folded),
)

/** The tags with these names, each once, in the first spelling. Nothing is written: new names have the slugs that their tags would get. */
export async function findTagsNamed(db: Db, projectId: ProjectId, names: readonly string[]): Promise<readonly NamedTag[]> {
  const spellings = byFolded(names)
  const slugs = new Map(await findTagSlugs(db, projectId, [...spellings.keys()]))
  for (const folded of spellings.keys())
    if (!slugs.has(folded)) slugs.set(folded, await findFreeTagSlug(db, projectId, folded, new Set(slugs.values())))
  return [...spellings].map(([folded, name]) => ({ name, slug: slugs.get(folded) ?? '' }))
}

/** The slug of a new tag with this name. */
async function findFreeTagSlug(db: Db, projectId: ProjectId, folded: string, alsoTaken: ReadonlySet<string>): Promise<string> {
  const base = slugBase(folded) || randomSlug('tag', bytesFrom(projectId, folded))
  const [from, to] = slugNeighbours(base)
  const slugs = db.selectFrom('tags').select('slug').where('project_id', '=', projectId)
  // With `or`, SQLite would read all slugs of the project.
  const taken = await slugs
    .where('slug', '=', base)
    .unionAll(slugs.where('slug', '>=', from).where('slug', '<', to))
    .execute()
  return firstFreeSlug(base, new Set([...taken.map((row) => row.slug), ...alsoTaken]))
}

/** Everything of a tag comes from its name, so that it does not tell whether a hidden post had it first (docs/decisions/0045). */
async function makeTag(tx: Tx, projectId: ProjectId, folded: string, now: Instant): Promise<void> {
  const slug = await findFreeTagSlug(tx, projectId, folded, new Set())
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
