import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mostMemoryMbOf } from '../process-cost.js'
import { writeExport } from '../wordpress-export.js'

export const question = 'How long does verso import take for an export of WordPress, and how much memory?'
export const target = '10,000 posts in ≤ 60 s and ≤ 250 MB on 2 cores; 500 MB in ≤ 300 MB (--large)'
export const aims = [
  { row: '10000 posts', figure: 'seconds', atMost: 60 },
  { row: '10000 posts', figure: 'most MB', atMost: 250 },
  { row: '92000 posts', figure: 'most MB', atMost: 300 },
]

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const everyMs = 50

export async function run({ large }) {
  const sizes = large ? [10_000, 92_000] : [10_000]
  const figures = {}
  for (const posts of sizes) figures[`${posts} posts`] = await importing(posts)
  return figures
}

async function importing(posts) {
  const folder = mkdtempSync(join(tmpdir(), 'verso-bench-'))
  const file = join(folder, 'export.xml')
  await writeExport(file, posts)
  const database = `sqlite:${join(folder, 'a.db')}`
  execFileSync(process.execPath, [main, 'project', 'create', 'default', '--database', database])
  const { report, mostMb } = await runProgram([main, 'import', file, '--database', database, '--json'])
  const fileMb = statSync(file).size / 1e6
  rmSync(folder, { recursive: true })
  const { durationMs, posts: brought } = JSON.parse(report)
  if (brought.created !== posts) throw new Error(`${brought.created} posts came of ${posts}`)
  return { seconds: Math.round(durationMs / 1_000), 'most MB': mostMb && Math.round(mostMb), 'file MB': Math.round(fileMb) }
}

/** The memory at its most, as it was last seen: it never shrinks. */
async function runProgram(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let report = ''
  let mostMb
  child.stdout.on('data', (chunk) => (report += chunk))
  const timer = setInterval(() => (mostMb = mostMemoryMbOf(child.pid)), everyMs)
  child.once('exit', () => clearInterval(timer))
  await new Promise((end) => child.once('close', end))
  return { report, mostMb }
}
