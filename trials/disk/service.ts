import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { main } from '../../test/harness/program.ts'

/** `verso serve` as a process of its own, which a trial kills and starts again. */
export interface Service {
  readonly url: string
  readonly startedInMs: number
  output(): string
  kill(signal: NodeJS.Signals): Promise<number | null>
  /** The exit code, once it has ended. */
  readonly ended: Promise<number | null>
}

/** Nodes over PostgreSQL must be told one. */
const secret = Buffer.alloc(32, 7).toString('base64')

type Environment = Readonly<Record<string, string>>

/** Starts the service on a free port; rejects if it ends before it listens. */
export async function launch(database: string, env: Environment = {}): Promise<Service> {
  const begun = performance.now()
  const child = spawn(process.execPath, [main, 'serve', '--database', database, '--port', '0'], {
    env: { PATH: process.env.PATH ?? '', UV_USE_IO_URING: '0', VERSO_LOG_LEVEL: 'warn', VERSO_SECRET: secret, ...env },
  })
  let output = ''
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  onTestFinished(() => void child.kill('SIGKILL'))
  const url = await new Promise<string>((found, failed) => {
    const read = (chunk: Buffer) => {
      output += chunk
      const match = /listening on (\S+)/.exec(output)
      if (match?.[1]) found(match[1])
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('close', () => failed(new Error(`the service ended before it listened: ${output}`)))
  })
  await ready(url, child)
  return {
    url,
    startedInMs: performance.now() - begun,
    output: () => output,
    ended,
    kill(signal) {
      child.kill(signal)
      return ended
    },
  }
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const { status } = await fetch(`${url}/readyz`).catch(() => ({ status: 0 }))
    if (status === 200) return
  }
}

export interface Reply {
  /** 0 if the connection broke off before an answer came. */
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: trials look into bodies of every kind.
  readonly body: any
}

/** A client that takes a broken connection for an answer. */
export function clientOf(url: string, key: string) {
  return async (method: string, path: string, body?: unknown): Promise<Reply> => {
    try {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : undefined }
    } catch {
      return { status: 0, body: undefined }
    }
  }
}

export type Client = ReturnType<typeof clientOf>

/** A folder that is gone when the trial is over. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'verso-trial-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
