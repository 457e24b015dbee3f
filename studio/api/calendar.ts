import type { Post, RequestOptions, Verso } from './verso.ts'

const fields = ['title', 'status', 'publishedAt', 'scheduledFor'] as const

/** A post, or an update of one that is published. */
export type PlannedPost = Pick<Post, 'id' | 'title' | 'publishedAt' | 'scheduledFor'> & { readonly status: Post['status'] | 'update' }

/** What was or will be published from one time to another. */
export async function listPlanned(verso: Verso, from: Date, to: Date, stop: RequestOptions): Promise<readonly PlannedPost[]> {
  const found: PlannedPost[] = []
  const between = { published_after: from.toISOString(), published_before: to.toISOString() }
  for await (const post of verso.posts.all({ ...between, status: 'published', sort: 'published_at', fields }, stop)) found.push(post)
  // What is scheduled is yet to come, and rarely much.
  for await (const post of verso.posts.all({ status: 'scheduled', sort: 'scheduled_for', fields }, stop)) {
    if (dateOf(post) >= to) break
    if (dateOf(post) >= from) found.push(post)
  }
  // The feed of changes knows all edits that wait.
  for await (const { data } of verso.changes({ types: ['pending_edit'], signal: stop.signal })) {
    for (const change of data) {
      if (change.action !== 'upsert' || change.type !== 'pending_edit' || change.data.scheduledFor === null) continue
      const { postId, scheduledFor } = change.data
      const at = new Date(scheduledFor)
      if (at < from || at >= to) continue
      const { title } = await verso.posts.get(postId, { fields: 'title' }, stop)
      found.push({ id: postId, title, status: 'update', publishedAt: null, scheduledFor })
    }
  }
  return found
}

/** When the post was or will be published. */
export function dateOf({ publishedAt, scheduledFor }: PlannedPost): Date {
  return new Date(scheduledFor ?? publishedAt ?? 0)
}
