// Starts servers as processes of their own and reads what they cost.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { cpuSecondsOf, memoryMbOf } from './process-cost.js'

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const floor = fileURLToPath(new URL('./floor.js', import.meta.url))
/** What was started and has not ended. */
const running = new Set()

/** The service as users start it, its log going nowhere unless it is asked for. */
export function startVerso(database, env = {}) {
  return start(
    [main, 'serve', '--database', database, '--port', '0'],
    { VERSO_LOG_LEVEL: 'silent', VERSO_SECRET: 'x'.repeat(32), ...env },
    /listening on (\S+)/,
  )
}

/** The floor: a bare `node:http` server that answers everything with the same bytes, status and headers. */
export function startFloor({ status, headers, body }) {
  return start([floor], { FLOOR: JSON.stringify({ status, headers, body: Buffer.from(body).toString('base64') }) }, /listening on (\S+)/)
}

async function start(args, env, sign) {
  const started = performance.now()
  // A log is written and not read, which would cost this process time; without one there are only words of failure.
  const errors = env.VERSO_LOG_LEVEL === 'silent' ? 'pipe' : 'ignore'
  const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', errors] })
  running.add(child)
  child.once('exit', () => running.delete(child))
  let output = ''
  let complaint = ''
  child.stderr?.on('data', (chunk) => (complaint += chunk))
  const url = await new Promise((found, failed) => {
    child.stdout.on('data', (chunk) => {
      output += chunk
      const match = sign.exec(output)
      if (match) found(match[1])
    })
    child.on('close', (code) => failed(new Error(`ended with ${code}: ${complaint}${output}`)))
  })
  return {
    url,
    pid: child.pid,
    output: () => output,
    startedMs: performance.now() - started,
    cpuSeconds: () => cpuSecondsOf(child.pid),
    memoryMb: () => memoryMbOf(child.pid),
    stop: () => end(child),
  }
}

/** Ends what is still running, such as the servers of a question that failed. */
export async function stopAll() {
  await Promise.all([...running].map(end))
}

function end(child) {
  if (!running.has(child)) return Promise.resolve()
  return new Promise((resolve) => child.once('exit', resolve) && child.kill('SIGTERM'))
}
