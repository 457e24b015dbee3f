import type { Sight } from '../../actions/caller.ts'
import { askEveryProject } from '../../actions/every-project.ts'
import { firstDue, projectsWithDue } from '../../actions/next-due-store.ts'
import { trashHorizon } from '../../actions/retention.ts'
import type { Db } from '../../database/engine.ts'
import { prepared } from '../../database/prepared.ts'
import { pendingEditColumn, trashedPosts, visiblePosts } from '../../lists/visible-posts.ts'
import { type AuthorId, type CategoryId, isId, type PostId, type ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import type { Post } from './post.ts'
import { toPost } from './post-fields.ts'

/** The post with this id or slug, as the rules need it, if the caller may see it. */
export async function findPost(db: Db, sight: Sight, idOrSlug: string): Promise<Post | undefined> {
  const column = isId('post', idOrSlug) ? 'posts.id' : 'posts.slug'
  return readOne(visiblePosts(db, sight).where(column, '=', idOrSlug), sight)
}

/** The post with this id, in the trash or not. */
export async function findPostOrTrash(db: Db, sight: Sight, id: PostId, now: Instant): Promise<Post | undefined> {
  const trash = trashedPosts(db, sight, trashHorizon(now)).where('posts.id', '=', id)
  return (await findPost(db, sight, id)) ?? readOne(trash, sight)
}

/** Due posts, in the order of their publication. */
export async function listDuePosts(db: Db, projectId: ProjectId, now: Instant, most: number): Promise<readonly Post[]> {
  const everything: Sight = { projectId, drafts: true, emails: false }
  const rows = await withContent(visiblePosts(db, everything), projectId)
    .where('posts.status', '=', 'scheduled')
    .where('posts.scheduled_for', '<=', now)
    .orderBy('posts.scheduled_for')
    .orderBy('posts.id')
    .limit(most)
    .execute()
  return rows.map(toPost)
}

/** Projects that have due posts or pending edits. */
export async function listProjectsWithDuePosts(db: Db, now: Instant): Promise<readonly ProjectId[]> {
  const { found } = await askEveryProject(db, async (projectId) => {
    const { rows } = await projectsWithDue(db, now, projectId).execute(db)
    return rows.map((row) => row.project_id)
  })
  return found
}

/** When the first scheduled post or pending edit of all projects is or was due, if there is one. */
export async function findFirstDue(db: Db): Promise<Instant | undefined> {
  const { found } = await askEveryProject(db, async (projectId) => {
    const row = await db.selectNoFrom(firstDue(db, projectId).as('due')).executeTakeFirst()
    return row?.due ? [row.due] : []
  })
  return [...found].sort()[0]
}

/** Posts deleted at `horizon` or before it. */
export async function listExpiredPosts(db: Db, projectId: ProjectId, horizon: Instant, most: number): Promise<readonly PostId[]> {
  const rows = await db
    .selectFrom('posts')
    .select('id')
    .where('project_id', '=', projectId)
    .where('deleted_at', '<=', horizon)
    .orderBy('deleted_at')
    .limit(most)
    .execute()
  return rows.map((row) => row.id)
}

/** How many of these posts there are, in the trash or not. */
export async function countPosts(db: Db, projectId: ProjectId, ids: readonly PostId[]): Promise<number> {
  const row = await db
    .selectFrom('posts')
    .select((eb) => eb.fn.countAll<number | string>().as('total'))
    .where('project_id', '=', projectId)
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow()
  return Number(row.total)
}

/** Joins the Markdown to posts, for rules and operators: whatever the caller may see, a post says whether it has a pending edit. */
export function withContent(posts: ReturnType<typeof visiblePosts>, projectId: ProjectId) {
  return posts
    .innerJoin('contents', (join) =>
      join
        .on('contents.project_id', '=', projectId)
        .onRef('contents.post_id', '=', 'posts.id')
        .onRef('contents.hash', '=', 'posts.content_hash'),
    )
    .selectAll('posts')
    .select(['contents.body', pendingEditColumn({ projectId, drafts: true })])
}

async function readOne(posts: ReturnType<typeof visiblePosts>, { projectId }: Sight): Promise<Post | undefined> {
  const row = await withContent(posts, projectId).executeTakeFirst()
  return row && toPost(row)
}

/** The author with this id, if the project has one. */
export async function findAuthorId(db: Db, projectId: ProjectId, id: string): Promise<AuthorId | undefined> {
  if (!isId('auth', id)) return undefined
  const [row] = await authorWith(db, { projectId, id })
  return row?.id
}

const authorWith = prepared((db, { projectId, id }: { readonly projectId: ProjectId; readonly id: AuthorId }) =>
  db.selectFrom('authors').select('id').where('project_id', '=', projectId).where('id', '=', id),
)

/** The category with this id or slug, if the project has one. */
export async function findCategoryId(db: Db, projectId: ProjectId, idOrSlug: string): Promise<CategoryId | undefined> {
  const [row] = await categoryWith(db, { projectId, idOrSlug }, isId('cat', idOrSlug) ? 'id' : 'slug')
  return row?.id
}

const categoryWith = prepared(
  (db, { projectId, idOrSlug }: { readonly projectId: ProjectId; readonly idOrSlug: string }, column: 'id' | 'slug') =>
    db.selectFrom('categories').select('id').where('project_id', '=', projectId).where(column, '=', idOrSlug),
)
