// Starts servers as processes of their own and reads what they cost.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const floor = fileURLToPath(new URL('./floor.js', import.meta.url))
/** Clock ticks per second in /proc (sysconf(_SC_CLK_TCK) on every Linux that Node runs on). */
const ticksPerSecond = 100

/** The service as users start it, its log going nowhere unless it is asked for. */
export function startVerso(database, env = {}) {
  return start([main, 'serve', '--database', database, '--port', '0'], { VERSO_LOG_LEVEL: 'silent', ...env }, /listening on (\S+)/)
}

/** The floor: a bare `node:http` server that answers everything with the same bytes, status and headers. */
export function startFloor({ status, headers, body }) {
  return start([floor], { FLOOR: JSON.stringify({ status, headers, body: Buffer.from(body).toString('base64') }) }, /listening on (\S+)/)
}

async function start(args, env, sign) {
  const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'ignore'] })
  const started = performance.now()
  let output = ''
  const url = await new Promise((found, failed) => {
    child.stdout.on('data', (chunk) => {
      output += chunk
      const match = sign.exec(output)
      if (match) found(match[1])
    })
    child.on('exit', (code) => failed(new Error(`ended with ${code}: ${output}`)))
  })
  return {
    url,
    output: () => output,
    startedMs: performance.now() - started,
    cpuSeconds: () => cpuSecondsOf(child.pid),
    memoryMb: () => memoryMbOf(child.pid),
    stop: () => new Promise((resolve) => child.on('exit', resolve) && child.kill('SIGTERM')),
  }
}

function cpuSecondsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

function memoryMbOf(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024
}
