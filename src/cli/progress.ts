import { realContext } from '../context.ts'
import { say } from './terminal.ts'

/** The progress of long work: one line on standard error that is rewritten; nothing if that is no terminal. */
interface Progress {
  show(done: number): void
  /** From here on, so many are to be done. */
  begin(total: number): void
  /** Removes the line. */
  end(): void
}

interface Work {
  /** What it counts, such as `posts`. */
  readonly noun: string
  /** Unknown, or told later by `begin`. */
  readonly total?: number
  now(): Date
}

const clearLine = '\r\x1b[K'

export function startProgress({ noun, total: known, now }: Work): Progress {
  if (!process.stderr.isTTY) return { show: () => undefined, begin: () => undefined, end: () => undefined }
  let [total, start] = [known, now().getTime()]
  return {
    begin(all) {
      total = all
      start = now().getTime()
    },
    show(done) {
      const perSecond = rate(done, now().getTime() - start)
      process.stderr.write(
        `${clearLine}${done.toLocaleString('en')}${total === undefined ? '' : `/${total.toLocaleString('en')}`} ${noun}, ${perSecond}/s`,
      )
    },
    end: () => void process.stderr.write(clearLine),
  }
}

/** The progress of work in several steps, one after the other; `nouns` says what each counts. */
export function startSteps<S extends string>(nouns: Readonly<Record<S, string>>) {
  let progress = startProgress({ noun: 'rows', total: 0, now: realContext.now })
  return {
    begins(step: S, total: number): void {
      progress.end()
      progress = startProgress({ noun: nouns[step], total, now: realContext.now })
    },
    reached: (done: number): void => progress.show(done),
    ends: (): void => progress.end(),
  }
}

/** A count per second, as text. */
export function rate(count: number, ms: number): string {
  return Math.round((count * 1_000) / Math.max(ms, 1)).toLocaleString('en')
}

/** Returns whether a signal has asked long work to stop. A second signal ends the program at once. */
export function stopOnSignal(options: { readonly json?: true }): () => boolean {
  let stopped = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stopped = true
      say(options, 'Stopping when the current step is done.')
    })
  }
  return () => stopped
}
