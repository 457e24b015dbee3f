import { editsSaved } from '../../../api/edits.ts'
import { Problem } from '../../../api/verso.ts'
import type { Draft } from './draft.ts'
import { followsTitle } from './made-slug.ts'

/** Makes what is written a version of the post, now or at a time. Where another post has a slug that was made from the title, the next one is taken. */
export async function makeVersion(draft: Draft, scheduledFor?: string): Promise<void> {
  const [post, pending] = [draft.post.peek(), draft.pending.peek()]
  if (!post || !pending) return
  try {
    const input = { idOrSlug: post.id, body: scheduledFor === undefined ? {} : { scheduledFor } }
    await draft.api.verso.request('POST /v1/posts/{idOrSlug}/pending/apply', input, { ifMatch: pending.version })
  } catch (error) {
    const free =
      error instanceof Problem && error.code === 'slug_conflict' && followsTitle(draft.fields.peek(), post)
        ? error.document.suggestion
        : undefined
    if (typeof free !== 'string') throw error
    draft.change({ slug: free })
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
  let heard = new AbortController()
  const look = () => draft.state.peek() === 'saved' && void draft.refresh().catch(() => undefined)
  const listen = async () => {
    heard.abort()
    heard = new AbortController()
    if (document.visibilityState !== 'visible') return
    const { signal } = heard
    look()
    try {
      for await (const { postId, version } of editsSaved(draft.api, signal))
        if (postId === draft.post.peek()?.id && version !== draft.pending.peek()?.version) look()
    } catch {
      setTimeout(() => !signal.aborted && void listen(), againMs)
    }
  }
  const start = () => void listen()
  document.addEventListener('visibilitychange', start)
  start()
  return () => {
    heard.abort()
    document.removeEventListener('visibilitychange', start)
  }
}
