/** What the running program tells those who watch it: logs, metrics, tests that count. It never carries a key, a body or a search text. */
export interface Observations {
  /** A statement ran; `sql` has placeholders only. */
  statement(sql: string, ms: number): void
  /** A writing transaction ended, that long after it was asked for. */
  written(outcome: WriteOutcome, ms: number): void
  /** So many writes shared one transaction and its flush. */
  writeBatch(size: number): void
  /** A request was answered. Told of every request, so it must cost next to nothing. */
  answered(request: AnsweredRequest): void
  /** Due posts of a project could not be published (a full disk, say); reads go on with the state before. */
  publishDueFailed(error: unknown): void
  publishDueWorked(): void
  /** A background job had its turn, well or not. */
  jobTook(job: string, ms: number): void
  /** A background job failed; it is tried again at its next turn. */
  jobFailed(job: string, error: unknown): void
  /** A webhook was sent, and it was written down how that went. */
  webhookTried(outcome: TryOutcome): void
  /** An endpoint was disabled because of how its tries went. */
  webhookDisabled(): void
}

/** `undone`: refused, or only tried; nothing was kept. `failed`: a fault of ours, and nothing was kept either. */
export type WriteOutcome = 'committed' | 'undone' | 'failed'

/** `failed`: it is tried again. `given_up`: it is not. */
export type TryOutcome = 'delivered' | 'failed' | 'given_up'

export interface AnsweredRequest {
  readonly method: string
  /** As the router knows it, such as `/v1/posts/:idOrSlug`; `none` where there is none. */
  readonly route: string
  readonly status: number
  readonly durationMs: number
  /** How much of it was spent waiting for something to happen, because that was asked for. */
  readonly waitedMs?: number
}

/** Nobody watches. */
export const unobserved: Observations = tellAll([])

/** Tells all who watch, each of them what it wants to know. */
export function tellAll(watchers: readonly Partial<Observations>[]): Observations {
  const tell = (one: (watcher: Partial<Observations>) => void) => {
    for (const watcher of watchers) one(watcher)
  }
  // Of every request: nobody is asked who does not want to know.
  const answered = watchers.flatMap((each) => each.answered?.bind(each) ?? [])
  return {
    statement: (sql, ms) => tell((each) => each.statement?.(sql, ms)),
    written: (outcome, ms) => tell((each) => each.written?.(outcome, ms)),
    writeBatch: (size) => tell((each) => each.writeBatch?.(size)),
    answered(request) {
      for (const each of answered) each(request)
    },
    publishDueFailed: (error) => tell((each) => each.publishDueFailed?.(error)),
    publishDueWorked: () => tell((each) => each.publishDueWorked?.()),
    jobTook: (job, ms) => tell((each) => each.jobTook?.(job, ms)),
    jobFailed: (job, error) => tell((each) => each.jobFailed?.(job, error)),
    webhookTried: (outcome) => tell((each) => each.webhookTried?.(outcome)),
    webhookDisabled: () => tell((each) => each.webhookDisabled?.()),
  }
}
