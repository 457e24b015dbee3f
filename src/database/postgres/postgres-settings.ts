export interface PoolSettings {
  readonly url: string
  readonly poolSize: number
  /** What the server allows a statement, in and between those of a transaction; 0 is no limit. */
  readonly statementTimeoutMs: number
  readonly lockTimeoutMs: number
  /** Statements are prepared once per connection; off behind poolers in transaction mode, which also forbid settings per session. */
  readonly prepare: boolean
}

export interface PostgresSettings extends PoolSettings {
  /** Whose clock counts: the database's, which all nodes share, or this process's. */
  readonly clock: 'database' | 'process'
}

/** The limits by the server's names for them, in milliseconds. */
export function limitsOf({ statementTimeoutMs, lockTimeoutMs }: PoolSettings) {
  return {
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
  }
}
