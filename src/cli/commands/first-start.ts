import { operator } from '../../actions/caller.ts'
import type { Core } from '../../app/installation.ts'
import { type FirstKeys, foundInstallation } from '../../resources/projects/first-project-actions.ts'
import { listProjects } from '../../resources/projects/project-store.ts'
import { newId } from '../../values/ids.ts'

/** Gives an installation that has no project yet the project `default` with a secret and a public key, which are returned this once. */
export async function makeFirstProject({ db, perform, context, engine }: Core): Promise<FirstKeys | undefined> {
  if ((await listProjects(db)).length > 0) return undefined
  const now = await engine.now()
  return perform(foundInstallation, operator(newId('prj', now, context.random), 'cli', now), null)
}

/** What a newcomer sees: two keys, two lines that work when pasted, and where to go on. */
export function firstStartText(url: string, keys: FirstKeys): string {
  return `
This is the first start. The project "default" was made, with two API keys.
They are shown this once; keep them.

  secret key, for your server and your build   ${keys.secret}
  public key, may stand in a web page          ${keys.public}

Write a post and read it back:

  curl -H 'Authorization: Bearer ${keys.secret}' -H 'Content-Type: application/json' -d '{"title": "Hello, world", "content": "# Hello", "status": "published"}' ${url}/v1/posts

  curl -H 'Authorization: Bearer ${keys.public}' ${url}/v1/posts

Go on:

  npx verso author create "Ada Lovelace"   authors are made here and by imports
  npx verso import <folder>                a blog of Markdown files
  npx verso --help                         everything else
  ${url}/docs              every endpoint

`
}
