/** How far long work is: one line on standard error that is written anew, and nothing where that is no terminal. */
export interface Progress {
  show(done: number): void
  /** Takes the line away. */
  end(): void
}

interface Work {
  /** What is counted, such as `posts`. */
  readonly noun: string
  readonly total: number
  now(): Date
}

const clearLine = '\r\x1b[K'

export function startProgress({ noun, total, now }: Work): Progress {
  if (!process.stderr.isTTY) return { show: () => undefined, end: () => undefined }
  const start = now().getTime()
  return {
    show(done) {
      const perSecond = rate(done, now().getTime() - start)
      process.stderr.write(`${clearLine}${done.toLocaleString('en')}/${total.toLocaleString('en')} ${noun}, ${perSecond}/s`)
    },
    end: () => void process.stderr.write(clearLine),
  }
}

/** So many a second, as a text. */
export function rate(count: number, ms: number): string {
  return Math.round((count * 1_000) / Math.max(ms, 1)).toLocaleString('en')
}
