import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { Problem } from '../api/verso.ts'
import { type MessageKey, t } from '../i18n/catalogue.ts'
import { notePlace, type Place, place } from '../route/router.ts'
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
    const controller = new AbortController()
    const { signal } = controller
    load({ signal }).then(
      (value) => !signal.aborted && setState({ value }),
      (error: unknown) => !signal.aborted && setState((before) => ({ ...before, error })),
    )
    return () => controller.abort()
  }, [key, turn])
  return { value: state.value, error: state.error, reload: () => setTurn((before) => before + 1) }
}

/** What is made of a value once it is there, or what went wrong. */
export function Loaded<T>({ from, children }: { readonly from: Loading<T>; children(value: T): ComponentChildren }) {
  const { value, error, reload } = from
  if (error) return <ProblemPanel error={error} retry={reload} />
  return <>{value !== undefined && children(value)}</>
}

/** What went wrong, for people: in words of our own where there are some for its code, else in those of Verso. */
export function problemText(error: unknown): string {
  if (!(error instanceof Problem)) return t('problems.internal')
  const key = `problems.${error.code}`
  const text = t(key as MessageKey)
  return text === key ? (error.errors[0]?.detail ?? error.message) : text
}

/** In the place of what could not be loaded. When there is a connection again, it is tried again. */
export function ProblemPanel({ error, retry }: { readonly error: unknown; retry(): void }) {
  // At once: the connection may be back before anything is painted.
  useLayoutEffect(() => {
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  }, [retry])
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

interface Shown<T> {
  /** A page stays the same when others come. */
  readonly pages?: readonly (readonly T[])[]
  readonly isLoading: boolean
  readonly error: unknown
  /** Shows the page after them, which is asked for while they are read. */
  readonly more?: (() => void) | undefined
  /** How far it was scrolled before. */
  readonly top?: number | undefined
}

export interface Pages<T> extends Loading<readonly T[]>, Shown<T> {
  /** Counts the loads, so that others load with them. */
  readonly turn: number
}

/** Who comes back to a list waits for so many pages at most. */
const mostKept = 50

/**
 * Page after page by cursor. When `key` changes another list is loaded; the one before stays meanwhile. Who comes back finds as many pages as
 * there were, and the place among them.
 */
export function usePages<T>(key: string, load: (more: More, stop: Stop) => Promise<Page<T>>): Pages<T> {
  const [shown, setShown] = useState<Shown<T>>({ isLoading: true, error: undefined })
  const [turn, setTurn] = useState(0)
  const showAfter = async (before: readonly (readonly T[])[], asked: Promise<Page<T>>, stop: Stop, kept: Place = {}) => {
    try {
      const { data, pagination } = await asked
      if (stop.signal.aborted) return
      const [pages, cursor] = [[...before, data], pagination.nextCursor]
      const next = cursor === null ? undefined : load({ total: false, cursor }, stop)
      // Whoever shows it sees the failure.
      next?.catch(() => undefined)
      if (next && pages.length < Math.min(kept.pages ?? 1, mostKept)) return void showAfter(pages, next, stop, kept)
      notePlace({ list: key, pages: pages.length, top: 0 })
      setShown({ pages, isLoading: false, error: undefined, more: next && (() => void showAfter(pages, next, stop)), top: kept.top })
    } catch (error) {
      if (!stop.signal.aborted) setShown((now) => ({ ...now, isLoading: false, error }))
    }
  }
  useLayoutEffect(() => {
    const controller = new AbortController()
    const stop = { signal: controller.signal }
    setShown((now) => ({ ...now, isLoading: true, error: undefined }))
    const kept = place()
    void showAfter([], load({ total: false }, stop), stop, kept.list === key ? kept : {})
    return () => controller.abort()
  }, [key, turn])
  useLayoutEffect(() => {
    if (shown.top) scrollTo(0, shown.top)
  }, [shown.top])
  const value = useMemo(() => shown.pages?.flat(), [shown.pages])
  return { ...shown, value, turn, reload: () => setTurn((before) => before + 1) }
}
