/** What the running program tells those who watch it: logs, metrics, tests that count. It never carries a key, a body or a search text. */
export interface Observations {
  /** A statement ran; `sql` has placeholders only. */
  statement(sql: string, ms: number): void
  /** Due posts of a project could not be published (a full disk, say); reads go on with the last settled state. */
  settlingFailed(error: unknown): void
  settlingWorked(): void
  /** A background job failed; it is tried again at its next turn. */
  jobFailed(job: string, error: unknown): void
}
