import { CommanderError } from 'commander'
import { ConfigError } from '../app/config-values.ts'
import { pathFault } from '../context.ts'
import { UnsupportedDatabase } from '../database/unsupported-database.ts'
import { BackupStopped, S3Failed, UnusableBackup } from '../maintenance/backup/backup-errors.ts'
import { MoveStopped } from '../maintenance/move/copy.ts'
import { Problem } from '../values/problems.ts'

/** A command was used wrongly. The message says what it needs. */
export class UsageError extends Error {}

/** A command failed. The message says why. */
export class CommandFailed extends Error {}

const expected = [UnsupportedDatabase, MoveStopped, BackupStopped, UnusableBackup, S3Failed] as const

/** Faults of what was typed, whatever is stored. */
const ofForm = new Set([
  'required',
  'unknown_field',
  'wrong_type',
  'not_allowed',
  'empty',
  'invalid',
  'invalid_format',
  'invalid_text',
  'too_long',
  'out_of_range',
  'in_the_past',
])

/** The options whose fields and parameters have other names in the API. */
const optionNames: Readonly<Record<string, string>> = { expiresAt: '--expires', reassign_to: '--reassign-to' }

/** Whether an option or argument has a form that is never accepted, such as a slug with capitals. */
function isWrongUsage({ status, errors }: Problem): boolean {
  return status === 400 || (status === 422 && errors.length > 0 && errors.every(({ code }) => ofForm.has(code)))
}

/** The text of an error for the terminal, and its exit code. */
export function explain(error: unknown, asJson = false): Explanation {
  const { text, exitCode } = inWords(error)
  return { text: asJson ? asLine(error, text, exitCode) : text, exitCode }
}

interface Explanation {
  readonly text: string
  readonly exitCode: 1 | 2
}

/** With `--json`, an error is one line of JSON, with what a problem of the API has. */
function asLine(error: unknown, text: string, exitCode: 1 | 2): string {
  const code = error instanceof Problem ? error.code : exitCode === 2 ? 'wrong_usage' : 'failed'
  const more = error instanceof Problem && { errors: error.errors, ...error.members }
  const detail = text.replace(/^error: /, '')
  return JSON.stringify({ error: { code, detail: error instanceof Problem ? detail.split('\n')[0] : detail, ...more } })
}

function inWords(error: unknown): Explanation {
  if (error instanceof CommanderError) return { text: error.message, exitCode: 2 }
  if (error instanceof UsageError || error instanceof ConfigError) return { text: `error: ${error.message}`, exitCode: 2 }
  if (error instanceof Problem) {
    const text = [`error: ${withOptions(error.detail)}${reasonOf(error)}`, ...faultLines(error)].join('\n')
    return { text, exitCode: isWrongUsage(error) ? 2 : 1 }
  }
  if (error instanceof CommandFailed) return { text: `error: ${error.message}`, exitCode: 1 }
  if (expected.some((kind) => error instanceof kind)) return { text: `error: ${(error as Error).message}`, exitCode: 1 }
  if (error instanceof Error && 'code' in error) return { text: `error: ${ofSystem(error)}`, exitCode: 1 }
  return { text: `error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`, exitCode: 1 }
}

/** A text of the API in terms of the command line. */
function withOptions(text: string): string {
  return text.replace(/\w+/g, (word) => optionNames[word] ?? word)
}

/** The cause of a problem in its own words. A host name with several addresses has failed at each. */
function reasonOf({ cause }: Problem): string {
  if (!(cause instanceof Error)) return ''
  const causes =
    cause instanceof AggregateError ? cause.errors.map((each) => (each instanceof Error ? each.message : String(each))) : [cause.message]
  return ` (${causes.join('; ')})`
}

function faultLines(problem: Problem): readonly string[] {
  if (problem.errors.length < 2) return []
  return problem.errors.map((fault) => `  ${'pointer' in fault ? fault.pointer : fault.parameter}: ${withOptions(fault.detail)}`)
}

interface SystemError extends Error {
  readonly code?: unknown
  readonly syscall?: unknown
  readonly address?: unknown
  readonly hostname?: unknown
  readonly port?: unknown
  readonly path?: unknown
}

function ofSystem(error: SystemError): string {
  const place = `${error.address}:${error.port}`
  switch (error.code) {
    case 'EADDRINUSE':
      return `${place} is in use by another program; stop it or choose another port (--port, PORT).`
    case 'EADDRNOTAVAIL':
      return `${error.address} is not an address of this machine; choose another (--host, HOST).`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${error.hostname} is neither an address nor a name that resolves to one; choose another (--host, HOST).`
    case 'EACCES':
    case 'EPERM':
      return error.syscall === 'listen'
        ? `this user may not listen on ${place}; choose a port from 1024 up (--port, PORT).`
        : `permission denied (${error.message}).`
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_NOTADB':
    case 'SQLITE_CORRUPT':
      return `the database cannot be opened: ${error.message}.`
    default: {
      // Files are opened to be read, too, but a folder is made only to be written to.
      const fault = error.syscall === 'mkdir' ? pathFault(error) : undefined
      return fault === undefined ? error.message : `the folder ${error.path} cannot be created: ${fault}.`
    }
  }
}
