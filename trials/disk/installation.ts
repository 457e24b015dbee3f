import { operator } from '../../src/actions/caller.ts'
import type { DatabaseAddress } from '../../src/app/config.ts'
import { openEngine, openInstallation } from '../../src/app/installation.ts'
import { makeFirstProject } from '../../src/cli/commands/serve-command.ts'
import { realContext } from '../../src/context.ts'
import { insertPosts } from '../../src/import/post-bulk-store.ts'
import { checkInstallation } from '../../src/maintenance/check/check-installation.ts'
import { createPost } from '../../src/resources/posts/post.ts'
import { logPostChanges } from '../../src/resources/posts/post-write.ts'
import { defaultScopes } from '../../src/resources/projects/keys/api-key.ts'
import { createKey } from '../../src/resources/projects/keys/key-actions.ts'
import { listProjects } from '../../src/resources/projects/project-store.ts'
import { newId } from '../../src/values/ids.ts'
import { unobserved } from '../../src/values/observations.ts'

const batch = 500

/** An installation with so many published posts. Returns a key that may also administer it. */
export async function makeInstallation(database: DatabaseAddress, posts: number): Promise<string> {
  const installation = await openInstallation({ database, context: realContext, observations: unobserved })
  const keys = await makeFirstProject(installation)
  const [project] = await listProjects(installation.db)
  if (!keys || !project) throw new Error('the installation is not new')
  for (let from = 0; from < posts; from += batch) {
    const now = await installation.engine.now()
    const written = Array.from({ length: Math.min(batch, posts - from) }, (_, i) => {
      const edits = {
        title: `Post ${from + i}`,
        slug: `seed-${from + i}`,
        status: 'published',
        content: `# Post ${from + i}\n\n${text}`,
      } as const
      return { before: undefined, change: createPost(newId('post', now, realContext.random), edits, now) }
    })
    await installation.engine.write(async (tx) => {
      const all = written.map(({ change }) => change.post)
      await insertPosts(tx, project.id, all)
      await logPostChanges(tx, operator(project.id, 'cli', now), written)
    })
  }
  await installation.engine.analyze?.()
  const caller = operator(project.id, 'cli', await installation.engine.now())
  const { token } = await installation.perform(createKey, caller, {
    body: { ok: true, value: { name: 'trial', kind: 'secret', scopes: [...defaultScopes.secret, 'admin'] } },
  })
  await installation.close()
  return token
}

const text = 'The harbour lay still, and the boats turned slowly at their moorings. '.repeat(6)

/** What `verso check` finds in a database that nobody serves; one sentence if it cannot be opened. */
export async function findingsOf(database: DatabaseAddress): Promise<readonly string[]> {
  const found: string[] = []
  try {
    const engine = await openEngine(database, realContext, unobserved)
    try {
      for await (const finding of checkInstallation(engine)) found.push(finding)
    } finally {
      await engine.close()
    }
  } catch (error) {
    found.push(`the database cannot be opened: ${error}`)
  }
  return found
}
