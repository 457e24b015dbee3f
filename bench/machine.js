// Where and when figures were taken.
import { execFileSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'

export function machine() {
  const memoryGib = Math.round(totalmem() / 2 ** 30)
  return { cores: cpus().length, cpu: cpus()[0]?.model, memoryGib, node: process.version, date: new Date().toISOString(), commit: commit() }
}

/** With a + where something is not committed; 'unknown' outside of a repository. */
function commit() {
  try {
    const git = (...args) => execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return git('rev-parse', '--short', 'HEAD').trim() + (git('status', '--porcelain', '--untracked-files=no') === '' ? '' : '+')
  } catch {
    return 'unknown'
  }
}
