import { type Caller, operator } from '../actions/caller.ts'
import { readConfig } from '../app/config.ts'
import { type Core, openCore } from '../app/installation.ts'
import { realContext } from '../context.ts'
import { findProject } from '../resources/projects/project-store.ts'
import { unobserved } from '../values/observations.ts'
import { UsageError } from './errors.ts'
import type { CommonOptions } from './terminal.ts'

/** Opens the database for a command and closes it again, whatever happens. */
export async function withCore<T>(options: Pick<CommonOptions, 'database'>, work: (core: Core) => Promise<T>): Promise<T> {
  const { database } = readConfig(options)
  const core = await openCore({ database, context: realContext, observations: unobserved })
  try {
    return await work(core)
  } finally {
    await core.close()
  }
}

/** The same in one project, its due posts published, as the one who works at the machine. */
export async function withProject<T>(options: CommonOptions, work: (core: Core, caller: Caller) => Promise<T>): Promise<T> {
  return withCore(options, async (core) => {
    const project = await findProject(core.db, options.project)
    if (!project) throw new UsageError(`there is no project ${options.project}; create it with: verso project create ${options.project}`)
    const caller = operator(project.id, 'cli', await core.engine.now())
    await core.settle(caller)
    return work(core, caller)
  })
}
