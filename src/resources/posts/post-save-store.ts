import type { Caller } from '../../actions/caller.ts'
import { defer, runDeferred } from '../../database/deferred-writes.ts'
import { type Tx, WriteConflict } from '../../database/engine.ts'
import { insertRows } from '../../database/insert-rows.ts'
import { prepared } from '../../database/prepared.ts'
import type { CountedPost } from '../../lists/post-count.ts'
import { indexWords } from '../../search/word-index-store.ts'
import type { PostId, ProjectId, Random } from '../../values/ids.ts'
import { isPublic, type Post } from './post.ts'
import { contentHash, toPost, toRow } from './post-fields.ts'
import { endRedirect } from './post-slug-store.ts'
import { restampTags, retagPost } from './post-tag-store.ts'

/** Writes a changed post over the version it was made from; `WriteConflict` where somebody else was faster. */
export async function savePost(tx: Tx, projectId: ProjectId, before: Post, after: Post, random: Random): Promise<void> {
  if (after.content !== before.content) await saveContent(tx, projectId, after)
  const updated = await updatedPost(tx, { ...toRow(projectId, after), versionBefore: before.version })
  if (updated.length === 0) throw new WriteConflict('post')
  if (after.tags !== before.tags) await retagPost(tx, projectId, after, random)
  else if (after.tags.length > 0 && isListedAnew(before, after)) await restampTags(tx, projectId, after)
  if (isWordedAnew(before, after)) await indexPosts(tx, projectId, [after])
  await endRedirects(tx, projectId, before, after)
}

type Overwriting = ReturnType<typeof toRow> & { readonly versionBefore: number }

const updatedPost = prepared((tx: Tx, { project_id, id, created_at, versionBefore, ...row }: Overwriting) =>
  tx
    .updateTable('posts')
    .set(row)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('version', '=', versionBefore)
    .returning('id'),
)

/** Makes the index of words say what these posts say. */
export async function indexPosts(tx: Tx, projectId: ProjectId, posts: readonly Post[]): Promise<void> {
  await defer(tx, writeWords, { projectId, posts })
}

/** A post that was written more than once is indexed once, as it was written last. */
async function writeWords(tx: Tx, written: readonly { readonly projectId: ProjectId; readonly posts: readonly Post[] }[]): Promise<void> {
  for (const projectId of new Set(written.map((each) => each.projectId))) {
    const posts = written.flatMap((each) => (each.projectId === projectId ? each.posts : []))
    const worded = posts.map((post) => ({ ...post, contentHash: contentHash(post.content) }))
    await indexWords(tx, tx.engine.invertedIndex, projectId, [...new Map(worded.map((post) => [post.id, post])).values()])
  }
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
  await runDeferred(tx)
  for (const table of ['post_tags', 'old_slugs', 'post_revisions', 'preview_tokens', 'contents'] as const) {
    await tx.deleteFrom(table).where('project_id', '=', projectId).where('post_id', '=', id).execute()
  }
  const erased = await tx.deleteFrom('posts').where('project_id', '=', projectId).where('id', '=', id).returningAll().executeTakeFirst()
  return erased && toPost(erased)
}

/**
 * A redirect ends where a post that all can see has its slug. While only a hidden post has it, the redirect stands: its end would tell of
 * what is hidden.
 */
export async function endRedirects(tx: Tx, projectId: ProjectId, before: Post | undefined, after: Post): Promise<void> {
  const moves = before !== undefined && before.slug !== after.slug
  const appears = isPublic(after) && (before === undefined || !isPublic(before))
  if (moves || appears) await endRedirect(tx, projectId, after.slug, isPublic(after) ? undefined : after.id)
}

/** The Markdown of a post as it now stands; it may be there already. */
export async function saveContent(tx: Tx, projectId: ProjectId, post: Post): Promise<void> {
  await keptContent(tx, { project_id: projectId, post_id: post.id, hash: contentHash(post.content), body: post.content })
}

const keptContent = prepared((tx: Tx, row: { project_id: ProjectId; post_id: PostId; hash: string; body: string }) =>
  tx
    .insertInto('contents')
    .values({ ...row })
    .onConflict((conflict) => conflict.doNothing()),
)

/** Stores a revision of each of these posts; equal Markdown of a post is stored once, by its hash (docs/reference/api.md#revisions). */
export async function keepRevisions(tx: Tx, caller: Caller, posts: readonly Post[]): Promise<void> {
  await insertRows(
    tx,
    'post_revisions',
    posts.map((post) => toRevisionRow(caller, post)),
  )
}

export function toRevisionRow(caller: Caller, post: Post) {
  const { id, version, content, createdAt, updatedAt, ...snapshot } = post
  return {
    project_id: caller.projectId,
    post_id: id,
    version,
    content_hash: contentHash(content),
    snapshot: JSON.stringify(snapshot),
    actor: caller.actor,
    created_at: updatedAt,
  }
}
