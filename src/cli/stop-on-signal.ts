import { say } from './terminal.ts'

/** Tells long work whether a signal has asked it to stop, once what it has begun is finished. A second signal ends the program. */
export function stopOnSignal(options: { readonly json?: true }): () => boolean {
  let stopped = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stopped = true
      say(options, 'Stopping; what was begun is finished.')
    })
  }
  return () => stopped
}
