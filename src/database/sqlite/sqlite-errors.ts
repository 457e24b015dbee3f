import { Problem } from '../../values/problems.ts'

/** The engine's error code; '' for any other error. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Whether another process holds the lock that is needed. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY')
}

/** Whether a commit failed after its rows were written, so that a crash may keep them. */
export function isFailedFlush(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_IOERR_FSYNC'
}

/** SQLite has words for this, and no code of its own. */
export function isSchemaClash(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_ERROR' && error instanceof Error && /already exists|no such column/.test(error.message)
}

/** The problem for an error of the engine; any other error is returned unchanged. */
export function toProblem(error: unknown): unknown {
  const code = codeOf(error)
  const headers = { 'retry-after': '5' }
  // The index of the log grows by a byte at its end: that fails only where the disk is full.
  if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE')
    return new Problem('storage_full', 'The disk is full; nothing was written.', { headers })
  if (isBusy(error)) return new Problem('overloaded', 'Another process is writing; nothing was written.', { headers })
  if (/^SQLITE_(?:IOERR|READONLY|CANTOPEN)/.test(code))
    return new Problem('database_unavailable', 'The database file cannot be written; nothing was written.', { headers, cause: error })
  return error
}
