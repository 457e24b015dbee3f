import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../../../../src/app/config.ts'

/** A service in a process of its own that can be killed at any moment. */
export interface KillableNode {
  /** One turn of its webhooks at an instant; false where it was killed meanwhile. */
  turn(now: Date): Promise<boolean>
  /** SIGKILL: it has no last word. */
  kill(): void
}

/** Starts `dist/app.js`, as it is built for users, on a database that is there. */
export async function startKillable(database: DatabaseAddress, env: Readonly<Record<string, string>>, now: Date): Promise<KillableNode> {
  const child = fork(join(import.meta.dirname, 'killable-node.js'), { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  const killed = endOf(child)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await killed.catch(() => undefined)
  })
  const tell = (message: object) => {
    const done = once(child, 'message').then(() => true)
    child.send(message)
    return Promise.race([done, killed.then(() => false)])
  }
  if (!(await tell({ now, start: { database, env } }))) throw new Error('it was killed before it had started')
  return { turn: (instant) => tell({ now: instant }), kill: () => void child.kill('SIGKILL') }
}

/** Resolves when it was killed; rejects with what it said where it ended by itself. */
async function endOf(child: ChildProcess): Promise<void> {
  let said = ''
  child.stderr?.on('data', (chunk) => (said += chunk))
  const [code, signal] = await once(child, 'close')
  if (signal !== 'SIGKILL') throw new Error(`the service ended by itself with ${code}: ${said}`)
}
