// Makes installations of any size, fast, by the program's own rules and stores.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operator } from '../dist/caller.js'
import { makeFirstProject } from '../dist/cli/first-start.js'
import { realContext } from '../dist/context.js'
import { openCore } from '../dist/core.js'
import { unobserved } from '../dist/observations.js'
import { createPost } from '../dist/posts/post-actions.js'
import { listProjects } from '../dist/projects/project-store.js'

const folder = join(tmpdir(), 'verso-bench')
/** 2 KB of Markdown. */
const content = 'Content that people read, in paragraphs of some length. '.repeat(37)
const day = 86_400_000

/** An installation with so many posts, one in ten a draft; made once and kept for later runs. */
export async function installation(posts) {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `posts-${posts}.db`)
  const keysPath = `${path}.keys`
  if (!existsSync(keysPath)) {
    const core = await openCore({ database: { kind: 'sqlite', path }, context: realContext, observations: unobserved })
    const keys = await makeFirstProject(core)
    const [project] = await listProjects(core.db)
    for (let from = 0; from < posts; from += 500) await fill(core, project.id, from, Math.min(posts, from + 500))
    await core.close()
    writeFileSync(keysPath, JSON.stringify(keys))
  }
  return { database: `sqlite:${path}`, path, keys: JSON.parse(readFileSync(keysPath, 'utf8')) }
}

async function fill({ engine, context }, projectId, from, to) {
  const now = await engine.now()
  const caller = operator(projectId, 'cli', now)
  await engine.write(async (tx) => {
    for (let i = from; i < to; i++) {
      const draft = i % 10 === 9
      const publishedAt = new Date(Date.parse(now) - (i + 1) * 60_000 - day).toISOString()
      const value = {
        title: `Post number ${i}: what became of subject ${i % 997}`,
        content: `${content}${i}`,
        tags: [`tag ${i % 50}`, `kind ${i % 7}`],
        ...(draft ? {} : { status: 'published', publishedAt }),
      }
      await createPost.run(tx, caller, { body: { ok: true, value } }, context.random)
    }
  })
}
