import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Some items of a list, and the cursor of the next ones. */
export interface ListPage<T> {
  readonly items: readonly T[]
  readonly next: string | undefined
}

export type LoadPage<T> = (options: { readonly cursor: string | undefined; readonly signal: AbortSignal }) => Promise<ListPage<T>>

interface Pages<T> {
  readonly items: readonly T[]
  readonly isLoading: boolean
  readonly error: unknown
  /** Counts the loads, so that others load with them. */
  readonly turn: number
  reload(): void
  /** For an element at the end of the list: when it comes near, the next page is there already. */
  end(element: Element | null): void
}

interface Shown<T> {
  readonly items: readonly T[]
  /** The page after them. It is asked for while they are read. */
  readonly next: Promise<ListPage<T>> | undefined
}

/** Page after page by cursor. When `key` changes another list is loaded; the one before stays meanwhile. */
export function usePages<T>(key: string, load: LoadPage<T>): Pages<T> {
  const [shown, setShown] = useState<Shown<T>>({ items: [], next: undefined })
  const [state, setState] = useState<{ readonly isLoading: boolean; readonly error: unknown }>({ isLoading: true, error: undefined })
  const [turn, setTurn] = useState(0)
  const stop = useRef(new AbortController())

  useLayoutEffect(() => {
    stop.current = new AbortController()
    const { signal } = stop.current
    setState({ isLoading: true, error: undefined })
    load({ cursor: undefined, signal }).then(
      (page) => {
        if (signal.aborted) return
        setShown({ items: page.items, next: nextOf(page, signal) })
        setState({ isLoading: false, error: undefined })
      },
      (error: unknown) => !signal.aborted && setState({ isLoading: false, error }),
    )
    return () => stop.current.abort()
  }, [key, turn])

  const nextOf = ({ next }: ListPage<T>, signal: AbortSignal) => {
    const page = next === undefined ? undefined : load({ cursor: next, signal })
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
      setShown((before) => (before.next === next ? { items: [...before.items, ...page.items], next: nextOf(page, signal) } : before))
    } catch (error) {
      if (!signal.aborted) setState({ isLoading: false, error })
    }
  }

  const latest = useRef(more)
  latest.current = more
  const observer = useRef<IntersectionObserver>(undefined)
  const observed = useRef<Element>(null)
  const end = useCallback((element: Element | null) => {
    observer.current?.disconnect()
    observed.current = element
    if (!element) return
    observer.current = new IntersectionObserver(([entry]) => entry?.isIntersecting && void latest.current(), { rootMargin: '1200px' })
    observer.current.observe(element)
  }, [])
  // What was added may be less than a window: then it is observed anew.
  useEffect(() => {
    if (shown.next) end(observed.current)
  }, [shown, end])

  return { ...state, items: shown.items, turn, reload: () => setTurn((before) => before + 1), end }
}
