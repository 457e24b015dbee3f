import { applyEdit } from '../../../api/edits.ts'
import { Problem } from '../../../api/verso.ts'
import type { Draft } from './draft.ts'
import { followsTitle } from './made-slug.ts'

/** Makes what is written a version of the post, now or at a time. Where another post has a slug that was made from the title, the next one is taken. */
export async function makeVersion(draft: Draft, scheduledFor?: string): Promise<void> {
  const [post, pending] = [draft.post.peek(), draft.pending.peek()]
  if (!post || !pending) return
  try {
    await applyEdit(draft.api, post.id, pending.version, scheduledFor)
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
