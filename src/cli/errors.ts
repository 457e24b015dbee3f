import { ConfigError } from '../app/config.ts'
import { UnsuitableDatabase } from '../database/unsupported-database.ts'
import { MoveStopped } from '../maintenance/move/copy.ts'
import { Problem } from '../values/problems.ts'

/** A command was given what it cannot work with; the message says what it needs. */
export class UsageError extends Error {}

/** What was asked for cannot be done; the message says why. */
export class CommandFailed extends Error {}

/** An error in words for the person at the terminal, and the exit code that goes with it. */
export function explain(error: unknown): { readonly text: string; readonly exitCode: 1 | 2 } {
  if (error instanceof UsageError || error instanceof ConfigError) return { text: `error: ${error.message}`, exitCode: 2 }
  if (error instanceof Problem) return { text: [`error: ${error.detail}${reasonOf(error)}`, ...faultLines(error)].join('\n'), exitCode: 1 }
  if (error instanceof CommandFailed) return { text: `error: ${error.message}`, exitCode: 1 }
  if (error instanceof UnsuitableDatabase || error instanceof MoveStopped) return { text: `error: ${error.message}`, exitCode: 1 }
  if (error instanceof Error && 'code' in error) return { text: `error: ${ofSystem(error)}`, exitCode: 1 }
  return { text: `error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`, exitCode: 1 }
}

/** What went wrong underneath, in its own words; a name of several addresses has failed at each. */
function reasonOf({ cause }: Problem): string {
  if (!(cause instanceof Error)) return ''
  const causes =
    cause instanceof AggregateError ? cause.errors.map((each) => (each instanceof Error ? each.message : String(each))) : [cause.message]
  return ` (${causes.join('; ')})`
}

function faultLines(problem: Problem): readonly string[] {
  if (problem.errors.length < 2) return []
  return problem.errors.map((fault) => `  ${'pointer' in fault ? fault.pointer : fault.parameter}: ${fault.detail}`)
}

function ofSystem(error: Error & { readonly code?: unknown; readonly address?: unknown; readonly port?: unknown }): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `${error.address}:${error.port} is in use by another program; stop it or choose another port (--port, PORT).`
    case 'EACCES':
    case 'EPERM':
      return `permission denied (${error.message}).`
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_NOTADB':
    case 'SQLITE_CORRUPT':
      return `the database cannot be opened: ${error.message}.`
    default:
      return error.message
  }
}
