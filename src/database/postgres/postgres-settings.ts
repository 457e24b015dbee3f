export interface PoolSettings {
  readonly url: string
  readonly poolSize: number
  /** The limit for each statement, and for the pauses between those of a transaction; 0 is no limit. */
  readonly statementTimeoutMs: number
  readonly lockTimeoutMs: number
  /** Prepares statements once per connection. Off behind poolers in transaction mode, which also forbid session settings. */
  readonly prepare: boolean
}

export interface PostgresSettings extends PoolSettings {
  /** Nodes that share the database use its clock. */
  readonly clock: 'database' | 'process'
}

/** The limits as settings of the server, in milliseconds. */
export function limitsOf({ statementTimeoutMs, lockTimeoutMs }: PoolSettings) {
  return {
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
  }
}
