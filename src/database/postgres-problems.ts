import { Overtaken } from '../action.ts'
import { Problem } from '../problems.ts'

const headers = { 'retry-after': '3' }

/** Of the system: nobody listens, or the connection broke off. */
const broken = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT', 'EHOSTUNREACH'])
/** SQLSTATE (PostgreSQL, appendix A): shutting down, starting, not accepting, read-only after a failover. */
const away = new Set(['57P01', '57P02', '57P03', '57P05', '25006', '53300'])
const full = new Set(['53100', '53200'])
const slow = new Set(['57014', '55P03'])
/** Deadlock, serialisation failure, unique and foreign key violation: another transaction was there first, and the next try sees what it did. */
const races = new Set(['40P01', '40001', '23505', '23503'])

/** What PostgreSQL, or the way to it, says of itself in the words of the contract; any other error is returned as it is. */
export function toPostgresProblem(error: unknown): unknown {
  const code = codeOf(error)
  if (full.has(code)) return new Problem('storage_full', 'The disk of the database is full; nothing was written.', { headers })
  if (slow.has(code)) return new Problem('overloaded', 'The database took too long; nothing was written.', { headers })
  const isAway = broken.has(code) || away.has(code) || code.startsWith('08') || isLostConnection(error)
  return isAway ? new Problem('database_unavailable', 'The database is unavailable.', { headers }) : error
}

/** Whether work failed only because other work was faster. */
export function lostRace(error: unknown): boolean {
  return error instanceof Overtaken || races.has(codeOf(error))
}

/** What is said of work that lost every time: to be overtaken is nobody's fault, and a violation that stays is one of ours. */
export function afterLastTry(error: unknown): unknown {
  const isCrowd = error instanceof Overtaken || codeOf(error).startsWith('40')
  return isCrowd ? new Problem('overloaded', 'Too many are writing this at once; nothing was written.', { headers }) : error
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
}

/** The driver's own errors of this kind have no code. */
function isLostConnection(error: unknown): boolean {
  return (
    error instanceof Error &&
    /connection (terminated|timeout|ended|closed)|timeout exceeded when trying to connect|not queryable/i.test(error.message)
  )
}
