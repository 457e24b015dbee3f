import type { Sight } from '../../actions/caller.ts'
import type { Db } from '../../database/engine.ts'
import { visiblePosts } from '../../lists/visible-posts.ts'
import type { Author } from '../../resources/authors/author.ts'
import { findAuthors } from '../../resources/authors/author-store.ts'
import type { Category } from '../../resources/categories/category.ts'
import { findCategories } from '../../resources/categories/category-store.ts'
import type { Media } from '../../resources/media/media.ts'
import { presentMedia, toMedia } from '../../resources/media/media-store.ts'
import type { Post, Status } from '../../resources/posts/post.ts'
import { toPost } from '../../resources/posts/post-fields.ts'
import { withContent } from '../../resources/posts/post-store.ts'
import type { PostId, ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import type { ExportedTag } from './export-format.ts'

/** Rows in memory at once; each may have a content of 1 MiB. */
const maxRows = 50

/** Which posts are exported. */
export interface ExportFilter {
  /** All, if there is none. */
  readonly statuses?: readonly Status[] | undefined
  /** Only posts that were changed then or later. */
  readonly since?: Instant | undefined
}

export async function countExported(db: Db, sight: Sight, filter: ExportFilter): Promise<number> {
  const row = await filtered(db, sight, filter)
    .select((eb) => eb.fn.countAll().as('total'))
    .executeTakeFirst()
  return Number(row?.total ?? 0)
}

/** The posts in the order of their ids, in batches. */
export async function* listExported(db: Db, sight: Sight, filter: ExportFilter): AsyncGenerator<readonly Post[]> {
  let last: PostId | undefined
  for (;;) {
    const all = filtered(db, sight, filter)
    const next = last === undefined ? all : all.where('posts.id', '>', last)
    const rows = await withContent(next, sight.projectId).orderBy('posts.id').limit(maxRows).execute()
    if (rows.length === 0) return
    yield rows.map(toPost)
    last = rows.at(-1)?.id
  }
}

/** The slugs of all posts that an export without `since` would have. */
export async function listExportedSlugs(db: Db, sight: Sight, filter: ExportFilter): Promise<readonly string[]> {
  const rows = await filtered(db, sight, filter).select('posts.slug').execute()
  return rows.map(({ slug }) => slug)
}

/** Former slugs that redirect to these posts, by post. */
export async function listOldSlugs(db: Db, projectId: ProjectId, ids: readonly PostId[]): Promise<ReadonlyMap<PostId, readonly string[]>> {
  const rows = await db
    .selectFrom('old_slugs')
    .select(['post_id', 'slug'])
    .where('project_id', '=', projectId)
    .where('post_id', 'in', ids)
    .orderBy('slug')
    .execute()
  const byPost = new Map<PostId, readonly string[]>()
  for (const { post_id, slug } of rows) byPost.set(post_id, [...(byPost.get(post_id) ?? []), slug])
  return byPost
}

export async function listEveryAuthor(db: Db, sight: Sight): Promise<readonly Author[]> {
  const rows = await db.selectFrom('authors').select('id').where('project_id', '=', sight.projectId).execute()
  return inOrder(await inParts(rows, (ids) => findAuthors(db, { ...sight, emails: true }, ids)))
}

export async function listEveryCategory(db: Db, { projectId }: Sight): Promise<readonly Category[]> {
  const rows = await db.selectFrom('categories').select('id').where('project_id', '=', projectId).execute()
  return inOrder(await inParts(rows, (ids) => findCategories(db, projectId, ids)))
}

export async function listEveryMedia(db: Db, { projectId }: Sight): Promise<readonly Media[]> {
  const rows = await presentMedia(db, projectId).selectAll().orderBy('id').execute()
  return rows.map(toMedia)
}

/** The tags that posts outside the trash carry. */
export async function listTagsInUse(db: Db, { projectId }: Sight): Promise<readonly ExportedTag[]> {
  return db
    .selectFrom('tags')
    .select(['folded as name', 'slug'])
    .where('project_id', '=', projectId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('post_tags')
          .select('post_id')
          .where('post_tags.project_id', '=', projectId)
          .whereRef('post_tags.tag_id', '=', 'tags.id')
          .where('post_tags.status', '!=', 'trashed'),
      ),
    )
    .orderBy('folded')
    .execute()
}

function filtered(db: Db, sight: Sight, { statuses, since }: ExportFilter) {
  const all = visiblePosts(db, sight)
  const ofStatus = statuses ? all.where('posts.status', 'in', statuses) : all
  return since === undefined ? ofStatus : ofStatus.where('posts.updated_at', '>=', since)
}

/** SQLite takes 32,766 values in one statement. */
const maxIds = 10_000

async function inParts<T>(
  rows: readonly { readonly id: string }[],
  find: (ids: readonly string[]) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const found: T[] = []
  for (let from = 0; from < rows.length; from += maxIds) found.push(...(await find(rows.slice(from, from + maxIds).map(({ id }) => id))))
  return found
}

function inOrder<T extends { readonly id: string }>(records: readonly T[]): readonly T[] {
  return [...records].sort((a, b) => (a.id < b.id ? -1 : 1))
}
