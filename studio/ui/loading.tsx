import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Problem } from '../api/verso.ts'
import { type MessageKey, t } from '../i18n/catalogue.ts'
import { Button } from './controls.tsx'

/** What is being loaded, was loaded, or could not be. An older value stays while a newer one is loaded. */
export interface Loading<T> {
  readonly value: T | undefined
  readonly error: unknown
  reload(): void
}

/** For requests: they are given up when nobody waits for them any more. */
export interface Stop {
  readonly signal: AbortSignal
}

/** Loads when `key` changes; without one it waits. */
export function useLoaded<T>(key: string | undefined, load: (stop: Stop) => Promise<T>): Loading<T> {
  const [state, setState] = useState<{ readonly value?: T; readonly error?: unknown }>({})
  const [turn, setTurn] = useState(0)
  // At once: what is asked for is under way before anything is painted.
  useLayoutEffect(() => {
    if (key === undefined) return
    const stop = new AbortController()
    load(stop).then(
      (value) => !stop.signal.aborted && setState({ value }),
      (error: unknown) => !stop.signal.aborted && setState((before) => ({ ...before, error })),
    )
    return () => stop.abort()
  }, [key, turn])
  return { value: state.value, error: state.error, reload: () => setTurn((before) => before + 1) }
}

interface LoadedProps<T> {
  readonly from: Loading<T>
  children(value: T): ComponentChildren
}

/** What is made of a value once it is there, or what went wrong. */
export function Loaded<T>({ from: { value, error, reload }, children }: LoadedProps<T>) {
  if (error) return <ProblemPanel error={error} retry={reload} />
  return <>{value !== undefined && children(value)}</>
}

const known: Readonly<Partial<Record<string, MessageKey>>> = {
  unreachable: 'problems.unreachable',
  unauthenticated: 'problems.unauthenticated',
  insufficient_scope: 'problems.forbidden',
  not_found: 'problems.notFound',
  stale_version: 'problems.stale',
  rate_limited: 'problems.slow',
  overloaded: 'problems.busy',
  internal: 'problems.internal',
}

/** What went wrong, for people. Problems of a form say what Verso says. */
export function problemText(error: unknown): string {
  if (!(error instanceof Problem)) return t('problems.internal')
  const key = known[error.code]
  return key ? t(key) : (error.errors[0]?.detail ?? error.message)
}

/** In the place of what could not be loaded. */
export function ProblemPanel({ error, retry }: { readonly error: unknown; retry(): void }) {
  return (
    <div class="empty" role="alert">
      <p>{problemText(error)}</p>
      <Button label={t('common.retry')} onClick={retry} />
    </div>
  )
}

/** A page of a list, as Verso answers. */
interface Page<T> {
  readonly data: readonly T[]
  readonly pagination: { readonly nextCursor: string | null }
}

/** What asks for a page: nothing but what it is counts. */
export interface More {
  readonly total: false
  readonly cursor?: string
}

export interface Pages<T> extends Loading<readonly T[]> {
  /** The same, page by page: a page stays the same when others come. */
  readonly pages: readonly (readonly T[])[]
  readonly isLoading: boolean
  /** Counts the loads, so that others load with them. */
  readonly turn: number
  /** For an element at the end of the list: when it comes near, the next page is there already. */
  end(element: Element | null): void
}

interface Shown<T> {
  readonly pages: readonly (readonly T[])[]
  /** The page after them. It is asked for while they are read. */
  readonly next: Promise<Page<T>> | undefined
}

/** Page after page by cursor. When `key` changes another list is loaded; the one before stays meanwhile. */
export function usePages<T>(key: string, load: (more: More, stop: Stop) => Promise<Page<T>>): Pages<T> {
  const [shown, setShown] = useState<Shown<T>>()
  const [state, setState] = useState<{ readonly isLoading: boolean; readonly error: unknown }>({ isLoading: true, error: undefined })
  const [turn, setTurn] = useState(0)
  const stop = useRef(new AbortController())

  const shownAfter = (before: Shown<T>['pages'], { data, pagination: { nextCursor } }: Page<T>, { signal }: Stop): Shown<T> => {
    const next = nextCursor === null ? undefined : load({ total: false, cursor: nextCursor }, { signal })
    // Whoever shows it sees the failure.
    next?.catch(() => undefined)
    return { pages: [...before, data], next }
  }
  useLayoutEffect(() => {
    const asked = new AbortController()
    stop.current = asked
    setState({ isLoading: true, error: undefined })
    load({ total: false }, asked).then(
      (page) => {
        if (asked.signal.aborted) return
        setShown(shownAfter([], page, asked))
        setState({ isLoading: false, error: undefined })
      },
      (error: unknown) => !asked.signal.aborted && setState({ isLoading: false, error }),
    )
    return () => asked.abort()
  }, [key, turn])

  const more = async () => {
    const asked = stop.current
    if (!shown?.next) return
    try {
      const page = await shown.next
      // Two that reach the end at once add one page.
      if (!asked.signal.aborted) setShown((before) => (before === shown ? shownAfter(shown.pages, page, asked) : before))
    } catch (error) {
      if (!asked.signal.aborted) setState({ isLoading: false, error })
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
    if (shown?.next) end(observed.current)
  }, [shown, end])

  const value = useMemo(() => shown?.pages.flat(), [shown])
  return { ...state, value, pages: shown?.pages ?? [], turn, reload: () => setTurn((before) => before + 1), end }
}
