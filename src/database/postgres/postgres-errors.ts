import { Problem } from '../../values/problems.ts'
import { WriteConflict } from '../engine.ts'

const headers = { 'retry-after': '3' }

/** System errors: nobody listens, or the connection broke. */
const broken = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT', 'EHOSTUNREACH'])
/** SQLSTATE (PostgreSQL, appendix A): shutting down, starting, not accepting, cut off while idle, read-only after a failover. */
const away = new Set(['57P01', '57P02', '57P03', '57P04', '57P05', '25P03', '25P04', '25006', '53300'])
const full = new Set(['53100', '53200'])
const slow = new Set(['57014', '55P03'])
/** Deadlock, serialisation failure, unique and foreign key violation: another transaction was there first, and the next try sees what it did. */
const races = new Set(['40P01', '40001', '23505', '23503'])

/** The problem for an error of PostgreSQL or of the connection to it; any other error is returned unchanged. */
export function toPostgresProblem(error: unknown): unknown {
  const { code } = saidBy(error)
  if (full.has(code))
    return new Problem('storage_full', 'The disk of the database is full; nothing was written.', { headers, cause: error })
  if (slow.has(code)) return new Problem('overloaded', 'The database took too long; nothing was written.', { headers, cause: error })
  const isAway = broken.has(code) || away.has(code) || code.startsWith('08') || isLostConnection(error)
  return isAway ? unavailable(error) : error
}

/** Whatever fails while connecting, including a wrong password, the database is unavailable. */
export function toUnreachable(error: unknown): Problem {
  return error instanceof Problem ? error : unavailable(error)
}

export function unavailable(cause?: unknown): Problem {
  return new Problem('database_unavailable', 'The database is unavailable.', { headers, cause })
}

export function crowded(): Problem {
  return new Problem('overloaded', 'Too many requests wait for the database; nothing was written.', { headers })
}

/** A commit without an answer may have been made. */
export function outcomeUnknown(cause: unknown): Problem {
  const detail = 'The database went away during the commit; whether the write was kept is unknown. Read before you try again.'
  return new Problem('outcome_unknown', detail, { headers: { 'retry-after': '5' }, cause })
}

/** Whether the server refused a statement and goes on. After any other error, its outcome is unknown. */
export function isRefusal(error: unknown): boolean {
  const { code, severity } = saidBy(error)
  return severity !== '' && !away.has(code) && !/^(?:08|57P|58|XX)/.test(code)
}

/** Whether a prepared statement is older than the schema, which another node has changed. */
export function isStalePlan(error: unknown): boolean {
  const { code, routine } = saidBy(error)
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

/** Whether a statement timed out waiting for a lock. */
export function isTiredOfWaiting(error: unknown): boolean {
  return error instanceof Problem && saidBy(error.cause).code === '55P03'
}

/** Whether work failed only because another transaction was faster. */
export function lostRace(error: unknown): boolean {
  return error instanceof WriteConflict || isStalePlan(error) || races.has(saidBy(error).code)
}

/** Whether work that shared a transaction should run again in one of its own: it lost a race, or may wait longer there. */
export function deservesOwn(error: unknown): boolean {
  return lostRace(error) || error instanceof WouldBlock || (error instanceof Problem && slow.has(saidBy(error.cause).code))
}

/** Whether the connection, and with it the transaction, is lost. */
export function isGone(error: unknown): boolean {
  return error instanceof Problem && (error.code === 'database_unavailable' || error.code === 'outcome_unknown')
}

/** Thrown by work in a shared transaction that would have to wait for another transaction. */
export class WouldBlock extends Error {}

/** The error of work that lost every race. A conflict is a 503; a constraint violation that stays is a fault of ours. */
export function afterLastTry(error: unknown): unknown {
  const isCrowd = error instanceof WriteConflict || saidBy(error).code.startsWith('40')
  return isCrowd ? new Problem('overloaded', 'Too many are writing this at once; nothing was written.', { headers }) : error
}

/** The fields of a system or server error. Only the server's have a severity, in the server's language. */
function saidBy(error: unknown): { readonly code: string; readonly severity: string; readonly routine: string } {
  const said = typeof error === 'object' && error !== null ? (error as Readonly<Record<string, unknown>>) : {}
  const text = (name: string) => (typeof said[name] === 'string' ? said[name] : '')
  return { code: text('code'), severity: text('severity'), routine: text('routine') }
}

/** The driver's own errors have no code. */
function isLostConnection(error: unknown): boolean {
  return (
    error instanceof Error &&
    /connection (terminated|timeout|ended|closed)|timeout exceeded when trying to connect|query read timeout|not queryable/i.test(
      error.message,
    )
  )
}
