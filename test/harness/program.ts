import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../../src/app/config.ts'
import { testSecret } from './harness.ts'

/** The command as it is built for users; `npm test` builds it first. */
export const main = resolve(import.meta.dirname, '../../dist/cli/main.js')

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** A session of its own, as a supervisor gives to each service. Linux may divide the processors between sessions, not between processes. */
  readonly ownSession?: boolean
}

/** The value of `--database` for an address. */
export function addressText(address: DatabaseAddress): string {
  return address.kind === 'sqlite' ? `sqlite:${address.path}` : address.url
}

/** Runs `verso …` to its end. */
export function verso(args: readonly string[], { env = {}, cwd }: ProgramOptions = {}): Promise<Ended> {
  return new Promise((end) => {
    execFile(
      process.execPath,
      [main, ...args],
      { env: cleanEnvironment(env), maxBuffer: 64 * 1024 * 1024, ...(cwd && { cwd }) },
      (error, stdout, stderr) => {
        end({ code: error ? ((error.code as number | undefined) ?? null) : 0, stdout, stderr })
      },
    )
  })
}

export interface Started {
  signal(name: NodeJS.Signals): void
  readonly ended: Promise<Ended>
}

/** Starts `verso …` for a test that does something while it runs. */
export function start(args: readonly string[]): Started {
  const child = spawn(process.execPath, [main, ...args], { env: cleanEnvironment({}) })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stderr.on('data', (chunk) => (stderr += chunk))
  const ended = new Promise<Ended>((end) => child.on('close', (code) => end({ code, stdout, stderr })))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { signal: (name) => void child.kill(name), ended }
}

export interface Served {
  readonly pid: number
  readonly url: string
  readonly stdout: () => string
  readonly stderr: () => string
  signal(name: NodeJS.Signals): void
  readonly ended: Promise<Ended>
}

/** Starts `verso serve` on a free port and waits until it says where it listens. */
export async function serve(database: string, { env = {}, cwd, ownSession = false }: ProgramOptions = {}): Promise<Served> {
  const child = spawn(process.execPath, [main, 'serve', '--database', database, '--port', '0'], {
    env: cleanEnvironment(env),
    ...(cwd && { cwd }),
    detached: ownSession,
  })
  let stdout = ''
  let stderr = ''
  const ended = new Promise<Ended>((end) => child.on('close', (code) => end({ code, stdout, stderr })))
  child.stderr.on('data', (chunk) => (stderr += chunk))
  const url = await new Promise<string>((found, failed) => {
    child.stdout.on('data', (chunk) => {
      stdout += chunk
      const match = /listening on (\S+)/.exec(stdout)
      if (match?.[1]) found(match[1])
    })
    child.on('close', () => failed(new Error(`verso serve ended: ${stdout}${stderr}`)))
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { pid: child.pid ?? 0, url, stdout: () => stdout, stderr: () => stderr, signal: (name) => void child.kill(name), ended }
}

/** A folder that is gone when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'verso-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The environment of the tests is not passed on, except for what a program needs to run. */
function cleanEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  return { PATH: process.env.PATH ?? '', ...testSecret, ...env }
}
