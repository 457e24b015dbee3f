import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../postgres.js'
import { cpuSecondsOf, mostMemoryMbOf } from '../process-cost.js'
import { writeExport } from '../wordpress-export.js'

export const question = 'How long does verso import take for an export of WordPress, and how much memory, on both engines?'
export const target = '10,000 posts in ≤ 60 s and ≤ 250 MB on 2 cores; 500 MB in ≤ 300 MB (--large)'
export const aims = [
  { row: '10000 posts', figure: 'seconds', atMost: 60 },
  { row: '10000 posts', figure: 'most MB', atMost: 250 },
  { row: '10000 posts, PostgreSQL', figure: 'seconds', atMost: 60 },
  { row: '10000 posts, PostgreSQL', figure: 'most MB', atMost: 250 },
  { row: '92000 posts', figure: 'most MB', atMost: 300 },
]

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const everyMs = 50

export async function run({ large }) {
  const sizes = large ? [10_000, 92_000] : [10_000]
  const figures = {}
  for (const posts of sizes) figures[`${posts} posts`] = await importing(posts)
  const postgres = await startPostgres()
  try {
    figures['10000 posts, PostgreSQL'] = await importing(10_000, postgres.url)
  } finally {
    await postgres.stop()
  }
  return figures
}

async function importing(posts, url) {
  const folder = mkdtempSync(join(tmpdir(), 'verso-bench-'))
  const file = join(folder, 'export.xml')
  await writeExport(file, posts)
  const database = url ?? `sqlite:${join(folder, 'a.db')}`
  execFileSync(process.execPath, [main, 'project', 'create', 'default', '--database', database])
  const { report, mostMb, cpuSeconds } = await runProgram([main, 'import', file, '--database', database, '--json'])
  const fileMb = statSync(file).size / 1e6
  rmSync(folder, { recursive: true })
  const { durationMs, posts: brought } = JSON.parse(report)
  if (brought.created !== posts) throw new Error(`${brought.created} posts came of ${posts}`)
  const figures = { seconds: durationMs / 1_000, 'CPU seconds': cpuSeconds, 'most MB': mostMb ?? Number.NaN, 'file MB': fileMb }
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Math.round(value)]))
}

/** The memory at its most, and the CPU time of the process, as they were last seen: they never shrink. */
async function runProgram(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let report = ''
  let mostMb
  let cpuSeconds = 0
  child.stdout.on('data', (chunk) => (report += chunk))
  const timer = setInterval(() => {
    mostMb = mostMemoryMbOf(child.pid)
    cpuSeconds = cpuSecondsOf(child.pid)
  }, everyMs)
  child.once('exit', () => clearInterval(timer))
  await new Promise((end) => child.once('close', end))
  return { report, mostMb, cpuSeconds }
}
