import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type ListedPost, listPosts, type PostFilter, type PostPage } from '../../api/posts.ts'
import { api } from '../../route/project.ts'

interface PostPages {
  readonly posts: readonly ListedPost[]
  readonly isLoading: boolean
  readonly error: unknown
  /** Counts the loads, so that others load with them. */
  readonly turn: number
  reload(): void
  /** For an element at the end of the list: when it comes near, the next page is there already. */
  end(element: Element | null): void
}

interface Shown {
  readonly posts: readonly ListedPost[]
  /** The page after them. It is asked for while they are read. */
  readonly next: Promise<PostPage> | undefined
}

const none: Shown = { posts: [], next: undefined }

/** Page after page by cursor. While another list is loaded, the one before stays. */
export function usePostPages(filter: PostFilter, key: string): PostPages {
  const [shown, setShown] = useState<Shown>(none)
  const [state, setState] = useState<{ readonly isLoading: boolean; readonly error: unknown }>({ isLoading: true, error: undefined })
  const [turn, setTurn] = useState(0)
  const stop = useRef(new AbortController())

  useEffect(() => {
    stop.current = new AbortController()
    const { signal } = stop.current
    setState({ isLoading: true, error: undefined })
    ask(undefined, signal).then(
      (page) => {
        if (signal.aborted) return
        setShown({ posts: page.posts, next: nextOf(page, signal) })
        setState({ isLoading: false, error: undefined })
      },
      (error: unknown) => !signal.aborted && setState({ isLoading: false, error }),
    )
    return () => stop.current.abort()
  }, [key, turn])

  const ask = (cursor: string | undefined, signal: AbortSignal) => listPosts(api(), filter, { cursor, signal })
  const nextOf = ({ next }: PostPage, signal: AbortSignal) => {
    const page = next === undefined ? undefined : ask(next, signal)
    // Whoever shows it sees the failure.
    page?.catch(() => undefined)
    return page
  }

  const more = async () => {
    const { signal } = stop.current
    const { next } = shown
    if (!next) return
    try {
      const page = await next
      if (signal.aborted) return
      // Two that reach the end at once add one page.
      setShown((before) => (before.next === next ? { posts: [...before.posts, ...page.posts], next: nextOf(page, signal) } : before))
    } catch (error) {
      if (!signal.aborted) setState({ isLoading: false, error })
    }
  }

  const latest = useRef(more)
  latest.current = more
  const observer = useRef<IntersectionObserver>(undefined)
  const end = useCallback((element: Element | null) => {
    observer.current?.disconnect()
    if (!element) return
    observer.current = new IntersectionObserver(([entry]) => entry?.isIntersecting && void latest.current(), { rootMargin: '1200px' })
    observer.current.observe(element)
  }, [])
  // What was added may be less than a window: then it is observed anew.
  useEffect(() => {
    const element = document.querySelector('.post-more')
    if (element && shown.next) end(element)
  }, [shown, end])

  return { ...state, posts: shown.posts, turn, reload: () => setTurn((before) => before + 1), end }
}
