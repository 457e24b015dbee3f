import { editsSaved } from '../../../api/edits.ts'
import type { Draft } from './draft.ts'

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
