import type { Caller } from '../../actions/caller.ts'
import { defer, runDeferred } from '../../database/deferred-writes.ts'
import { type Tx, WriteConflict } from '../../database/engine.ts'
import { insertRows } from '../../database/insert-rows.ts'
import { prepared } from '../../database/prepared.ts'
import { withHash } from '../../database/row-hash.ts'
import type { CountedPost } from '../../lists/post-count.ts'
import { indexWords } from '../../search/word-index-store.ts'
import type { PostId, ProjectId } from '../../values/ids.ts'
import { isPublic, type Post } from './post.ts'
import { replaceAliases } from './post-alias-store.ts'
import { contentHash, toPost, toRow } from './post-fields.ts'
import { endRedirect } from './post-slug-store.ts'
import { restampTags, retagPost } from './post-tag-store.ts'

/** Saves a changed post; `WriteConflict` if its version is no longer the one that was read. */
export async function savePost(tx: Tx, projectId: ProjectId, before: Post, after: Post): Promise<void> {
  if (after.content !== before.content) await saveContent(tx, projectId, after)
  const updated = await updatedPost(tx, { ...toRow(projectId, after), versionBefore: before.version })
  if (updated.length === 0) throw new WriteConflict('post')
  if (after.tags !== before.tags) await retagPost(tx, projectId, after)
  else if (after.tags.length > 0 && changesTagRows(before, after)) await restampTags(tx, projectId, after)
  if (changesAliasRows(before, after)) await replaceAliases(tx, projectId, after)
  if (hasNewWords(before, after)) await indexPosts(tx, projectId, [after])
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

/** Updates the word index for these posts, at the end of the transaction. */
export async function indexPosts(tx: Tx, projectId: ProjectId, posts: readonly Post[]): Promise<void> {
  await defer(tx, writeWords, { projectId, posts })
}

/** A post that was written several times is indexed once, in its last version. */
async function writeWords(tx: Tx, written: readonly { readonly projectId: ProjectId; readonly posts: readonly Post[] }[]): Promise<void> {
  for (const projectId of new Set(written.map((each) => each.projectId))) {
    const posts = written.flatMap((each) => (each.projectId === projectId ? each.posts : []))
    const worded = posts.map((post) => ({ ...post, contentHash: contentHash(post.content) }))
    await indexWords(tx, tx.engine.invertedIndex, projectId, [...new Map(worded.map((post) => [post.id, post])).values()])
  }
}

function hasNewWords(before: Post, after: Post): boolean {
  return before.title !== after.title || before.excerpt !== after.excerpt || before.content !== after.content
}

/** Whether a field changes that `post_tags` copies from posts. */
function changesTagRows(before: Post, after: Post): boolean {
  return before.status !== after.status || before.publishedAt !== after.publishedAt || before.deletedAt !== after.deletedAt
}

/** A post in the trash has aliases, but no rows for them. */
function changesAliasRows(before: Post, after: Post): boolean {
  const hadRows = before.aliases.length > 0 && before.deletedAt === null
  return after.deletedAt === null ? after.aliases !== before.aliases || (after.aliases.length > 0 && !hadRows) : hadRows
}

/**
 * Erases a post and everything that belongs only to it. Returns the values by which it was counted; undefined if there was no such post. Its
 * row in `sources` stays, so that the next import does not create the post again.
 */
export async function erasePost(tx: Tx, projectId: ProjectId, id: PostId): Promise<CountedPost | undefined> {
  await runDeferred(tx)
  await tx.engine.noteErasure?.(tx)
  for (const table of [
    'post_tags',
    'post_aliases',
    'old_slugs',
    'post_revisions',
    'preview_tokens',
    'pending_edits',
    'contents',
  ] as const) {
    await tx.deleteFrom(table).where('project_id', '=', projectId).where('post_id', '=', id).execute()
  }
  const erased = await tx.deleteFrom('posts').where('project_id', '=', projectId).where('id', '=', id).returningAll().executeTakeFirst()
  return erased && toPost(erased)
}

/**
 * Ends the redirect from a slug once a public post has that slug. While only a hidden post has it, the redirect stays: its end would reveal
 * the hidden post.
 */
export async function endRedirects(tx: Tx, projectId: ProjectId, before: Post | undefined, after: Post): Promise<void> {
  const moves = before !== undefined && before.slug !== after.slug
  const appears = isPublic(after) && (before === undefined || !isPublic(before))
  if (moves || appears) await endRedirect(tx, projectId, after.slug, isPublic(after) ? undefined : after.id)
}

/** Stores the Markdown of a post, unless it is there already. */
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
  const { id, version, content, updatedAt, hasPendingEdit, ...snapshot } = post
  return withHash('post_revisions', {
    project_id: caller.projectId,
    post_id: id,
    version,
    content_hash: contentHash(content),
    snapshot: JSON.stringify(snapshot),
    actor: caller.actor,
    client: caller.client ?? null,
    created_at: updatedAt,
  })
}
