import { Problem } from '../../values/problems.ts'
import { RunsByItself, WriteConflict } from '../engine.ts'

const headers = { 'retry-after': '3' }

/** System errors: no server listens, or the connection broke. */
const broken = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // Node.js, for a statement that is sent after the server has closed the connection.
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ERR_SOCKET_CLOSED',
])
/** SQLSTATE (PostgreSQL, appendix A): shutting down, starting, too many connections, idle timeout, read-only after a failover. */
const away = new Set(['57P01', '57P02', '57P03', '57P04', '57P05', '25P03', '25P04', '25006', '53300'])
/** SQLSTATE class 08: a connection could not be made or was lost. Reported by a server, it is one to another server. */
const connectionExceptions = new Set(['08000', '08001', '08003', '08004', '08006'])
const full = new Set(['53100', '53200'])
const slow = new Set(['57014', '55P03'])
/** Deadlock, serialisation failure, unique and foreign key violation: another transaction was first. A retry sees its changes. */
const races = new Set(['40P01', '40001', '23505', '23503'])

/** SQLSTATE: the table is there already; the column is not. */
const schemaClashes = new Set(['42P07', '42703'])

export function isSchemaClash(error: unknown): boolean {
  return schemaClashes.has(fieldsOf(error).code)
}

/** The problem for an error of PostgreSQL or of the connection to it; any other error is returned unchanged. */
export function toPostgresProblem(error: unknown): unknown {
  const { code } = fieldsOf(error)
  if (full.has(code))
    return new Problem('storage_full', 'The disk of the database is full; nothing was written.', { headers, cause: error })
  if (slow.has(code)) return new Problem('overloaded', 'The database took too long; nothing was written.', { headers, cause: error })
  const isAway = broken.has(code) || away.has(code) || code.startsWith('08') || isDriverDisconnect(error)
  return isAway ? unavailable(error) : error
}

/** Any failure to connect, even a wrong password, means that the database is unavailable. */
export function toUnreachable(error: unknown): Problem {
  return error instanceof Problem ? error : unavailable(error)
}

export function unavailable(cause?: unknown): Problem {
  return new Problem('database_unavailable', 'The database is unavailable.', { headers, cause })
}

export function tooManyWaiting(): Problem {
  return new Problem('overloaded', 'Too many requests are waiting for the database; nothing was written.', { headers })
}

/** A commit without a response may have succeeded. */
export function outcomeUnknown(cause: unknown): Problem {
  const detail = 'The connection to the database was lost during the commit, so the write may have been made. Read before you try again.'
  return new Problem('outcome_unknown', detail, { headers: { 'retry-after': '5' }, cause })
}

/** Whether the server refused the statement. After any other error the outcome is unknown. */
export function isServerRefusal(error: unknown): boolean {
  const { code, severity } = fieldsOf(error)
  return severity !== '' && !away.has(code) && !/^(?:08|57P|58|XX)/.test(code)
}

/** Whether another node has changed the schema since the statement was prepared. */
export function isStalePlan(error: unknown): boolean {
  const { code, routine } = fieldsOf(error)
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

export function isLockTimeout(error: unknown): boolean {
  return error instanceof Problem && fieldsOf(error.cause).code === '55P03'
}

export function lostRace(error: unknown): boolean {
  return error instanceof WriteConflict || isStalePlan(error) || races.has(fieldsOf(error).code)
}

/** Whether work of a shared transaction should run again in its own, where it may wait longer. */
export function retriesAlone(error: unknown): boolean {
  return (
    lostRace(error) ||
    error instanceof WouldBlock ||
    error instanceof RunsByItself ||
    (error instanceof Problem && slow.has(fieldsOf(error.cause).code))
  )
}

/** Whether the connection, and with it the transaction, is lost. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof Problem && (error.code === 'database_unavailable' || error.code === 'outcome_unknown')
}

/** Whether a server that shards its tables could not reach another one. The connection to itself goes on. */
export function isShardAway(error: unknown): boolean {
  const { code, severity } = fieldsOf(error)
  return severity !== '' && connectionExceptions.has(code)
}

/** What the outcome of work for another server tells of that one; nothing if the work did not get so far. */
export function tellsOfServer(error: unknown): 'answered' | 'away' | 'late' | 'nothing' {
  if (!(error instanceof Problem)) return 'answered'
  if (isConnectionLost(error)) return 'away'
  if (error.code !== 'overloaded') return 'answered'
  const { code } = fieldsOf(error.cause)
  return code === '57014' ? 'late' : code === '' ? 'nothing' : 'answered'
}

/** Thrown in a shared transaction by work that would have to wait for another transaction. */
export class WouldBlock extends Error {}

/** The error after the last retry: 503 for a conflict. A constraint violation that persists is a bug. */
export function afterLastTry(error: unknown): unknown {
  const isConflict = error instanceof WriteConflict || fieldsOf(error).code.startsWith('40')
  return isConflict ? new Problem('overloaded', 'Too many requests write to the same resource; nothing was written.', { headers }) : error
}

/** The fields of a system or server error. Only server errors have a severity, in the server's language. */
function fieldsOf(error: unknown): { readonly code: string; readonly severity: string; readonly routine: string } {
  const fields = typeof error === 'object' && error !== null ? (error as Readonly<Record<string, unknown>>) : {}
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '')
  return { code: text('code'), severity: text('severity'), routine: text('routine') }
}

/** The driver's own errors have no code. */
function isDriverDisconnect(error: unknown): boolean {
  return (
    error instanceof Error &&
    /connection (terminated|timeout|ended|closed)|closed the connection|timeout exceeded when trying to connect|query read timeout|not queryable/i.test(
      error.message,
    )
  )
}
