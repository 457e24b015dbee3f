import { Problem } from '../../../api/verso.ts'
import type { Draft } from './draft.ts'
import { followsTitle } from './made-slug.ts'

/** Makes what is written a version of the post, now or at a time. Where another post has a slug that was made from the title, the next one is taken. */
export async function makeVersion(draft: Draft, scheduledFor?: string): Promise<void> {
  const [post, pending] = [draft.post.peek(), draft.pending.peek()]
  if (!post || !pending) return
  try {
    const input = { idOrSlug: post.id, body: scheduledFor === undefined ? {} : { scheduledFor } }
    await draft.verso.request('POST /v1/posts/{idOrSlug}/pending/apply', input, { ifMatch: pending })
  } catch (error) {
    const { code, document } = error instanceof Problem ? error : {}
    const free = code === 'slug_conflict' && followsTitle(draft.fields.peek(), post) ? document?.suggestion : undefined
    if (code === 'pending_conflict') await draft.mergePost(pending)
    else if (typeof free === 'string') draft.change({ slug: free })
    // Somebody may have to choose.
    if ((free === undefined && code !== 'pending_conflict') || draft.dispute.peek()) throw error
    await draft.flush()
    await makeVersion(draft, scheduledFor)
  }
}

/** Saves, and makes what was written of a draft a version: lists then show it. What readers see waits for a word. */
export async function keepVersion(draft: Draft): Promise<void> {
  await draft.flush()
  if (draft.post.peek()?.status !== 'draft' || !draft.pending.peek() || draft.state.peek() !== 'saved') return
  // The pending edit stays where this fails.
  await makeVersion(draft).catch(() => undefined)
}

/** After a failure it listens again. */
const againMs = 10_000

/** Takes over what others save, as soon as they do and as long as the window is seen. Ends with what it returns. */
export function follow(draft: Draft): () => void {
  const ended = new AbortController()
  let heard = new AbortController()
  const look = () => void draft.refresh().catch(() => undefined)
  const listen = async () => {
    heard.abort()
    heard = new AbortController()
    if (document.visibilityState !== 'visible' || ended.signal.aborted) return
    const { signal } = heard
    look()
    try {
      for await (const { data } of draft.verso.changes({ types: ['pending_edit'], wait: 25, signal })) {
        // `edit_…` has the rest of the id of its post. One that was applied or discarded has no version.
        const saved = data.filter(({ id }) => id.replace('edit_', 'post_') === draft.post.peek()?.id).at(-1)
        const version = saved?.action === 'upsert' && saved.type === 'pending_edit' ? saved.data.version : undefined
        if (saved && version !== draft.pending.peek()?.version) look()
      }
    } catch {
      setTimeout(() => !signal.aborted && void listen(), againMs)
    }
  }
  document.addEventListener('visibilitychange', listen, ended)
  addEventListener('online', () => draft.retry(), ended)
  // The last words before one closes the page.
  for (const closing of ['beforeunload', 'pagehide']) addEventListener(closing, () => void draft.keep(), ended)
  addEventListener('beforeunload', (event) => !draft.isKept && draft.state.peek() !== 'saved' && event.preventDefault(), ended)
  void listen()
  return () => {
    ended.abort()
    heard.abort()
  }
}
