import { Problem } from '../../values/problems.ts'

/** The problem for an error of the engine; any other error is returned unchanged. */
export function toProblem(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const headers = { 'retry-after': '5' }
  if (code === 'SQLITE_FULL') return new Problem('storage_full', 'The disk is full; nothing was written.', { headers })
  if (code.startsWith('SQLITE_BUSY')) return new Problem('overloaded', 'Another process is writing; nothing was written.', { headers })
  if (code.startsWith('SQLITE_IOERR') || code === 'SQLITE_READONLY')
    return new Problem('database_unavailable', 'The database file cannot be written; nothing was written.', { headers })
  return error
}
