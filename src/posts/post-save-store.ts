import { hash } from 'node:crypto'
import type { Insertable, Selectable } from 'kysely'
import { Overtaken } from '../action.ts'
import type { CountedPost } from '../counts/post-count.ts'
import type { Tx } from '../database/engine.ts'
import { prepared } from '../database/prepared.ts'
import type { PostTable } from '../database/tables.ts'
import type { PostId, ProjectId, Random } from '../ids.ts'
import { indexWords } from '../searching/word-store.ts'
import { fold } from '../text/fold.ts'
import { isPublic, type Post } from './post.ts'
import { endRedirect } from './post-slug-store.ts'
import { restampTags, retagPost, tagPost } from './post-tag-store.ts'

/** False where the slug is taken by another post: nothing is written then. */
export async function insertPost(tx: Tx, projectId: ProjectId, post: Post, random: Random): Promise<boolean> {
  const inserted = await insertedPost(tx, { project_id: projectId, id: post.id, created_at: post.createdAt, ...toRow(post) })
  if (inserted.length === 0) return false
  await saveContent(tx, projectId, post)
  await tagPost(tx, projectId, post, random)
  await indexPost(tx, projectId, post)
  await endRedirects(tx, projectId, undefined, post)
  return true
}

/** Writes a changed post over the version it was made from; `Overtaken` where somebody else was faster. */
export async function savePost(tx: Tx, projectId: ProjectId, before: Post, after: Post, random: Random): Promise<void> {
  if (after.content !== before.content) await saveContent(tx, projectId, after)
  const updated = await updatedPost(tx, { projectId, id: after.id, versionBefore: before.version, ...toRow(after) })
  if (updated.length === 0) throw new Overtaken('post')
  if (after.tags !== before.tags) await retagPost(tx, projectId, after, random)
  else if (after.tags.length > 0 && isListedAnew(before, after)) await restampTags(tx, projectId, after)
  if (isWordedAnew(before, after)) await indexPost(tx, projectId, after)
  await endRedirects(tx, projectId, before, after)
}

const insertedPost = prepared((tx: Tx, row: ReturnType<typeof toRow> & Pick<Insertable<PostTable>, 'project_id' | 'id' | 'created_at'>) =>
  tx
    .insertInto('posts')
    .values({ ...row })
    .onConflict((conflict) => conflict.columns(['project_id', 'slug']).where('deleted_at', 'is', null).doNothing())
    .returning('id'),
)

type Overwritten = { readonly projectId: ProjectId; readonly id: PostId; readonly versionBefore: number }

const updatedPost = prepared((tx: Tx, { projectId, id, versionBefore, ...row }: ReturnType<typeof toRow> & Overwritten) =>
  tx
    .updateTable('posts')
    .set(row)
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('version', '=', versionBefore)
    .returning('id'),
)

async function indexPost(tx: Tx, projectId: ProjectId, post: Post): Promise<void> {
  await indexWords(tx, tx.engine.invertedIndex, projectId, [{ ...post, contentHash: contentHash(post.content) }])
}

function isWordedAnew(before: Post, after: Post): boolean {
  return before.title !== after.title || before.excerpt !== after.excerpt || before.content !== after.content
}

/** Whether something is another that tags repeat of their posts. */
function isListedAnew(before: Post, after: Post): boolean {
  return before.status !== after.status || before.publishedAt !== after.publishedAt || before.deletedAt !== after.deletedAt
}

/**
 * Erases a post and all that only it has, and returns as what it counted until then; nothing where it was gone already. Where it was
 * imported from stays known, lest the next import bring it back.
 */
export async function erasePost(tx: Tx, projectId: ProjectId, id: PostId): Promise<CountedPost | undefined> {
  for (const table of ['post_tags', 'old_slugs', 'post_revisions', 'preview_tokens', 'contents'] as const) {
    await tx.deleteFrom(table).where('project_id', '=', projectId).where('post_id', '=', id).execute()
  }
  const erased = await tx
    .deleteFrom('posts')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .returning(['status', 'author_id', 'category_id', 'tags', 'published_at', 'deleted_at'])
    .executeTakeFirst()
  return erased && toCounted(erased)
}

function toCounted(
  row: Pick<Selectable<PostTable>, 'status' | 'author_id' | 'category_id' | 'tags' | 'published_at' | 'deleted_at'>,
): CountedPost {
  return {
    status: row.status,
    authorId: row.author_id,
    categoryId: row.category_id,
    tags: JSON.parse(row.tags) as string[],
    publishedAt: row.published_at || null,
    deletedAt: row.deleted_at,
  }
}

export function contentHash(content: string): string {
  return hash('sha256', content)
}

/**
 * A redirect ends where a post that all can see has its slug. While only a hidden post has it, the redirect stands: its end would tell of
 * what is hidden.
 */
async function endRedirects(tx: Tx, projectId: ProjectId, before: Post | undefined, after: Post): Promise<void> {
  const moves = before !== undefined && before.slug !== after.slug
  const appears = isPublic(after) && (before === undefined || !isPublic(before))
  if (moves || appears) await endRedirect(tx, projectId, after.slug, isPublic(after) ? undefined : after.id)
}

async function saveContent(tx: Tx, projectId: ProjectId, post: Post): Promise<void> {
  await keptContent(tx, { project_id: projectId, post_id: post.id, hash: contentHash(post.content), body: post.content })
}

const keptContent = prepared((tx: Tx, row: { project_id: ProjectId; post_id: PostId; hash: string; body: string }) =>
  tx
    .insertInto('contents')
    .values({ ...row })
    .onConflict((conflict) => conflict.doNothing()),
)

export function toRow(post: Post) {
  return {
    title: post.title,
    title_folded: fold(post.title),
    slug: post.slug,
    content_hash: contentHash(post.content),
    excerpt: post.excerpt,
    status: post.status,
    published_at: post.publishedAt ?? ('' as const),
    scheduled_for: post.scheduledFor ?? ('' as const),
    first_published_at: post.firstPublishedAt,
    author_id: post.authorId,
    category_id: post.categoryId,
    tags: JSON.stringify(post.tags),
    seo_title: post.seo.title,
    seo_description: post.seo.description,
    seo_canonical_url: post.seo.canonicalUrl,
    seo_og_image: post.seo.ogImage,
    updated_at: post.updatedAt,
    version: post.version,
    deleted_at: post.deletedAt,
  }
}
