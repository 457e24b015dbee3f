import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { medianOf } from '../load.js'

export const question = 'How many posts of 2 KB does verso import bring in a second, parsed and indexed?'
export const target = '≥ 1,500'
export const aims = [{ row: 'import', figure: 'posts/s', atLeast: 1_500 }]

const runProgram = promisify(execFile)
const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const posts = 3_000
const rounds = 3
const paragraph = 'Content that people read, in paragraphs of some length. '

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'verso-bench-'))
  const blog = join(folder, 'blog')
  writeBlog(blog)
  const taken = []
  for (let round = 0; round < rounds; round++) {
    const database = `sqlite:${join(folder, `${round}.db`)}`
    await runProgram(process.execPath, [main, 'project', 'create', 'default', '--database', database])
    const args = [main, 'import', blog, '--database', database, '--json']
    const { stdout } = await runProgram(process.execPath, args, { maxBuffer: 1 << 26 })
    const { durationMs, posts: brought } = JSON.parse(stdout)
    if (brought.created !== posts) throw new Error(`${brought.created} posts came of ${posts}`)
    taken.push((posts * 1_000) / durationMs)
  }
  rmSync(folder, { recursive: true })
  return { import: { 'posts/s': Math.round(medianOf(taken)), 'of which at once': posts } }
}

/** As static site generators have it: front matter with a title, a date, tags and a category. */
function writeBlog(folder) {
  mkdirSync(folder)
  for (let i = 0; i < posts; i++) {
    const date = new Date(Date.UTC(2015, 0, 1) + i * 3_600_000).toISOString()
    const front = [
      `title: "Post number ${i}: what became of subject ${i % 997}"`,
      `date: ${date}`,
      `tags: [tag ${i % 50}, kind ${i % 7}]`,
      `category: Category ${i % 10}`,
    ]
    writeFileSync(join(folder, `post-${i}.md`), `---\n${front.join('\n')}\n---\n\n# Part ${i}\n\n${paragraph.repeat(36)}\n`)
  }
}
