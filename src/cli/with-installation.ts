import { type Caller, operator } from '../actions/caller.ts'
import { type DatabaseAddress, readConfig } from '../app/config.ts'
import { type Installation, openInstallation } from '../app/installation.ts'
import type { UpgradeSteps } from '../app/upgrade.ts'
import { realContext } from '../context.ts'
import { findProject } from '../resources/projects/project-store.ts'
import { unobserved } from '../values/observations.ts'
import { placeOf, requireDatabase } from './database-side.ts'
import { UsageError } from './errors.ts'
import { type CommonOptions, onTerminal } from './terminal.ts'
import { upgradeSteps } from './upgrade-steps.ts'

type Options = Pick<CommonOptions, 'database' | 'json'>
type Work<T> = (installation: Installation) => Promise<T>

/** Opens the database for a command and closes it afterwards. */
export async function withInstallation<T>(options: Options, work: Work<T>): Promise<T> {
  const { database } = readConfig(options)
  requireDatabase(database)
  return withNewInstallation(options, work, { creates: () => refuseWithout(database) })
}

/** For commands that make no installation: a schema in the database of another program would be in its way. */
export function refuseWithout(database: DatabaseAddress): never {
  throw new UsageError(`${placeOf(database)} holds no installation; is it the right database? verso serve makes one.`)
}

/** The same for a command that may be the first one, and creates the database. */
export async function withNewInstallation<T>(options: Options, work: Work<T>, before: Pick<UpgradeSteps, 'creates'> = {}): Promise<T> {
  const config = readConfig(options)
  const steps = { ...upgradeSteps(config, { withoutBackup: false, tell: onTerminal(options) }), ...before }
  const installation = await openInstallation({ database: config.database, context: realContext, observations: unobserved, steps })
  try {
    return await work(installation)
  } finally {
    await installation.close()
  }
}

export function noProject(slug: string): UsageError {
  return new UsageError(`there is no project ${slug}; verso project list shows them, and this creates it: verso project create ${slug}`)
}

/** The same in one project, as the operator. Due posts are published first. */
export async function withProject<T>(options: CommonOptions, work: (installation: Installation, caller: Caller) => Promise<T>): Promise<T> {
  return withInstallation(options, async (installation) => {
    const project = await findProject(installation.db, options.project)
    if (!project) throw noProject(options.project)
    const caller = operator(project.id, 'cli', await installation.engine.now())
    await installation.publishDue(caller)
    return work(installation, caller)
  })
}
