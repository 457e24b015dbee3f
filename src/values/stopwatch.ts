/** Starts a stopwatch. The function returned gives the milliseconds since. For the time of day use `context.now`. */
export function startStopwatch(): () => number {
  const started = process.hrtime.bigint()
  return () => Number(process.hrtime.bigint() - started) / 1_000_000
}

/** The result of work; rejects with what `late` gives if that takes longer. The work goes on. */
export async function inTime<T>(work: Promise<T>, ms: number, late: () => unknown): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const isLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms)
    timer.unref()
  })
  return Promise.race([work, isLate]).finally(() => clearTimeout(timer))
}

/** A signal for one piece of work. */
interface WorkSignal {
  readonly signal: AbortSignal
  /** Call it when the work is done. */
  end(): void
}

/** Aborts after a time, or when `stop` does. `AbortSignal.any` would leave a few bytes with a `stop` that lives on, each time. */
export function abortAfter(ms: number, stop: AbortSignal): WorkSignal {
  const work = new AbortController()
  const abort = () => work.abort(stop.reason)
  const timer = setTimeout(() => work.abort(new DOMException('The time is over.', 'TimeoutError')), ms)
  if (stop.aborted) abort()
  else stop.addEventListener('abort', abort)
  return {
    signal: work.signal,
    end() {
      clearTimeout(timer)
      stop.removeEventListener('abort', abort)
    },
  }
}
