import type { PendingEdit } from '../../resources/posts/pending/pending-edit-schema.ts'
import type { Post } from '../../resources/posts/post-schema.ts'
import type { Agent } from '../agent.ts'
import { find, findByRef, pathOf, Refusal } from '../api.ts'

/** A post as agents work on it: with its pending edit, if it has one. */
export interface WorkingPost {
  readonly post: Post
  readonly pending: PendingEdit | undefined
  /** What is read and edited: the pending edit, or else the post. */
  readonly latest: Post | PendingEdit
  /** Names this state: `v7`, or `v7.p2` with the version of the pending edit. Every change of it changes the name. */
  readonly version: string
}

export async function findWorkingPost({ api, scopes }: Agent, ref: string): Promise<WorkingPost> {
  const post = await findByRef<Post>(api, 'posts', ref)
  const mayHave = post.hasPendingEdit && scopes.includes('posts:read_drafts')
  const pending = mayHave ? await find<PendingEdit>(api, 'GET', pathOf('posts', post.id, '/pending')) : undefined
  return { post, pending, latest: pending ?? post, version: versionOf(post, pending) }
}

export function versionOf(post: { readonly version: number }, pending?: { readonly version: number }): string {
  return `v${post.version}${pending ? `.p${pending.version}` : ''}`
}

/** Refuses a change that names another version than the one that is there. */
export function requireRead({ version }: WorkingPost, read: string): void {
  if (version === read) return
  throw new Refusal(
    `stale_version: the post is at ${version} now, you read ${JSON.stringify(read.slice(0, 40))}. Nothing was changed.\nRead the post again, and repeat the change with the version that you read.`,
  )
}
