import type { Action } from '../../actions/action.ts'
import type { KeyKind } from './keys/api-key.ts'
import { createKey } from './keys/key-actions.ts'
import type { Project } from './project.ts'
import { insertProject, listProjects } from './project-store.ts'

/** The tokens of a fresh installation, to be shown this once. */
export interface FirstKeys {
  readonly secret: string
  readonly public: string
}

/**
 * Makes the first project and its two keys, all or nothing. None where there is a project already: of nodes that start together one makes it,
 * and shows the keys.
 */
export const foundInstallation: Action<null, FirstKeys | undefined> = {
  name: 'installation.found',
  async run(tx, caller, _, random) {
    if ((await listProjects(tx)).length > 0) return undefined
    const { projectId: id, now } = caller
    const first: Project = { id, slug: 'default', name: 'Default', siteUrl: null, permalink: null, createdAt: now, updatedAt: now }
    if (!(await insertProject(tx, first))) return undefined
    const make = async (kind: KeyKind) => {
      const value = { name: `first ${kind} key`, kind }
      return (await createKey.run(tx, caller, { body: { ok: true, value } }, random)).token
    }
    return { secret: await make('secret'), public: await make('public') }
  },
}
