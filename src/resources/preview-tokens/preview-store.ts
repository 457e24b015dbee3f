import type { Selectable } from 'kysely'
import type { Sight } from '../../actions/caller.ts'
import { findProgress } from '../../actions/change-log/change-log-store.ts'
import { askEveryProject } from '../../actions/every-project.ts'
import { nextDue } from '../../actions/next-due-store.ts'
import { type Db, partUnavailable, type Tx } from '../../database/engine.ts'
import { withHash } from '../../database/row-hash.ts'
import type { PreviewTokenTable } from '../../database/tables/preview-token-table.ts'
import type { ListPlan } from '../../lists/list-spec.ts'
import { listPage, type Page } from '../../lists/page-query.ts'
import { orderTerms, type SortColumns } from '../../lists/sort-terms.ts'
import { visiblePosts } from '../../lists/visible-posts.ts'
import { isId, type PostId, type PreviewId, type ProjectId } from '../../values/ids.ts'
import type { Instant } from '../../values/instant.ts'
import type { LinkedPost } from '../site/site.ts'
import type { Preview, PreviewAccess } from './preview.ts'
import type { previewList } from './preview-schema.ts'

/** What authentication by preview token needs: the post it opens, and when the next post of the project is due. */
interface PreviewLookUp extends PreviewAccess {
  readonly nextDueAt: Instant | null
  readonly now: Instant
}

/** A token does not name its project, so the query probes the index of each project. */
export async function lookUpPreview(db: Db, hash: string): Promise<PreviewLookUp | undefined> {
  if (db.engine.isSharded) return lookUpInShards(db, hash)
  const row = await db
    .selectFrom('projects')
    .innerJoin('preview_tokens', 'preview_tokens.project_id', 'projects.id')
    .select(['preview_tokens.id', 'project_id', 'post_id', 'expires_at', db.engine.nowSql(db.engine.clock()).as('now')])
    .select(nextDue('preview_tokens.project_id').as('next_due_at'))
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

/** Asks every server for the token, and then that of its project. 503 if it was not found and not all could be asked. */
async function lookUpInShards(db: Db, hash: string): Promise<PreviewLookUp | undefined> {
  const { found, isWhole } = await askEveryProject(db, (projectId) =>
    db
      .selectFrom('preview_tokens')
      .select(['id', 'project_id', 'post_id', 'expires_at'])
      .where('hash', '=', hash)
      .$if(projectId !== undefined, (query) => query.where('project_id', '=', projectId as ProjectId))
      .execute(),
  )
  const [row] = found
  if (!row && !isWhole) throw partUnavailable()
  const progress = row && (await findProgress(db, row.project_id))
  return (
    progress && {
      id: row.id,
      projectId: row.project_id,
      postId: row.post_id,
      expiresAt: row.expires_at,
      nextDueAt: progress.nextDueAt,
      now: progress.now,
    }
  )
}

/** The post that a token opens, by id or slug, if the caller may see it. */
export async function findLinkedPost(db: Db, sight: Sight, idOrSlug: string): Promise<(LinkedPost & { readonly id: PostId }) | undefined> {
  const column = isId('post', idOrSlug) ? 'posts.id' : 'posts.slug'
  const row = await visiblePosts(db, sight)
    .leftJoin('categories', (join) =>
      join.on('categories.project_id', '=', sight.projectId).onRef('categories.id', '=', 'posts.category_id'),
    )
    .select(['posts.id', 'posts.slug', 'posts.published_at', 'posts.scheduled_for', 'posts.created_at', 'categories.slug as categorySlug'])
    .where(column, '=', idOrSlug)
    .executeTakeFirst()
  if (!row) return undefined
  const { id, slug, categorySlug } = row
  return { id, slug, categorySlug, date: row.published_at || row.scheduled_for || row.created_at }
}

const sortColumns: SortColumns<(typeof previewList)['sorts'][number]> = {
  created_at: [{ column: 'created_at', type: 'text' }],
  expires_at: [{ column: 'expires_at', type: 'text' }],
}

interface PostScope {
  readonly projectId: ProjectId
  readonly postId: PostId
  readonly now: Instant
}

export async function listPreviews(db: Db, post: PostScope, plan: ListPlan<typeof previewList>): Promise<Page<Preview>> {
  const found = valid(db, post).selectAll()
  return listPage(found, plan, orderTerms('preview_tokens', plan.sort, sortColumns), toPreview)
}

export async function countPreviews(db: Db, post: PostScope): Promise<number> {
  const row = await valid(db, post)
    .select((eb) => eb.fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(row.total)
}

export async function insertPreview(tx: Tx, { projectId, postId }: PostScope, preview: Preview, hash: string): Promise<void> {
  const { id, name, createdAt, expiresAt } = preview
  await tx
    .insertInto('preview_tokens')
    .values(
      withHash('preview_tokens', { project_id: projectId, id, post_id: postId, name, hash, created_at: createdAt, expires_at: expiresAt }),
    )
    .execute()
}

/** False if the post has no such token. */
export async function deletePreview(tx: Tx, { projectId, postId }: PostScope, id: PreviewId): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('preview_tokens')
    .where('project_id', '=', projectId)
    .where('post_id', '=', postId)
    .where('id', '=', id)
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

export async function deleteExpiredPreviews(tx: Tx, { projectId, postId, now }: PostScope): Promise<void> {
  await tx
    .deleteFrom('preview_tokens')
    .where('project_id', '=', projectId)
    .where('post_id', '=', postId)
    .where('expires_at', '<=', now)
    .execute()
}

function valid(db: Db, { projectId, postId, now }: PostScope) {
  return db
    .selectFrom('preview_tokens')
    .where('preview_tokens.project_id', '=', projectId)
    .where('preview_tokens.post_id', '=', postId)
    .where('preview_tokens.expires_at', '>', now)
}

function toPreview(row: Selectable<PreviewTokenTable>): Preview {
  return { id: row.id, name: row.name, createdAt: row.created_at, expiresAt: row.expires_at }
}
