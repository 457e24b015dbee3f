import type { FastifyBaseLogger } from 'fastify'
import type { Observations } from '../values/observations.ts'

/** What works at the moment. */
interface State {
  publishing: boolean
  countingTogether: boolean
}

/** Observations for the log and `/readyz`. A failure that repeats every second is logged when it begins and when it ends. */
export function logObservations(log: FastifyBaseLogger, state: State): Partial<Observations> {
  return {
    publishDueFailed(error) {
      if (state.publishing) log.error({ err: error }, 'due posts could not be published; reads continue without them')
      state.publishing = false
    },
    publishDueWorked() {
      if (!state.publishing) log.info('due posts are published again')
      state.publishing = true
    },
    sharedCountFailed(error) {
      if (state.countingTogether) log.warn({ err: error }, 'limits could not be counted with the other nodes; this one counts alone')
      state.countingTogether = false
    },
    sharedCountWorked() {
      if (!state.countingTogether) log.info('limits are counted with the other nodes again')
      state.countingTogether = true
    },
    flushFailed: (error) =>
      log.fatal({ err: error }, 'a flush to the disk failed: the last writes may be lost, and only a new start can go on'),
    dueEditRefused: (postId, code) =>
      log.warn({ postId, code }, 'a scheduled pending edit could not be applied; it stays, with the reason'),
    textInstead: (postId, reason) => log.warn({ postId, reason }, 'a post could not be rendered and is shown as text'),
    jobFailed: (job, error) => log.error({ err: error, job }, 'a background job failed and will be retried'),
  }
}
