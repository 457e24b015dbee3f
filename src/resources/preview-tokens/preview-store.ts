import type { Selectable } from 'kysely'
import type { Sight } from '../../actions/caller.ts'
import type { Db, Tx } from '../../database/engine.ts'
import type { PreviewTokenTable } from '../../database/tables.ts'
import type { ListPlan } from '../../lists/list-spec.ts'
import { listPage, type Page } from '../../lists/page-query.ts'
import { orderTerms, type SortColumns } from '../../lists/sort-terms.ts'
import { visiblePosts } from '../../lists/visible-posts.ts'
import { isId, type PostId, type PreviewId, type ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import type { Site } from './permalink.ts'
import type { Preview, Previewed } from './preview.ts'
import type { previewList } from './preview-schema.ts'

/** A post as far as a link to it needs it. */
export interface LinkedPost {
  readonly id: PostId
  readonly slug: string
}

/** All that a request with a preview token needs to know first: what it opens, and when the project's next post is due. */
interface PreviewLookUp extends Previewed {
  readonly nextDueAt: Instant | null
  readonly now: Instant
}

/** A token does not say of which project it is: each is looked into by its index, so that the table can be spread over shards by project. */
export async function lookUpPreview(db: Db, hash: string): Promise<PreviewLookUp | undefined> {
  const row = await db
    .selectFrom('projects')
    .innerJoin('preview_tokens', 'preview_tokens.project_id', 'projects.id')
    .select(['preview_tokens.id', 'project_id', 'post_id', 'expires_at', db.engine.nowSql(db.engine.clock()).as('now')])
    .select((eb) =>
      eb
        .selectFrom('posts')
        .select((on) => on.fn.min('posts.scheduled_for').as('due'))
        .whereRef('posts.project_id', '=', 'preview_tokens.project_id')
        .where('posts.status', '=', 'scheduled')
        .where('posts.deleted_at', 'is', null)
        .as('next_due_at'),
    )
    .where('hash', '=', hash)
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      projectId: row.project_id,
      postId: row.post_id,
      expiresAt: row.expires_at,
      nextDueAt: row.next_due_at || null,
      now: row.now,
    }
  )
}

/** The post that a token is for, by id or slug; none where the caller may not see it. */
export async function findLinkedPost(db: Db, sight: Sight, idOrSlug: string): Promise<LinkedPost | undefined> {
  const column = isId('post', idOrSlug) ? 'posts.id' : 'posts.slug'
  return visiblePosts(db, sight).select(['posts.id', 'posts.slug']).where(column, '=', idOrSlug).executeTakeFirst()
}

export async function findSite(db: Db, projectId: ProjectId): Promise<Site> {
  const row = await db.selectFrom('projects').select(['site_url', 'permalink']).where('id', '=', projectId).executeTakeFirstOrThrow()
  return { siteUrl: row.site_url, permalink: row.permalink }
}

const sortColumns: SortColumns<(typeof previewList)['sorts'][number]> = {
  created_at: [{ column: 'created_at', type: 'text' }],
  expires_at: [{ column: 'expires_at', type: 'text' }],
}

interface Shelf {
  readonly projectId: ProjectId
  readonly postId: PostId
  readonly now: Instant
}

/** The tokens of a post that work at this moment. */
export async function listPreviews(db: Db, shelf: Shelf, plan: ListPlan<typeof previewList>): Promise<Page<Preview>> {
  const found = valid(db, shelf).selectAll()
  return listPage(found, plan, orderTerms('preview_tokens', plan.sort, sortColumns), toPreview)
}

export async function countPreviews(db: Db, shelf: Shelf): Promise<number> {
  const row = await valid(db, shelf)
    .select((eb) => eb.fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(row.total)
}

export async function insertPreview(tx: Tx, { projectId, postId }: Shelf, preview: Preview, hash: string): Promise<void> {
  const { id, name, createdAt, expiresAt } = preview
  await tx
    .insertInto('preview_tokens')
    .values({ project_id: projectId, id, post_id: postId, name, hash, created_at: createdAt, expires_at: expiresAt })
    .execute()
}

/** Whether there was such a token of this post. */
export async function deletePreview(tx: Tx, { projectId, postId }: Shelf, id: PreviewId): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('preview_tokens')
    .where('project_id', '=', projectId)
    .where('post_id', '=', postId)
    .where('id', '=', id)
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

/** Forgets the tokens of a post that work no more. */
export async function deleteExpiredPreviews(tx: Tx, { projectId, postId, now }: Shelf): Promise<void> {
  await tx
    .deleteFrom('preview_tokens')
    .where('project_id', '=', projectId)
    .where('post_id', '=', postId)
    .where('expires_at', '<=', now)
    .execute()
}

function valid(db: Db, { projectId, postId, now }: Shelf) {
  return db
    .selectFrom('preview_tokens')
    .where('preview_tokens.project_id', '=', projectId)
    .where('preview_tokens.post_id', '=', postId)
    .where('preview_tokens.expires_at', '>', now)
}

function toPreview(row: Selectable<PreviewTokenTable>): Preview {
  return { id: row.id, name: row.name, createdAt: row.created_at, expiresAt: row.expires_at }
}
