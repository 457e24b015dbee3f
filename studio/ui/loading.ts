import { useEffect, useLayoutEffect, useState } from 'preact/hooks'

/** What is being loaded, was loaded, or could not be. An older value stays while a newer one is loaded. */
export interface Loading<T> {
  readonly value: T | undefined
  readonly error: unknown
  reload(): void
}

/** Loads when `key` changes; without one it waits. What was asked for before is then given up. */
export function useLoaded<T>(key: string | undefined, load: (signal: AbortSignal) => Promise<T>): Loading<T> {
  const [state, setState] = useState<{ readonly value?: T; readonly error?: unknown }>({})
  const [turn, setTurn] = useState(0)
  // At once: what is asked for is under way before anything is painted.
  useLayoutEffect(() => {
    if (key === undefined) return
    const stop = new AbortController()
    load(stop.signal).then(
      (value) => !stop.signal.aborted && setState({ value }),
      (error: unknown) => !stop.signal.aborted && setState((before) => ({ ...before, error })),
    )
    return () => stop.abort()
  }, [key, turn])
  return { value: state.value, error: state.error, reload: () => setTurn((before) => before + 1) }
}

/** Whether a media query matches, now and later. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const look = () => setMatches(media.matches)
    media.addEventListener('change', look)
    return () => media.removeEventListener('change', look)
  }, [query])
  return matches
}
