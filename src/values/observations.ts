/** Events of the running program for logs, metrics and tests. They never carry a key, a body or a search text. */
export interface Observations {
  /** A statement ran. `sql` has placeholders instead of values. */
  statement(sql: string, ms: number): void
  /** A write transaction ended, `ms` after it was requested. */
  written(outcome: WriteOutcome, ms: number): void
  /** A flush to the disk failed, so that nobody knows what the disk has. Nothing is answered from the database any more. */
  flushFailed(error: unknown): void
  /** `size` writes shared one transaction and its flush. */
  writeBatch(size: number): void
  /** A request was answered. This runs for every request, so it must be very cheap. */
  answered(request: AnsweredRequest): void
  /** Due posts of a project could not be published (a full disk, say). Reads go on without them. */
  publishDueFailed(error: unknown): void
  /** They were published, and no other project is left where that has failed. */
  publishDueWorked(): void
  /** A pending edit could not be applied at its time, with this problem. It stays, and somebody has to decide. */
  dueEditRefused(postId: string, code: string): void
  /** A background job was started. Its first run comes later. */
  jobStarted(job: string): void
  /** A run of a background job ended, with or without success. */
  jobTook(job: string, ms: number): void
  /** A run of a background job failed. The next run tries again. */
  jobFailed(job: string, error: unknown): void
  /** A post could not be rendered, or not in time, and is shown as text. */
  textInstead(postId: string, reason: string): void
  /** A webhook was sent and its outcome recorded. */
  webhookTried(outcome: TryOutcome): void
  /** An endpoint was disabled after failed tries. */
  webhookDisabled(): void
  /** A request was answered 429. */
  rateLimited(limit: LimitedBy): void
  /** What nodes count together could not be counted in time. This node goes on alone. */
  sharedCountFailed(error: unknown): void
  sharedCountWorked(): void
}

/** `undone`: refused, or a dry run. `failed`: an error of the service. Neither wrote anything. */
type WriteOutcome = 'committed' | 'undone' | 'failed'

/** The rate of a key, or the failed authentications of an address. */
type LimitedBy = 'reads' | 'writes' | 'failed_authentications'

/** `failed`: tried again later. `given_up`: not tried again. */
export type TryOutcome = 'delivered' | 'failed' | 'given_up'

export interface AnsweredRequest {
  readonly method: string
  /** The pattern of the router, such as `/v1/posts/:idOrSlug`; `none` if none of its routes answered. */
  readonly route: string
  readonly status: number
  readonly durationMs: number
  /** The part of it that the request asked to wait (long polling). */
  readonly waitedMs?: number
}

/** For programs that nobody observes. */
export const unobserved: Observations = observeAll([])

/** Passes each event to every observer that handles it. */
export function observeAll(observers: readonly Partial<Observations>[]): Observations {
  const pass = (one: (observer: Partial<Observations>) => void) => {
    for (const observer of observers) one(observer)
  }
  // For every request, so observers without a handler are left out beforehand.
  const answered = observers.flatMap((each) => each.answered?.bind(each) ?? [])
  return {
    statement: (sql, ms) => pass((each) => each.statement?.(sql, ms)),
    written: (outcome, ms) => pass((each) => each.written?.(outcome, ms)),
    flushFailed: (error) => pass((each) => each.flushFailed?.(error)),
    writeBatch: (size) => pass((each) => each.writeBatch?.(size)),
    answered(request) {
      for (const each of answered) each(request)
    },
    publishDueFailed: (error) => pass((each) => each.publishDueFailed?.(error)),
    dueEditRefused: (postId, code) => pass((each) => each.dueEditRefused?.(postId, code)),
    publishDueWorked: () => pass((each) => each.publishDueWorked?.()),
    jobStarted: (job) => pass((each) => each.jobStarted?.(job)),
    jobTook: (job, ms) => pass((each) => each.jobTook?.(job, ms)),
    jobFailed: (job, error) => pass((each) => each.jobFailed?.(job, error)),
    textInstead: (postId, reason) => pass((each) => each.textInstead?.(postId, reason)),
    webhookTried: (outcome) => pass((each) => each.webhookTried?.(outcome)),
    webhookDisabled: () => pass((each) => each.webhookDisabled?.()),
    rateLimited: (limit) => pass((each) => each.rateLimited?.(limit)),
    sharedCountFailed: (error) => pass((each) => each.sharedCountFailed?.(error)),
    sharedCountWorked: () => pass((each) => each.sharedCountWorked?.()),
  }
}
